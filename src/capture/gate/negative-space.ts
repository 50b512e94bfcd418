/**
 * The negative space of a manifest: words and phrases that keep a statement out of memory, with
 * all their forms, in whatever letters they are written.
 */
import { stemOf } from '../../text/terms.ts';
import { plainText } from '../sentences/plain-text.ts';
import { PRIVATE_WORDS } from './private-words.ts';

const POSSESSIVE = /'s?$/;

/**
 * `salaries`, `divorced` and `divorcing` are `salary` and `divorce`, on either side of the
 * comparison: by the stems that search goes by. A word too many is declined rather than one kept
 * that should not be.
 */
const stem = (word: string): string => stemOf(word.replace(POSSESSIVE, ''));

/** A word of look-alike letters is read as a secret would be: as the word that it looks like. */
function stemmed(words: readonly string[]): string {
  const plain = plainText(words.join(' ')).toLowerCase();
  return ` ${plain.split(' ').map(stem).join(' ')} `;
}

/** As `isNever` compares them. A phrase without a word names nothing. */
export function neverPhrases(phrases: readonly (readonly string[])[]): readonly string[] {
  const named = phrases.filter((words) => words.length > 0).map(stemmed);
  const meant = ALIKE.filter((group) => group.some((phrase) => named.includes(phrase)));
  return [...new Set([...named, ...meant.flat()])];
}
const ALIKE: readonly (readonly string[])[] = PRIVATE_WORDS.map((group) =>
  group.map((phrase) => stemmed(phrase.split(' '))),
);

/** `never`: of `neverPhrases`. */
export function isNever(words: readonly string[], never: readonly string[]): boolean {
  if (never.length === 0) return false;
  const said = stemmed(words);
  return never.some((phrase) => said.includes(phrase));
}
