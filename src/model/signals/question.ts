/** Questions are seldom answers. */
import { defineSignal } from './definition.ts';

export const questionSignal = defineSignal({
  name: 'question',
  meaning: 'share of the sentences of the turn that are questions',
  range: [0, 1],
  isOfConversation: true,
  only: 'turn',
  of: ({ conversation }) => conversation?.question ?? null,
});
