/** A question that names nobody and nothing of the store. */
import { defineSignal } from './definition.ts';

export const unnamedSignal = defineSignal({
  name: 'unnamed',
  meaning:
    'of a block: 1 if the query names no participant and nothing else that the store knows, and ' +
    'says neither I nor you, as far as the store is large enough to tell; the same for all that ' +
    'one query finds',
  range: [0, 1],
  isOfConversation: true,
  only: 'block',
  of: ({ conversation }) => conversation?.unnamed ?? null,
});
