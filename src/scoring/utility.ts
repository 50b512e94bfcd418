/** `U`: how useful a memory has proved, as a one-dimensional Kalman filter over its outcomes. */
import type { Instant } from '../model/ids.ts';
import { elapsedDays } from './retrievability.ts';

export interface UtilityState {
  /** The estimate, 0..1. */
  readonly utility: number;
  readonly utility_variance: number;
  /** Of the last observation; null = none yet. */
  readonly utility_at: Instant | null;
}

/** Where the filter starts. It contributes nothing until an outcome counts (see `signals.ts`). */
export const UNOBSERVED: UtilityState = { utility: 0.5, utility_variance: 0.25, utility_at: null };
/**
 * Variance that a day without an observation adds, and where that ends: idle knowledge is worth no
 * less than ignorance.
 */
const IDLE_VARIANCE_PER_DAY = 0.01;
const GREATEST_VARIANCE = 0.25;

export interface Observation {
  /** What was seen, 0 (harmful) .. 1 (useful). */
  readonly value: number;
  /** Variance of the measurement: a confirmation is surer than silence. */
  readonly noise: number;
  readonly at: Instant;
}

/** The estimate after an observation. One dated before the last adds no idle variance. */
export function observe(state: UtilityState, { value, noise, at }: Observation): UtilityState {
  const idleDays = state.utility_at === null ? 0 : elapsedDays(state.utility_at, at);
  const prior = Math.min(
    GREATEST_VARIANCE,
    state.utility_variance + IDLE_VARIANCE_PER_DAY * idleDays,
  );
  const gain = prior / (prior + noise);
  return {
    utility: Math.min(1, Math.max(0, state.utility + gain * (value - state.utility))),
    utility_variance: (1 - gain) * prior,
    utility_at: state.utility_at === null || at > state.utility_at ? at : state.utility_at,
  };
}
