/** What a search by text is weighed with, by looking at every text. */

import type { Lexicon } from '../../src/cxri/contract.ts';
import type { AnyRow } from '../../src/model/block.ts';
import { type IndexedText, indexText, queryTerms } from '../../src/model/bm25.ts';
import type { Slot } from './store.ts';

export function indexedOf(slot: Slot): IndexedText {
  slot.indexed ??= indexText(textOf(slot.entry));
  return slot.indexed;
}

/** Rows that are found by their words: those with a text that are not the scopes themselves. */
function textOf({ table, row }: AnyRow): string {
  if (table === 'blocks') return row.is_scope ? '' : row.content;
  return table === 'memory_open_set' || table === 'subtree_summaries' ? row.content : '';
}

export function lexiconOf(query: string, slots: readonly Slot[]): Lexicon {
  const documents = slots.map(indexedOf).filter(({ length }) => length > 0);
  const terms = queryTerms(query);
  return {
    documents: documents.length,
    mean_length: documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length),
    frequencies: Object.fromEntries(terms.map((term) => [term, documents.filter(({ counts }) => counts.has(term)).length])),
  };
}
