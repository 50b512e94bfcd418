/** A participant whom the query names. */
import { defineSignal } from './definition.ts';

export const authorSignal = defineSignal({
  name: 'author',
  meaning: '1 if the query names whoever wrote the turn',
  range: [0, 1],
  isOfConversation: true,
  only: 'turn',
  of: ({ conversation }) => conversation?.author ?? null,
});
