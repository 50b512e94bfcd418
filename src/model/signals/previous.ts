/** The turn before. */
import { defineSignal } from './definition.ts';

export const previousSignal = defineSignal({
  name: 'previous',
  meaning: 'the same of the turn before alone',
  range: [0, 1],
  isOfConversation: true,
  only: 'block',
  of: ({ conversation }) => conversation?.previous ?? null,
});
