/** The last of several, where the query asks for now. */
import { defineSignal } from './definition.ts';

export const latestSignal = defineSignal({
  name: 'latest',
  meaning:
    'where the query asks for now: how late an item stands among those of its layer that match ' +
    'the query alike, a block by when it occurred, a fact by when it became valid; 1 = the last',
  range: [0, 1],
  isRelevance: false,
  isCounted: true,
  of: ({ latest }) => latest,
});
