/** How likely a memory is still current in mind. */
import { defineSignal } from './definition.ts';

export const retrievabilitySignal = defineSignal({
  name: 'R',
  meaning: 'FSRS retrievability now',
  range: [0, 1],
  of: ({ retrievability }) => retrievability,
});
