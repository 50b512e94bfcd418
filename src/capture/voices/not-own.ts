/**
 * Words of somebody else: reported, quoted, pasted, or given to be worked on. Whatever they say of
 * `I`, it is nothing that the speaker states.
 */
import { isOwnLabel } from './labels.ts';
import { isPerson } from './people.ts';

const SAYING =
  'said|says|say|told|tells|wrote|writes|asked|replied|answered|texted|shouted|claimed|claims';
const REPORTED: readonly RegExp[] = [
  // `I live in Rome, said my boss.`, `"I live in Rome", Bob said.`
  new RegExp(`[,"”»'’!]\\s*(?:${SAYING})\\s+(?!you\\b|that\\b|it\\b)\\p{L}`, 'iu'),
  new RegExp(`[,"”»]\\s+(?:(?:he|she|they)|\\p{Lu}\\p{L}+|my [\\p{L}-]+)\\s+(?:${SAYING})\\b`, 'u'),
  // `The museum replies: "Dear Ada"`, `from my boss, what he says: "All`
  /^(?:(?:and|so|but|ok|okay|now|then|today|from|this|here) )*(?!(?:I|i|my|our|we|it|remember|note|rule|always|never|please|call|use|write|say|answer|add|put|name)\b(?!['’]?s? ?(?:boss|manager|landlord|mum|mom|wife|husband)\b))[^":“\n]{2,80}(?<!\b(?:is|are|was|were|called|named|as|me|rule|note|motto|name|title)): ["“«„]/iu,
  // `“I quit Acme” is what Bob told me.`
  /["”»]\s+(?:is|was)\s+what\b/iu,
];
/** A sentence that is all between marks of quotation, in the first person. */
const QUOTED = /^["“„«](?:I|I['’]\p{L}+|My|We|Our)\b[^"“”»]*["“”»]/u;

export const isReported = (text: string): boolean =>
  QUOTED.test(text) || REPORTED.some((form) => form.test(text));

const WORK =
  'translate|rewrite|rephrase|reword|paraphrase|proofread|summari[sz]e|correct|shorten|edit|polish|transcribe|improve|check';
/** `Translate into French: …`: what follows is what is to be worked on. */
const GIVEN = new RegExp(
  `^\\W*(?:(?:hi|hey|hello|please|now|then|and|can you|could you|would you|will you|help me|i need you to|i want you to)[\\s,]+)*(?:please\\s+)?(?:${WORK})\\b[^\\n]{0,120}?(?:[:\\n]|\\b(?:this|these|the following|text|sentence|paragraph|email|e-mail|message|letter|draft)\\b[^\\n]{0,40}(?:[:.?!\\n]|$))`,
  'iu',
);
/** Whether what follows this line is material of such a request. */
export const givesMaterial = (line: string): boolean => GIVEN.test(line);

const TALK =
  /^\s*(?:\[[^\]\n]{1,30}\]\s*)?(\p{Lu}[\p{L}'’.-]{0,30}(?: \p{Lu}[\p{L}'’.-]{0,30})?)\s*:\s+\S/u;
const FIRST_PERSON = /:\s+["“]?(?:I|I['’]\p{L}+|My|We|We['’]\p{L}+|Our)\b/u;
/** No names: `Note: …`, `Update: I moved`. */
const nameIn = (line: string): string | null => {
  const name = TALK.exec(line)?.[1] ?? null;
  return name === null || isOwnLabel(name) ? null : name;
};
/** `Bob: I moved to Rome.`: two or more such lines are a talk that was pasted. */
export function isPastedTalk(lines: readonly string[]): boolean {
  if (!lines.some((line) => FIRST_PERSON.test(line))) return false;
  const said = lines.filter((line) => nameIn(line) !== null);
  return said.length >= 2 && said.some((line) => FIRST_PERSON.test(line));
}
export const isTalkLine = (line: string): boolean => nameIn(line) !== null;

const VERBS =
  /^(?:is|are|was|lives?|works?|earns?|has|have|moved|changed|became|weighs?|takes?|pays?|goes|studies|got|went|started|joined|switched|left|quit|drives?|uses?)$/;
const NAME_OF = /^(?:is|are|was)$/;
/** `My dentist is dr. Claes`. */
const BEFORE_NAME = /^(?:dr\.?|mr\.?|mrs\.?|ms\.?|prof\.?)$/;
const isNameAlone = ([name = '', ...rest]: readonly string[]): boolean =>
  /^\p{Lu}\p{Ll}+[.!,;]?$/u.test(name) && (rest.length === 0 || /[.!,;]$/.test(name));
/**
 * `My lawyer's phone is 555`, `my ex-wife lives in Rome`, `my grandson is 5`: said of another one.
 * Who somebody is, is the speaker's to say: `my tutor is Marc`.
 */
export function isOfAnother(text: string): boolean {
  if (isDoneToAnother(text)) return true;
  const words = text.toLowerCase().split(/\s+/u);
  const own = words.findIndex((word) => word === 'my' || word === 'our');
  if (own === -1 || own > MOST_BEFORE) return false;
  for (let at = own + 1; at < Math.min(words.length, own + 4); at += 1) {
    const word = words[at] ?? '';
    const next = words[at + 1] ?? '';
    if (!isPerson(word)) continue;
    const said = text.split(/\s+/u);
    // `My manager's Simone`, and not `My manager's Porsche is new`.
    if (/['’]s?$/u.test(word)) return next !== 'name' && !isNameAlone(said.slice(at + 1));
    if (own > 0 && MOVING.test(words[own - 1] ?? '')) return true;
    if (own > 0) continue;
    if (NAME_OF.test(next)) {
      const named = BEFORE_NAME.test(words[at + 2] ?? '') ? at + 3 : at + 2;
      return /^[\d\p{Ll}]/u.test(said[named] ?? '');
    }
    if (VERBS.test(next)) return true;
  }
  return false;
}

/**
 * `I raised Bob's rent`, `we hired Clara`, `I told Bob that his pay is low`: what the speaker did
 * is theirs to say, what is so of the other since then is not.
 */
function isDoneToAnother(text: string): boolean {
  const words = text.split(/\s+/u);
  const plain = words.map((word) => word.toLowerCase().replaceAll('’', "'"));
  if (!ACTORS.has(plain[0] ?? '')) return false;
  const at = plain.findIndex((word, index) => index > 0 && !BEFORE_VERB.test(word));
  const verb = plain[at] ?? '';
  const [next = ''] = words.slice(at + 1);
  const rest = plain.slice(at + 1, at + 1 + MOST_OBJECT);
  if (TELLING.test(verb)) return plain.slice(at + 2).some((word) => THEIR.test(word));
  if (WHERE.test(rest[0] ?? '')) return false;
  const object = words.slice(at + 1, at + 1 + MOST_OBJECT);
  if (CHANGING.test(verb) && (object.some(isSomeonesOwn) || rest.some(isTheirs))) return true;
  return PLACING.test(verb) && (/^\p{Lu}/u.test(next) || isPerson(rest[1] ?? '') || HIM.test(next));
}
const MOST_OBJECT = 3;
const ACTORS: ReadonlySet<string> = new Set(['i', "i've", "i'll", "i'm", 'we', "we've", "we'll"]);
const BEFORE_VERB =
  /^(?:have|had|will|just|also|finally|recently|already|now|then|even|am|are|going|to|gonna|did|actually|secretly)$/;
/** What they change has its owner before it. */
const CHANGING =
  /^(?:rais|increas|lower|decreas|reduc|doubl|halv|chang|updat|adjust|renam|extend|renew|cancel|approv|fix|mov|cut|reset|set|switch|upgrad|downgrad|correct)(?:e|es|ed|led|ted|ing)?$/;
/** They take the one whom they are done to. */
const PLACING =
  /^(?:hir|fir|sack|promot|demot|transferr?|reassign|assign|dismiss|suspend|bann?|appoint|enroll?|relocat|mov)(?:e|es|ed|ing)?$/;
/** `I moved to Bob's flat`. */
const WHERE = /^(?:to|in|into|out|from|with|at|on|off|over|up|back|away|jobs|house)$/;
const TELLING = /^(?:told|tell|informed|reminded|warned|notified)$/;
const THEIR = /^(?:his|her|their|he|she|they|he's|she's|they're|him|them)$/;
const HIM = /^(?:him|her|them)$/i;
const isTheirs = (word: string): boolean => /^(?:his|her|their)$/.test(word);
/** `Bob's`, `my tenant's`: of a name, or of a person. */
const isSomeonesOwn = (word: string): boolean =>
  /^\p{Lu}[\p{L}-]*['’]s?$/u.test(word) || (/['’]s?$/u.test(word) && isPerson(word));

const MOST_BEFORE = 3;
const MOVING = /^(?:moved|transferred|assigned|reassigned|raised|put|set|changed)$/;
