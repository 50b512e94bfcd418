/** Meaning, by vectors. */
import { defineSignal } from './definition.ts';

export const denseSignal = defineSignal({
  name: 'dense',
  meaning: 'cosine of the query vector and the item vector, floored at 0',
  range: [0, 1],
  isAboutQuery: true,
  of: ({ dense }) => dense,
});
