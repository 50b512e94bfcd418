/** How much utility lifts. */
import { defineSignal } from './definition.ts';

export const betaSignal = defineSignal({
  name: 'beta',
  meaning: 'utility boost',
  range: [0, 10],
  isParameter: true,
  of: ({ settings }) => settings.beta,
});
