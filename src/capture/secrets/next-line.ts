/** A secret whose name stands on one line, and its value on the next: `my password is:`. */
import type { Sentence } from '../sentences/sentence.ts';
import { hasSecret } from './has-secret.ts';

/** What a value is expected behind. */
const LINK = /(?:[:=]|->|→|\b(?:is|are|was|equals|ist|sind|lautet|war|est|es))\s*$/iu;
/** `The wifi password is on the next line.`, `pw below`: the value stands there. */
const POINTER =
  /(?:\s(?:is|are|:|=))?\s(?:(?:on|in) the (?:next|following) line|in the next message|below|as follows|underneath|follows|next|is this|is the following)\s?[.:!]?\s?$/iu;
/** Of a lead that points at the next line, as if the value stood behind it. */
const linkedLead = (lead: string): string | null => {
  if (LINK.test(lead)) return lead.trim();
  const pointed = POINTER.exec(lead);
  return pointed === null ? null : `${lead.slice(0, pointed.index).trim()} is`;
};
const USER_LINE = /^\W*(?:my |the )?(?:user(?: ?name)?|log-?in|e-?mail|account|u)\b/i;
const PASSWORD_LINE = /^\W*(?:my |the )?(?:password|passwort|pass|pwd?|p)\b/i;
/** `What's your password?` is answered by `My password is …`. */
const QUESTION =
  /\b(?:what(?:['’]s| is| was)|which(?: one)? is|(?:tell|give|send) me|(?:enter|type|spell|provide)) (?:again )?(?:your|the) ([^.!?\n]{2,60})[?.!]\s*$/iu;
/** Of the turn before: as the lead of what stands first in this one. */
export function leadOf(content: string): string {
  const tail = content.slice(-MOST_READ).trimEnd();
  const asked = QUESTION.exec(tail)?.[1];
  return asked === undefined ? lastLine(tail) : `my ${asked} is`;
}
/** A name and a value are short. */
const MOST_READ = 200;

/** Whether a piece of the text is a secret, or with the line beside it. */
export function holdsSecret(
  content: string,
  { text, start, end }: Pick<Sentence, 'text' | 'start' | 'end'>,
  leadBefore = '',
): boolean {
  if (hasSecret(text)) return true;
  const before = content.slice(Math.max(0, start - MOST_READ), start);
  const isFirst = before.trim() === '' && start < MOST_READ;
  const lead = isFirst ? leadBefore : endsLine(before) ? lastLine(before) : '';
  if (isValueOf(lead, firstLine(text))) return true;
  if (isFirst && isSpelledValue(lead, firstLine(text))) return true;
  const tail = text.slice(-MOST_READ);
  const after = content.slice(end, end + MOST_READ);
  const next = endsLine(after.slice(0, after.length - after.trimStart().length))
    ? firstLine(after.trimStart())
    : '';
  return next !== '' && isValueOf(lastLine(tail), next);
}

/** Whether the line below is what the line above names. */
function isValueOf(lead: string, line: string): boolean {
  if (lead === '') return false;
  const isPair = USER_LINE.test(lead) && PASSWORD_LINE.test(line);
  if (isPair && hasSecret(`${lead.trim()}, ${line}`)) return true;
  const linked = linkedLead(lead);
  return linked !== null && hasSecret(`${linked} ${line}`);
}

/** How a value is written: it says that what stands before it is one. */
const HOW =
  '(?:all |in |with |the |an? |one |no |without |small |big |first |last |only |just |and |both |everything )*(?:lower ?-?case|upper ?-?case|small letters|capitals?|capital \\p{L}|capital letters|caps|one word|spaces?|numbers?|digits?|exclamation marks?|dashes|hyphens?|underscores?|zeros?)(?: letters?| first| at the (?:end|start|beginning)| in the (?:middle|beginning))?';
const IS_IT =
  "(?:(?:sure|ok|okay|yes|yeah|oh|well|so|of course),? )*(?:it['’]?s |it is |that['’]?s |that (?:is|would be) |use |try |take |type |enter )?";
const SPELLED = new RegExp(
  `^${IS_IT}(?:the word )?["'“‘]?(\\S{4,64}?)["'”’]?,?(?: [-–—])? (?:\\()?${HOW}(?:[, ]+${HOW})*\\)?[.!]?$`,
  'iu',
);
/** `Four seven one one`, behind a question for a PIN. */
const DIGITS = new RegExp(
  `^${IS_IT}((?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)[ ,-]*){3,12})[.!]?$`,
  'iu',
);
/** `Would be correct horse battery staple`: of a passphrase. */
const WORDS = new RegExp(`^${IS_IT}((?:\\p{L}{3,} ){3,11}\\p{L}{3,})[.!]?$`, 'iu');
/** Whether it answers what asks for a secret, though the words alone would be none. */
function isSpelledValue(lead: string, line: string): boolean {
  if (!SECRET_ASKED.test(lead)) return false;
  if (SPELLED.test(line) || DIGITS.test(line)) return true;
  return PHRASE_ASKED.test(lead) && WORDS.test(line) && !/\b(?:I|my|we)\b/i.test(line);
}
const SECRET_ASKED =
  /\b(?:password|passwort|passphrase|pass phrase|passcode|pass code|pin|pw|wi-?fi key|security (?:code|answer|word)|code ?word)\b(?! (?:manager|policy|rules?|hint))/i;
const PHRASE_ASKED = /pass ?phrase|seed phrase|recovery phrase/i;

/** Only blanks stand behind its last line end. */
const endsLine = (text: string): boolean => text.slice(text.trimEnd().length).includes('\n');
const firstLine = (text: string): string => text.slice(0, MOST_READ).split('\n', 1)[0] ?? '';
const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';
