/** The day and thread of the turn. */
import { defineSignal } from './definition.ts';

export const sessionSignal = defineSignal({
  name: 'session',
  meaning: 'the same of what was found of the day and thread that the turn stands in',
  range: [0, 1],
  isOfConversation: true,
  of: ({ conversation }) => conversation?.session ?? null,
});
