/** What the built-in embedder sees of a text: stems of its words, parts of identifiers, character pairs and triples where words have no spaces. */
import { stem } from './stem.ts';

/** Read this far (UTF-16 units). A vector of a few hundred numbers says nothing of a longer text, and a 10 MB one must not hold up a write. */
const READ_UNITS = 32_768;
/** A longer run without a space is no word; its beginning stands for it. */
const LONGEST_WORD = 64;

const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;
/** Scripts written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** `parseHTTPRequest2` is `parse`, `HTTP`, `Request`, `2`. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lt}\p{Lm}\p{M}]+/gu;
const NOT_ASCII = /[^\0-\x7f]/;

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be because been before being but by can could d did do does doing don for from had has have having he her ' +
    'here hers him his how i if in into is it its just ll m me more most my no nor not of on or other our out over own re s same she should so some such t ' +
    'than that the their them then there these they this those through to too up ve very was we were what when where which while who whom why will with would you your'
  ).split(' '),
);

/** Features with how often each occurs. Stop words count only where a text has nothing else ("who are you"). */
export function featuresOf(text: string): ReadonlyMap<string, number> {
  const clipped = text.slice(0, READ_UNITS);
  const words = (NOT_ASCII.test(clipped) ? clipped.normalize('NFKC') : clipped).match(WORD) ?? [];
  const features = count(words, (word) => !STOP_WORDS.has(word));
  return features.size > 0 ? features : count(words, () => true);
}

function count(words: readonly string[], isWanted: (word: string) => boolean): Map<string, number> {
  const features = new Map<string, number>();
  const add = (feature: string): void => {
    features.set(feature, (features.get(feature) ?? 0) + 1);
  };
  for (const word of words) {
    if (NOT_ASCII.test(word)) addUnspaced(word, add);
    addWord(NOT_ASCII.test(word) ? word.replace(UNSPACED, ' ') : word, isWanted, add);
  }
  return features;
}

/** Pairs and triples of characters; a lone character stands for itself. */
function addUnspaced(word: string, add: (feature: string) => void): void {
  for (const run of word.match(UNSPACED) ?? []) {
    const characters = [...run];
    if (characters.length === 1) add(run);
    for (const size of [2, 3]) for (let at = 0; at + size <= characters.length; at += 1) add(characters.slice(at, at + size).join(''));
  }
}

function addWord(word: string, isWanted: (word: string) => boolean, add: (feature: string) => void): void {
  const whole = plain(word.slice(0, LONGEST_WORD));
  if (/^[a-z]+$/.test(whole) && (word === whole || word.slice(1) === whole.slice(1))) {
    if (isWanted(whole)) add(stem(whole));
    return;
  }
  const parts = (word.slice(0, LONGEST_WORD).match(PARTS) ?? []).map(plain);
  for (const part of parts) if (isWanted(part)) add(stem(part));
  if (parts.length > 1) add(whole.replace(/[_$\s]/g, ''));
}

/** Lower case; Latin letters without their marks. */
function plain(word: string): string {
  const lower = word.toLowerCase();
  return NOT_ASCII.test(lower) && /\p{Script=Latin}/u.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '') : lower;
}
