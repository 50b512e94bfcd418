/** The day that the query names. */
import { defineSignal } from './definition.ts';

export const dateSignal = defineSignal({
  name: 'date',
  meaning: 'nearness of the turn to the day or month that the query names',
  range: [0, 1],
  isOfConversation: true,
  only: 'turn',
  of: ({ conversation }) => conversation?.date ?? null,
});
