/** How much forgetting counts. */
import { defineSignal } from './definition.ts';

export const lambdaSignal = defineSignal({
  name: 'lambda',
  meaning: 'decay weight of the intent',
  range: [0, 4],
  isParameter: true,
  of: ({ lambda }) => lambda,
});
