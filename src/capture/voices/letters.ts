/**
 * Letters that a person pastes without their head: they greet the person, or end in the name of
 * somebody else. Where the letter is the person's own, it ends in their own name.
 */
import { type SignedLine, signatureOf } from './signatures.ts';
import { shownName } from './speaker.ts';

/** End a letter, whoever signs below. */
const FAREWELLS =
  '(?:(?:with )?(?:best|kind|warm|kindest|warmest) (?:regards|wishes)|regards|sincerely|yours(?: truly| sincerely| faithfully)?|respectfully|warmly|(?:mit )?(?:freundliche|beste|viele|liebe|herzliche|schöne)[nr]? gr(?:ü|ue)(?:ß|ss)en?|(?:gr(?:ü|ue)(?:ß|ss)e|gru(?:ß|ss))|mfg|lg|vg|(?:bien )?cordialement|(?:bien )?à vous|amicalement|salutations|bises|(?:un )?(?:cordial )?saludos?(?: cordiales)?|atentamente|un abrazo|cordiali saluti|distinti saluti|un saluto|saluti|met vriendelijke groet(?:en)?|groet(?:en|jes)?|atenciosamente|abraços?|(?:med )?(?:vänliga|venlig|vennlig) hilsen(?:ar)?|pozdrawiam|с уважением)';
/** Thanks as well, and end a letter only where a name stands below. */
const OFF_HAND =
  '(?:cheers|best|all the best|thanks|thank you|many thanks|thx|love|take care|talk soon|xoxo|danke|vielen dank|merci|gracias|grazie|ciao|tschüss|bis bald|à bientôt)';
const END = '[\\s,.!~*_–—-]{0,4}';
const FAREWELL = new RegExp(`^(?:${FAREWELLS}${END}|-- ?)$`, 'iu');
const THANKS = new RegExp(`^${OFF_HAND}${END}$`, 'iu');
const NAME = "\\p{Lu}[\\p{L}\\p{M}.'’-]{0,30}(?:\\s\\p{Lu}[\\p{L}\\p{M}.'’-]{0,30}){0,3}";
const NAME_ALONE = new RegExp(`^[-–—~*_\\s]{0,4}(${NAME})[,.*_]{0,2}$`, 'u');
/** `LG Bob`, `… Regards, Bob`: the farewell, then what could be a name. */
const WITH_NAME = new RegExp(
  `(?:^|[.!?,]\\s)(?:${FAREWELLS})[,\\s]+(\\S{1,40}(?:\\s\\S{1,40}){0,3})$`,
  'iu',
);
const CHEERS = new RegExp(
  // On the line of a sentence, only with its comma: `I am vegan. Love, Anna`.
  `(?:^(?:[Cc]heers|[Bb]est|[Ll]ove|[Aa]ll the best),?|[.!?] (?:Best|Love|Lots of love|With love|All the best|Hugs|Kisses|Yours|Xoxo|XOXO),)\\s+(${NAME})[.]?$`,
  'u',
);
const SENT_FROM =
  /^(?:sent (?:from|via|with) (?:my )?|gesendet (?:von|mit) |von meinem .{2,30} gesendet|envoyé (?:de|depuis) |enviado desde |inviato da |verzonden (?:vanaf|met) |get outlook for )/iu;
const GREETING =
  /^(?:hi|hello|hey|dear|hallo|hej|liebe[rs]?|moin|guten (?:tag|morgen|abend)|bonjour|salut|chère?|hola|buenos d[ií]as|estimad[oa]|ciao|beste|good (?:morning|evening|afternoon)|привет|здравствуйте)\s+([\p{L}\p{M}'’-]{1,30})(?:\s[\p{L}\p{M}'’-]{1,30})?\s*(?:[,!:–—-]|$)/iu;

/** A name has a bound, and so has a line that ends in one. */
const MOST_LINE = 2000;

export interface Letters {
  /** All before it is of a letter that somebody else signed; -1 = none is. */
  readonly signedAt: number;
  /** All from there on is of a letter to the author; -1 = none is. */
  readonly greetedAt: number;
}

interface Line extends SignedLine {
  readonly start: number;
}

export function lettersIn(content: string, author: string | null): Letters {
  const lines = shownLines(content);
  const isAuthor = ofAuthor(author);
  const [first] = lines;
  const greeted = GREETING.exec(first?.text ?? '')?.[1];
  let signedAt = -1;
  for (const [index, { text, start }] of lines.entries()) {
    const signer = signerAt(lines, index, text);
    if (signer === null || (signer !== '' && isAuthor(signer))) continue;
    signedAt = start + text.length;
  }
  const isGreeted = greeted !== undefined && isAuthor(greeted);
  return { signedAt, greetedAt: isGreeted ? (first?.start ?? -1) : -1 };
}

/** Who signs there; '' = nobody that is named, null = nothing ends there. */
function signerAt(lines: readonly Line[], index: number, text: string): string | null {
  if (text.length > MOST_LINE) return null;
  const nameIn = (line: string | undefined) => NAME_ALONE.exec(line ?? '')?.[1] ?? null;
  const below = nameIn(lines[index + 1]?.text);
  if (FAREWELL.test(text)) return below ?? '';
  if (THANKS.test(text)) return below;
  if (SENT_FROM.test(text)) return nameIn(lines[index - 1]?.text) ?? '';
  const greeted = nameIn((WITH_NAME.exec(text) ?? CHEERS.exec(text))?.[1]);
  if (greeted !== null || index < lines.length - 2) return greeted;
  return signatureOf(lines[index] ?? { text, isApart: false }, {
    above: lines[index - 1]?.text ?? null,
    below: lines.slice(index + 1).map((line) => line.text),
  });
}

function shownLines(content: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  let isApart = false;
  for (const text of content.split('\n')) {
    const bare = text.trim();
    const lead = text.length - text.trimStart().length;
    if (bare !== '') lines.push({ text: bare, start: start + lead, isApart });
    isApart = bare === '';
    start += text.length + 1;
  }
  return lines;
}

/** `Ann`, `Ann Lee`, `A.` and `A. Lee` are of Ann Lee. */
export function ofAuthor(author: string | null): (name: string) => boolean {
  const own = namesIn(shownName(author ?? ''));
  const initials = own.map((each) => each.charAt(0));
  return (name) =>
    /^\p{L}\.?$/u.test(name)
      ? initials.includes(name.charAt(0).toLowerCase())
      : namesIn(name).some((each) => own.includes(each));
}
const namesIn = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((each) => each.length > 1);
