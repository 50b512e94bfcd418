/** Texts of the store as rankings read them. The turns around a hit come back with the next question, so what was read is kept for a while. */
import { type IndexedText, indexText } from '../model/bm25.ts';
import { isStopWord } from '../model/terms.ts';

export interface ReadText extends IndexedText {
  /** Of {@link englishWords}. */
  readonly words: readonly string[];
}

/** About 2 KB each. Longer texts are read anew: there are few of them. */
const KEPT_TEXTS = 8192;
const LONGEST_KEPT = 4000;
/** Rankings read this far into a text: what is longer should be chunked, and a megabyte would take a tenth of a second. */
const READ_UNITS = 32_768;
const WORD = /[a-z]+/g;
/** A longer run of letters is no word, and stemming one of thousands takes seconds. */
const LONGEST_WORD = 64;

const kept = new Map<string, ReadText>();

/** The same text gives the same reading, kept or not. */
export function readText(whole: string): ReadText {
  const text = whole.slice(0, READ_UNITS);
  const known = kept.get(text);
  if (known) return known;
  const read = { ...indexText(text), words: englishWords(text) };
  if (text.length > LONGEST_KEPT) return read;
  const [oldest] = kept.keys();
  if (kept.size >= KEPT_TEXTS && oldest !== undefined) kept.delete(oldest);
  kept.set(text, read);
  return read;
}

/** Distinct, in lower case, without the commonest. */
export const englishWords = (text: string): readonly string[] => [
  ...new Set((text.toLowerCase().match(WORD) ?? []).filter((word) => word.length <= LONGEST_WORD && !isStopWord(word))),
];
