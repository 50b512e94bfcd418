/** How alike two texts are, 0..1, by the words that they share. */
import { wordsOf } from './words.ts';

/**
 * Words are read this far into a text (UTF-16 units): a layer compares dozens of texts within a few
 * milliseconds.
 */
const READ_UNITS = 4096;
const NEGATIONS: ReadonlySet<string> = new Set(['no', 'not', 'never', 'none', 'without', 'cannot']);

export interface Fingerprint {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

export const fingerprint = (text: string): Fingerprint => ({
  text,
  words: new Set(wordsOf(text.slice(0, READ_UNITS))),
});

export const similarity = (a: Fingerprint, b: Fingerprint): number => sharedWords(a.words, b.words);

/**
 * Whether `alike` ({@link similarity}) makes one of two texts superfluous. Never when they differ
 * in a number or a negation: "ship on 1 March" and "ship on 8 March" are alike and say different
 * things. Never for texts that were not read to their end.
 */
export function isNearDuplicate(
  a: Fingerprint,
  b: Fingerprint,
  { alike, threshold }: { readonly alike: number; readonly threshold: number },
): boolean {
  if (!(alike > threshold) || a.text.length > READ_UNITS || b.text.length > READ_UNITS)
    return false;
  return !hasTelling(a.words, b.words) && !hasTelling(b.words, a.words);
}

/** Jaccard index. Two texts without words are not alike: there is nothing to compare. */
function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size === 0) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared += 1;
  return shared / (a.size + b.size - shared);
}

/** A word of `a` that `b` lacks and that turns the meaning. */
function hasTelling(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const word of a)
    if (!b.has(word) && (NEGATIONS.has(word) || /\p{N}/u.test(word))) return true;
  return false;
}
