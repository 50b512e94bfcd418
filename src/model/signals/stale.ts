/** What another session was served within the hour. */
import { defineSignal } from './definition.ts';

export const staleSignal = defineSignal({
  name: 'stale',
  meaning:
    '0.5 if this principal was served the item within the hour in another session, else 1; ' +
    'always 1 in this version',
  range: [0.5, 1],
  inert: 'what other sessions were served is not kept yet, so it is 1 for every item',
  isExplained: false,
  of: () => 1,
});
