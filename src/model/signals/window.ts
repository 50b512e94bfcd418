/** The turn and those around it, read as one text. */
import { defineSignal } from './definition.ts';

export const windowSignal = defineSignal({
  name: 'window',
  meaning: 'BM25 of the turn and two turns on either side, as a share of what the query can reach',
  range: [0, 1],
  isOfConversation: true,
  of: ({ conversation }) => conversation?.window ?? null,
});
