/** Age. */
import { defineSignal } from './definition.ts';

const MOST_AGE_DAYS = 36_500;
const DAY_HOURS = 24;

export const ageDaysSignal = defineSignal({
  name: 'age_days',
  meaning: 'days since the row became valid',
  range: [0, MOST_AGE_DAYS],
  isCounted: true,
  isExplained: false,
  of: ({ ageHours }) => Math.min(MOST_AGE_DAYS, ageHours / DAY_HOURS),
});
