/**
 * The negative space of a manifest: words and phrases that keep a statement out of memory, with
 * their possessives and plurals, in whatever letters they are written.
 */
import { plainText } from './plain-text.ts';

const POSSESSIVE = /'s?$/;

/** `salary's` and `salaries` are `salary`, on either side of the comparison. */
function stemOf(word: string): string {
  const bare = word.replace(POSSESSIVE, '');
  if (bare.length < 4 || /(?:ss|us|is)$/.test(bare)) return bare;
  if (bare.endsWith('ies')) return `${bare.slice(0, -3)}y`;
  if (/(?:ch|sh|x|z|ss)es$/.test(bare)) return bare.slice(0, -2);
  return bare.endsWith('s') ? bare.slice(0, -1) : bare;
}

/** A word of look-alike letters is read as a secret would be: as the word that it looks like. */
function stemmed(words: readonly string[]): string {
  const plain = plainText(words.join(' ')).toLowerCase();
  return ` ${plain.split(' ').map(stemOf).join(' ')} `;
}

/** As `isNever` compares them. A phrase without a word names nothing. */
export const neverPhrases = (phrases: readonly (readonly string[])[]): readonly string[] =>
  phrases.filter((words) => words.length > 0).map(stemmed);

/** `never`: of `neverPhrases`. */
export function isNever(words: readonly string[], never: readonly string[]): boolean {
  if (never.length === 0) return false;
  const said = stemmed(words);
  return never.some((phrase) => said.includes(phrase));
}
