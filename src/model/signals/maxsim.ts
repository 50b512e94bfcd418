/** A comparison word by word. */
import { defineSignal } from './definition.ts';

export const maxsimSignal = defineSignal({
  name: 'maxsim',
  meaning:
    'closest words of the turn (weight 1) and of two turns on either side (0.7, 0.4) to each ' +
    'word of the query',
  range: [0, 1],
  isAboutQuery: true,
  of: ({ maxsim }) => maxsim,
});
