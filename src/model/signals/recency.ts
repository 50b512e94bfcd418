/**
 * `recency`: a true half-life, so that a setting of 168 hours means 0.5 after a week (and 0.906
 * after a day).
 */
import { defineSignal } from './definition.ts';

const RECENCY_HALF_LIFE_HOURS = 168;

/**
 * 0..1; a touch in the future counts as now. Throws nothing: a half-life of 0 or less is 1 at the
 * touch and 0 after it.
 */
export function recency(ageHours: number, halfLifeHours: number = RECENCY_HALF_LIFE_HOURS): number {
  const age = Math.max(0, ageHours);
  if (halfLifeHours <= 0) return age === 0 ? 1 : 0;
  return 0.5 ** (age / halfLifeHours);
}

export const recencySignal = defineSignal({
  name: 'recency',
  meaning: '0.5^(hours since last touch / half-life)',
  range: [0, 1],
  of: ({ idleHours, settings }) => recency(idleHours, settings.recencyHalfLifeHours),
});
