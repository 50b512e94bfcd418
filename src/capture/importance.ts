/** How important what is captured is, by its class. */
import type { FactCandidate } from './state.ts';

export const CORRECTION_IMPORTANCE = 0.95;
/** Facts 0.5 to 0.7, procedures 0.85 to 0.95, as measured by seed 000. */
export const IMPORTANCE: Readonly<Record<FactCandidate['class'], number>> = {
  preference: 0.7,
  fact: 0.6,
  rule: 0.85,
  lookup: 0.5,
  state: 0.6,
  procedure: 0.9,
  lesson: 0.95,
};
