/** A light English stemmer: endings only, so that `plans`, `planned` and `planning` meet. Other languages pass nearly unchanged. */

/** A stem shorter than this says too little to be cut further. */
const SHORTEST = 3;
const VOWEL = /[aeiouy]/;

/** Takes a lower-case word. Stems are keys, not words: `decide` and `decided` both become `decid`. */
export function stem(word: string): string {
  if (word.length <= SHORTEST || !/^[a-z]+$/.test(word)) return word;
  return lastVowel(withoutTense(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ss|x|z|ch|sh)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function withoutTense(word: string): string {
  if (word.endsWith('ied')) return `${word.slice(0, -3)}y`;
  const ending = ['ing', 'ed', 'ly'].find((end) => word.endsWith(end));
  const rest = ending === undefined ? '' : word.slice(0, -ending.length);
  if (rest.length < SHORTEST || !VOWEL.test(rest)) return word;
  return /([^aeioulsz])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

function lastVowel(word: string): string {
  if (word.length <= SHORTEST) return word;
  if (word.endsWith('e')) return word.slice(0, -1);
  return word.endsWith('y') ? `${word.slice(0, -1)}i` : word;
}
