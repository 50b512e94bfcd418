/**
 * `Forget about Siemens`: a name alone is of all that was said with it. Where somebody has just
 * offered it (`you could visit Paris or Rome`), it is of that, and not of what is known. English.
 */
import { isDateWord } from '../compare/likeness.ts';
import { isNameAlone } from '../voices/name-lines.ts';
import { plainWords, REQUEST, requestsIn, withoutCourtesy } from './forget-words.ts';

const ASKED = new RegExp(`${REQUEST}forget (?:about |all about )?(\\S+(?: \\S+){0,2})$`);
const COURTESY = /(?:,? (?:please|pls|thanks|thank you|again|ok|okay|now)){1,3}$/i;
const NO_NAME: ReadonlySet<string> = new Set(
  'i it that this me you everything anything all him her them us we he she they what'.split(' '),
);

/** In plain words; null = more than a name is asked for, or none. */
export function bareNameAsked(text: string): string | null {
  const whole = requestsIn(text)[1];
  const asked = whole === undefined ? '' : (ASKED.exec(withoutCourtesy(whole))?.[1] ?? '');
  if (asked === '') return null;
  const words = asked.split(' ');
  if (words.some((word) => NO_NAME.has(word) || isDateWord(word))) return null;
  const said = text
    .trim()
    .replace(/[.!]{1,5}$/, '')
    .replace(COURTESY, '')
    .split(/\s+/);
  const name = said.slice(-words.length);
  const isWritten = name.every((word) => /^\p{Lu}/u.test(word));
  const isSame = plainWords(name.join(' ')) === asked;
  return isWritten && isSame && isNameAlone(name.join(' ')) ? asked : null;
}

/** `I know that you work at Siemens`: it says what is known. */
const KNOWS =
  /\b(?:know|remember|noted|saved|stored|memory|recall|told|said|mentioned|you (?:are|work|live|have|like)|you['’](?:re|ve)|your)\b/i;
/** Whether the turn before it was of that name for another reason. */
export function isOffered(text: string, before: string | undefined): boolean {
  const name = bareNameAsked(text);
  if (name === null || before === undefined) return false;
  return ` ${plainWords(before)} `.includes(` ${name} `) && !KNOWS.test(before);
}
