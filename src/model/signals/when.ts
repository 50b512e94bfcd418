/** A time where a time is asked for. */
import { defineSignal } from './definition.ts';

export const whenSignal = defineSignal({
  name: 'when',
  meaning: '1 if the query asks for a time and the turn tells one',
  range: [0, 1],
  isOfConversation: true,
  isRelevance: false,
  only: 'turn',
  of: ({ conversation }) => conversation?.when ?? null,
});
