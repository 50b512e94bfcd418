/**
 * Texts of the store as rankings read them. The turns around a hit come back with the next
 * question, so what was read is kept for a while.
 */
import { type IndexedText, indexText } from '../text/bm25.ts';
import { comparedWords } from '../text/terms.ts';

export interface ReadText extends IndexedText {
  /** Of {@link comparedWords}. */
  readonly words: readonly string[];
}

/**
 * UTF-16 units of all texts that are kept: some ten thousand turns or fifty long documents, about
 * 20 MB with their words. They are kept in the clear, in this process alone, until others displace
 * them: a reading is found by its text, and a hash of each would cost as much as it saves.
 */
const KEPT_UNITS = 1_500_000;
/**
 * Rankings read this far into a text: what is longer should be chunked, and a megabyte would take a
 * tenth of a second.
 */
const READ_UNITS = 32_768;

const kept = new Map<string, ReadText>();
let keptUnits = 0;

/** The same text gives the same reading, kept or not. */
export function readText(whole: string, isDocument = false): ReadText {
  const text = beginningOf(whole);
  const known = kept.get(text);
  if (known) return known.isDocument === isDocument ? known : { ...known, isDocument };
  const read = { ...indexText(text, isDocument), words: comparedWords(text) };
  kept.set(text, read);
  keptUnits += text.length;
  for (const oldest of kept.keys()) {
    if (keptUnits <= KEPT_UNITS) break;
    kept.delete(oldest);
    keptUnits -= oldest.length;
  }
  return read;
}

/** A copy: a slice would keep the whole text alive with it. */
const beginningOf = (whole: string): string =>
  whole.length > READ_UNITS
    ? Buffer.from(whole.slice(0, READ_UNITS), 'utf16le').toString('utf16le')
    : whole;
