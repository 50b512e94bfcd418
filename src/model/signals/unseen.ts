/** Words that the store has never seen. */
import { defineSignal } from './definition.ts';

export const unseenSignal = defineSignal({
  name: 'unseen',
  meaning:
    "of a block: share of the weight of the query's words that the store has never seen, as " +
    'far as the store is large enough to tell; the same for all that one query finds',
  range: [0, 1],
  isOfConversation: true,
  of: ({ conversation }) => conversation?.unseen ?? null,
});
