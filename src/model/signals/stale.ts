/** What another session was served within the hour. */
import { defineSignal } from './definition.ts';

export const staleSignal = defineSignal({
  name: 'stale',
  meaning:
    '0.5 (`stale_penalty`) if this principal was served the item within the hour ' +
    '(`stale_minutes`) in another session, by a layer whose formula reads `stale`, else 1; also 1 ' +
    'where nothing else answers as well',
  range: [0, 1],
  isExplained: false,
  of: ({ isServedElsewhere, settings }) => (isServedElsewhere ? settings.stalePenalty : 1),
});
