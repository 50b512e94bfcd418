/** Counters and timings of one process, kept in memory and read as a snapshot. Sends nothing anywhere. */

interface HistogramSnapshot {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  /** Upper edge of the bucket the quantile falls into, at most 19 % above the true value. */
  readonly p50: number;
  readonly p95: number;
}
interface MetricsSnapshot {
  readonly counters: Readonly<Record<string, number>>;
  readonly histograms: Readonly<Record<string, HistogramSnapshot>>;
}
export interface Metrics {
  /** Adds to a counter; `by` defaults to 1. */
  count(name: string, by?: number): void;
  /** Adds a measurement, for example milliseconds. Negative ones and what is no number are counted as 0. */
  record(name: string, value: number): void;
  /** Names in alphabetical order. */
  snapshot(): MetricsSnapshot;
}

/** Names beyond it are counted under {@link OVERFLOW}: a name made from user input must not eat the memory. */
const MOST_NAMES = 500;
export const OVERFLOW = 'metrics.overflow';
/** Four buckets to a doubling from 0.001 to about 65,000 (a microsecond to a minute, in milliseconds). */
const PER_DOUBLING = 4;
const LOWEST = 0.001;
const BUCKETS = 26 * PER_DOUBLING + 1;

interface Histogram {
  count: number;
  sum: number;
  min: number;
  max: number;
  readonly buckets: Uint32Array;
}

export function createMetrics(): Metrics {
  const counters = new Map<string, number>();
  const histograms = new Map<string, Histogram>();
  const nameIn = (known: ReadonlyMap<string, unknown>, name: string): string =>
    known.has(name) || known.size < MOST_NAMES ? name : OVERFLOW;

  return {
    count(name, by = 1) {
      const key = nameIn(counters, name);
      counters.set(key, (counters.get(key) ?? 0) + by);
    },
    record(name, value) {
      const key = nameIn(histograms, name);
      const histogram = histograms.get(key) ?? emptyHistogram();
      histograms.set(key, histogram);
      add(histogram, Number.isFinite(value) ? Math.max(0, value) : 0);
    },
    snapshot: () => ({
      counters: Object.fromEntries([...counters].sort(byName)),
      histograms: Object.fromEntries([...histograms].sort(byName).map(([name, histogram]) => [name, summary(histogram)])),
    }),
  };
}

const emptyHistogram = (): Histogram => ({ count: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: 0, buckets: new Uint32Array(BUCKETS) });

function add(histogram: Histogram, value: number): void {
  histogram.count += 1;
  histogram.sum += value;
  histogram.min = Math.min(histogram.min, value);
  histogram.max = Math.max(histogram.max, value);
  const place = value <= LOWEST ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log2(value / LOWEST) * PER_DOUBLING));
  histogram.buckets[place] = (histogram.buckets[place] ?? 0) + 1;
}

function summary(histogram: Histogram): HistogramSnapshot {
  const { count, sum, min, max } = histogram;
  return { count, sum, min, max, p50: quantile(histogram, 0.5), p95: quantile(histogram, 0.95) };
}

function quantile({ buckets, count, min, max }: Histogram, share: number): number {
  let left = Math.ceil(count * share);
  const place = buckets.findIndex((size) => {
    left -= size;
    return left <= 0;
  });
  return place < 0 || place === BUCKETS - 1 ? max : Math.min(max, Math.max(min, LOWEST * 2 ** (place / PER_DOUBLING)));
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);
