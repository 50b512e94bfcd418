/** One similarity out of the legs of the search. */
import { defineSignal } from './definition.ts';

export const simSignal = defineSignal({
  name: 'sim',
  meaning: 'calibrated similarity to the query: weighted fusion of dense, lexical and maxsim',
  range: [0, 1],
  isAboutQuery: true,
  of: ({ similarity }) => similarity,
});
