/** Words. */
import { defineSignal } from './definition.ts';

export const lexicalSignal = defineSignal({
  name: 'lexical',
  meaning: 'BM25 of the item over all that the terms of the query can give',
  range: [0, 1],
  isAboutQuery: true,
  of: ({ lexical }) => lexical,
});
