/**
 * Names in a question that the store has never heard of: the plainest sign that it is not about
 * this store. On LoCoMo, questions put to a conversation of other people name only strangers in 92
 * of 100 cases, questions about the conversation itself in 1 of 760.
 */
import { termsOf } from '../text/terms.ts';
import { isTimeWord } from './asked-time.ts';
import { sentenceWords } from './sentence-words.ts';

const POSSESSIVE = /['’]s?$/;
/** A question of more names is a pasted text. */
const MOST_NAMES = 32;

/**
 * Capitalised words inside a sentence, without months and days of the week. In German that is every
 * noun: `capitalWeight` says how much a capital counts.
 */
export function namesIn(query: string): readonly string[] {
  const names = new Set<string>();
  for (const { word, isCapitalised } of sentenceWords(query)) {
    const name = word.replace(POSSESSIVE, '');
    if (isCapitalised && !isTimeWord(name)) names.add(name);
    if (names.size === MOST_NAMES) break;
  }
  return [...names];
}

/** Share of the names whose every term the store lacks; 0 where the query names nothing. */
export function strangers(query: string, isMissing: (term: string) => boolean): number {
  const names = namesIn(query)
    .map(termsOf)
    .filter((terms) => terms.length > 0);
  return names.length === 0
    ? 0
    : names.filter((terms) => terms.every(isMissing)).length / names.length;
}
