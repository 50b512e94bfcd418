/** What a search by text is weighed with, by looking at every text. */

import type { Lexicon } from '../../src/cxri/contract.ts';
import { type IndexedText, indexText, queryTerms } from '../../src/text/bm25.ts';
import { isDocument, searchText } from '../../src/text/search-text.ts';
import type { Slot } from './store.ts';

export function indexedOf(slot: Slot): IndexedText {
  const { row } = slot.entry;
  slot.indexed ??= indexText(searchText(row), isDocument(row));
  return slot.indexed;
}

export function lexiconOf(query: string, slots: readonly Slot[]): Lexicon {
  const texts = slots.map(indexedOf).filter(({ length }) => length > 0);
  const terms = queryTerms(query);
  return {
    documents: texts.length,
    mean_length: meanLength(texts.filter((text) => !text.isDocument)),
    mean_document_length: meanLength(texts.filter((text) => text.isDocument)),
    frequencies: Object.fromEntries(
      terms.map((term) => [term, texts.filter(({ counts }) => counts.has(term)).length]),
    ),
  };
}

const meanLength = (texts: readonly IndexedText[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
