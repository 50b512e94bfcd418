/**
 * `Forget about Siemens`: a name alone is of all that was said with it. Where somebody has just
 * offered it (`you could visit Paris or Rome`), it is of that, and not of what is known. English.
 */
import { isStopWord } from '../../text/terms.ts';
import { isDateWord } from '../compare/likeness.ts';
import { tokensOf } from '../slots/match.ts';
import { isNameAlone } from '../voices/name-lines.ts';
import { plainWords, REQUEST, requestsIn, withoutCourtesy } from './forget-words.ts';

const ASKED = new RegExp(`${REQUEST}forget (?:about |all about )?(\\S+(?: \\S+){0,2})$`);
const COURTESY = /(?:,? (?:please|pls|thanks|thank you|again|ok|okay|now)){1,3}$/i;
const NO_NAME: ReadonlySet<string> = new Set(
  'i it that this me you everything anything all him her them us we he she they what'.split(' '),
);

/** In plain words; null = more than a name is asked for, or none. */
export function bareNameAsked(text: string): string | null {
  const name = nameSaid(text);
  return name?.said.every(isWritten) && isNameAlone(name.said.join(' ')) ? name.plain : null;
}

/**
 * `Forget about siemens`: in small letters it is of what is known under the name, in capitals. What
 * is known of tea has no such name, and stays.
 */
export function smallNameAsked(text: string): string | null {
  const name = nameSaid(text);
  if (name === null || name.said.some(isWritten)) return null;
  const isTelling = !name.plain.split(' ').some(isStopWord);
  const asWritten = name.said.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return isTelling && isNameAlone(asWritten.join(' ')) ? PREFIX + name.plain : null;
}
const PREFIX = 'name ';

/** The words of a matter that is such a name. */
export const smallNameIn = (matter: string): string | null =>
  matter.startsWith(PREFIX) ? matter.slice(PREFIX.length) : null;

/** Whether it stands in a text in capitals, where a sentence begins with another word. */
export function holdsName(name: string, text: string): boolean {
  const tokens = tokensOf(text);
  const words = name.split(' ');
  return tokens.some(
    (_, at) =>
      at > 0 &&
      words.every((word, index) => {
        const token = tokens[at + index];
        const isWord = token?.word.replace(/'s$/, '') === word;
        return isWord && /^\p{Lu}/u.test(text.slice(token.start, token.end));
      }),
  );
}

const isWritten = (word: string): boolean => /^\p{Lu}/u.test(word);

/** What alone is asked for, in plain words and as it was said; null = more, or none. */
function nameSaid(
  text: string,
): { readonly plain: string; readonly said: readonly string[] } | null {
  const whole = requestsIn(text)[1];
  const plain = whole === undefined ? '' : (ASKED.exec(withoutCourtesy(whole))?.[1] ?? '');
  if (plain === '') return null;
  const words = plain.split(' ');
  if (words.some((word) => NO_NAME.has(word) || isDateWord(word))) return null;
  const said = text
    .trim()
    .replace(/[.!]{1,5}$/, '')
    .replace(COURTESY, '')
    .split(/\s+/)
    .slice(-words.length);
  return plainWords(said.join(' ')) === plain ? { plain, said } : null;
}

/** `I know that you work at Siemens`: it says what is known. */
const KNOWS =
  /\b(?:know|remember|noted|saved|stored|memory|recall|told|said|mentioned|you (?:are|work|live|have|like)|you['’](?:re|ve)|your)\b/i;
/** Whether the turn before it was of that name for another reason. */
export function isOffered(text: string, before: string | undefined): boolean {
  const name = bareNameAsked(text) ?? smallNameIn(smallNameAsked(text) ?? '');
  if (name === null || before === undefined) return false;
  return ` ${plainWords(before)} `.includes(` ${name} `) && !KNOWS.test(before);
}
