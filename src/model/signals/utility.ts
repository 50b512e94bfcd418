/** What outcomes have shown the item to be worth. */
import { defineSignal } from './definition.ts';

export const utilitySignal = defineSignal({
  name: 'U',
  meaning: 'utility learned from outcomes; 0 until the first',
  range: [0, 1],
  of: ({ utility }) => utility ?? 0,
});
