/** Names that the store has never heard of. */
import { defineSignal } from './definition.ts';

export const strangersSignal = defineSignal({
  name: 'strangers',
  meaning:
    'of a block: share of the names in the query that stand in no text of the store and are ' +
    'no author of what was found, as far as the store is large enough to tell, and writes ' +
    'with a capital what is a name alone; the same for all that one query finds',
  range: [0, 1],
  isOfConversation: true,
  only: 'block',
  of: ({ conversation }) => conversation?.strangers ?? null,
});
