/** How much the text says. */
import { defineSignal } from './definition.ts';

export const lengthSignal = defineSignal({
  name: 'length',
  meaning: 'ln(1 + terms of the text) / 4',
  range: [0, 1],
  isOfConversation: true,
  of: ({ conversation }) => conversation?.length ?? null,
});
