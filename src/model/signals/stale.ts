/** What another session was served within the hour. */
import { defineSignal } from './definition.ts';

/** Seed 001. */
export const STALE_PENALTY = 0.5;

export const staleSignal = defineSignal({
  name: 'stale',
  meaning:
    '0.5 if this principal was served the item within the hour in another session, by a layer ' +
    'whose formula reads `stale`, else 1; also 1 where nothing else answers as well',
  range: [STALE_PENALTY, 1],
  isExplained: false,
  of: ({ isServedElsewhere }) => (isServedElsewhere ? STALE_PENALTY : 1),
});
