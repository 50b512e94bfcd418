/**
 * Terms: what a text is looked up by. The same function reads what is stored and what is asked, so
 * that both meet: Porter2 stems of English words without the commonest, identifiers and paths in
 * parts and whole, pairs of characters where words have no spaces, and grams of the letters of
 * words that the built-in table does not know. No language is detected.
 */
import porter2 from 'wink-porter2-stemmer';
import { gramsOf, MOST_GRAMS } from './grams.ts';

/**
 * Read this far (UTF-16 units): what stands beyond in one block is not found by its words. A 10 MB
 * text must not hold up a write.
 */
const READ_UNITS = 131_072;
/** Of a question: what a longer one asks for, its beginning does as well. */
export const QUERY_UNITS = 16_384;
/** A longer run without a space is no word; its beginning stands for it. */
const LONGEST_WORD = 64;

const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;
/**
 * Words joined without a space, as in `src/text/terms.ts`, `v1.2.3`, `std::vector` and
 * `well-known`.
 */
const JOINED =
  /(?<![\p{L}\p{M}\p{N}_$])[\p{L}\p{M}\p{N}_$]+(?:(?:[./\\#@-]|::)[\p{L}\p{M}\p{N}_$]+)+/gu;
/**
 * Scripts written without spaces between words, and the long vowel of kana, which is of no script.
 */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
/** `parseHTTPRequest2` is `parse`, `HTTP`, `Request`, `2`. */
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[\p{Lo}\p{Lt}\p{Lm}\p{M}]+/gu;
const HAN = /\p{Script=Han}/u;
/** Three characters or more: two are a pair already. */
const KATAKANA_WORD = /[\p{Script=Katakana}ー]{3,}/gu;
const NOT_ASCII = /[^\0-\x7f]/;
const NUMBER = /^\p{N}+$/u;
const PLAIN_WORD = /^[a-z]+$/;

const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be because been before being but by can could d did do does doing don for from had has have having he her ' +
    'here hers him his how i if in into is it its just ll m me more most my no nor not of on or other our out over own re s same she should so some such t ' +
    'than that the their them then there these they this those through to too up ve very was ' +
    'we were what when where which while who whom why will with would you your'
  ).split(' '),
);

/**
 * How close two words are in meaning: cosine, -1..1, of lower-case, unstemmed words. Call it once
 * per word of a query and the result for every word of the texts.
 */
export type WordSimilarity = (word: string) => (other: string) => number;

/** Takes a lower-case word. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/** What a text is looked up by. */
export interface ReadTerms {
  /** In the order of the text, repeats included. */
  readonly terms: readonly string[];
  /** Of the words outside the built-in table; they say how a word is written, not one more word. */
  readonly grams: readonly string[];
}

/** A text of stop words alone has no terms. */
export function readTerms(text: string, units = READ_UNITS): ReadTerms {
  const plainText = plainOf(text, units);
  const terms: string[] = [];
  const grams: string[] = [];
  const different = new Set<string>();
  for (const word of plainText.match(WORD) ?? []) {
    if (NOT_ASCII.test(word)) addUnspaced(word, terms);
    for (const { whole, parts } of wordsIn(word)) {
      for (const part of parts) addStem(part, terms);
      if (parts.length > 1 && whole !== '') terms.push(whole);
      for (const gram of gramsOf(whole)) {
        if (different.size < MOST_GRAMS) different.add(gram);
        if (different.has(gram)) grams.push(gram);
      }
    }
  }
  for (const joined of plainText.match(JOINED) ?? [])
    terms.push(plain(joined.slice(0, LONGEST_WORD)));
  return { terms, grams };
}

/** In the order of the text, repeats included. */
export const termsOf = (text: string): readonly string[] => readTerms(text).terms;

/**
 * The words themselves, each once, in lower case and without the commonest: what is compared by
 * meaning, or by letters. Identifiers in parts and whole; no numbers, which mean what they stand
 * by.
 */
export function comparedWords(text: string, units = READ_UNITS): readonly string[] {
  const compared = new Set<string>();
  for (const word of plainOf(text, units).match(WORD) ?? []) {
    const unspaced: string[] = [];
    if (NOT_ASCII.test(word)) addUnspaced(word, unspaced);
    for (const run of unspaced) compared.add(run);
    for (const { whole, parts } of wordsIn(word)) {
      for (const part of parts) if (!isStopWord(part) && !NUMBER.test(part)) compared.add(part);
      if (parts.length > 1 && whole !== '') compared.add(whole);
    }
  }
  return [...compared];
}

/** As many units at most: in full, one character can become eighteen. */
function plainOf(text: string, units: number): string {
  const clipped = text.slice(0, units);
  return NOT_ASCII.test(clipped) ? clipped.normalize('NFKC').slice(0, units) : clipped;
}

/** How often each term occurs. */
export function countTerms(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/**
 * Pairs of characters, the meaning-bearing ones (Han) alone as well, and words of katakana whole:
 * 会 finds 会議, and コーヒー is one word.
 */
function addUnspaced(word: string, terms: string[]): void {
  for (const run of word.match(UNSPACED) ?? []) {
    const characters = [...run];
    for (const character of characters)
      if (characters.length === 1 || HAN.test(character)) terms.push(character);
    for (let at = 0; at + 2 <= characters.length; at += 1)
      terms.push(characters.slice(at, at + 2).join(''));
    for (const katakana of run.match(KATAKANA_WORD) ?? [])
      terms.push(katakana.slice(0, LONGEST_WORD));
  }
}

interface Word {
  /** In lower case, an identifier's parts joined. */
  readonly whole: string;
  readonly parts: readonly string[];
}

/**
 * One run of letters and digits; where scripts without spaces stand in it, what is between them.
 */
function wordsIn(run: string): readonly Word[] {
  if (!NOT_ASCII.test(run)) return [wordOf(run)];
  return run
    .replace(UNSPACED, ' ')
    .split(' ')
    .flatMap((word) => (word === '' ? [] : [wordOf(word)]));
}

function wordOf(word: string): Word {
  const clipped = word.slice(0, LONGEST_WORD);
  const whole = plain(clipped);
  if (PLAIN_WORD.test(whole) && (clipped === whole || clipped.slice(1) === whole.slice(1)))
    return { whole, parts: [whole] };
  return {
    whole: whole.replace(/[_$]/g, ''),
    parts: (clipped.match(PARTS) ?? []).map(plain),
  };
}

function addStem(word: string, terms: string[]): void {
  if (!isStopWord(word)) terms.push(stemOf(word));
}

/** Lower case; Latin letters without their marks. */
function plain(word: string): string {
  const lower = word.toLowerCase();
  return NOT_ASCII.test(lower) && /\p{Script=Latin}/u.test(lower)
    ? lower.normalize('NFD').replace(/\p{M}/gu, '')
    : lower;
}

/**
 * Stems known so far: most words of a text were seen before (a turn of LoCoMo: 15 instead of 55
 * us). Begun anew when full: keeping the order of an LRU would cost more than the lookup.
 */
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
