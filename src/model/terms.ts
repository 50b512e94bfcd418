/**
 * Terms: what a text is looked up by. The same function reads what is stored and what is asked, so that both meet: Porter2 stems of English
 * words without the commonest, identifiers and paths in parts and whole, pairs of characters where words have no spaces.
 */
import porter2 from 'wink-porter2-stemmer';

/** Read this far (UTF-16 units): what stands beyond in one block is not found by its words. A 10 MB text must not hold up a write. */
const READ_UNITS = 131_072;
/** A longer run without a space is no word; its beginning stands for it. */
const LONGEST_WORD = 64;

const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;
/** Words joined without a space, as in `src/model/terms.ts`, `v1.2.3`, `std::vector` and `well-known`. */
const JOINED = /(?<![\p{L}\p{M}\p{N}_$])[\p{L}\p{M}\p{N}_$]+(?:(?:[./\\#@-]|::)[\p{L}\p{M}\p{N}_$]+)+/gu;
/** Scripts written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** `parseHTTPRequest2` is `parse`, `HTTP`, `Request`, `2`. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lt}\p{Lm}\p{M}]+/gu;
const NOT_ASCII = /[^\0-\x7f]/;
const PLAIN_WORD = /^[a-z]+$/;

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be because been before being but by can could d did do does doing don for from had has have having he her ' +
    'here hers him his how i if in into is it its just ll m me more most my no nor not of on or other our out over own re s same she should so some such t ' +
    'than that the their them then there these they this those through to too up ve very was we were what when where which while who whom why will with would you your'
  ).split(' '),
);

/**
 * How close two words are in meaning: cosine, -1..1, of lower-case, unstemmed words. Call it once per word of a query and the result for every
 * word of the texts.
 */
export type WordSimilarity = (word: string) => (other: string) => number;

/** Takes a lower-case word. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/** In the order of the text, repeats included. A text of stop words alone has no terms. */
export function termsOf(text: string): string[] {
  const clipped = text.slice(0, READ_UNITS);
  const plainText = NOT_ASCII.test(clipped) ? clipped.normalize('NFKC') : clipped;
  const terms: string[] = [];
  for (const word of plainText.match(WORD) ?? []) {
    if (NOT_ASCII.test(word)) addUnspaced(word, terms);
    addWord(NOT_ASCII.test(word) ? word.replace(UNSPACED, ' ') : word, terms);
  }
  for (const joined of plainText.match(JOINED) ?? []) terms.push(plain(joined.slice(0, LONGEST_WORD)));
  return terms;
}

/** How often each term occurs. */
export function countTerms(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Pairs of characters; a lone character stands for itself. */
function addUnspaced(word: string, terms: string[]): void {
  for (const run of word.match(UNSPACED) ?? []) {
    const characters = [...run];
    if (characters.length === 1) terms.push(run);
    for (let at = 0; at + 2 <= characters.length; at += 1) terms.push(characters.slice(at, at + 2).join(''));
  }
}

function addWord(word: string, terms: string[]): void {
  const clipped = word.slice(0, LONGEST_WORD);
  const whole = plain(clipped);
  if (PLAIN_WORD.test(whole) && (clipped === whole || clipped.slice(1) === whole.slice(1))) {
    addStem(whole, terms);
    return;
  }
  const parts = (clipped.match(PARTS) ?? []).map(plain);
  for (const part of parts) addStem(part, terms);
  const joined = parts.length > 1 ? whole.replace(/[_$\s]/g, '') : '';
  if (joined !== '') terms.push(joined);
}

function addStem(word: string, terms: string[]): void {
  if (!isStopWord(word)) terms.push(stemOf(word));
}

/** Lower case; Latin letters without their marks. */
function plain(word: string): string {
  const lower = word.toLowerCase();
  return NOT_ASCII.test(lower) && /\p{Script=Latin}/u.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '') : lower;
}

/** Stems known so far: most words of a text were seen before (a turn of LoCoMo: 15 instead of 55 us). Begun anew when full. */
const stems = new Map<string, string>();
const MOST_STEMS = 20_000;

/** The stem of a lower-case word; words of other scripts, and numbers, are their own. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MOST_STEMS) stems.clear();
  const stem = PLAIN_WORD.test(word) ? porter2(word) : word;
  stems.set(word, stem);
  return stem;
}
