/** How far out the scope of the item stands. */
import { defineSignal } from './definition.ts';

const MOST_DEPTH = 8;

export const depthSignal = defineSignal({
  name: 'depth',
  meaning: 'distance of the scope in the closure; 0 is the scope of the call',
  range: [0, MOST_DEPTH],
  isCounted: true,
  isExplained: false,
  of: ({ depth }) => Math.min(MOST_DEPTH, Math.max(0, depth)),
});
