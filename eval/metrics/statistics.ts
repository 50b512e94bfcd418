/**
 * Means, percentiles and bootstrap intervals. The same numbers on every run: the random stream is
 * seeded.
 */

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** By nearest rank; 0 of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0
  );
}

/** Numbers in [0, 1) from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2000;
const SEED = 20_260_301;

/**
 * Mean and 95 % percentile bootstrap interval over questions. Of paired differences it tells two
 * rankings apart far better than two intervals side by side. Questions about one conversation
 * resemble each other, so the interval is a little too narrow.
 */
export function bootstrapInterval(values: readonly number[], resamples = RESAMPLES): Interval {
  const center = mean(values);
  if (values.length < 2) return { mean: center, low: center, high: center };
  const random = seededRandom(SEED);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw += 1)
      sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  });
  return { mean: center, low: percentile(means, 0.025), high: percentile(means, 0.975) };
}

/** The interval of the mean of `after - before`, question by question. */
export function pairedInterval(
  before: readonly number[],
  after: readonly number[],
  resamples = RESAMPLES,
): Interval {
  if (before.length !== after.length)
    throw new RangeError(`Pairs are missing: ${before.length} and ${after.length} values.`);
  return bootstrapInterval(
    after.map((value, index) => value - (before[index] ?? 0)),
    resamples,
  );
}
