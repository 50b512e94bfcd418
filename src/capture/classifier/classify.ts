/**
 * Whether a sentence is to be kept, for those that no rule knows: a softmax over the classes of
 * memory and the reasons to decline, linear in the buckets of a text and in its direction. Trained
 * by `scripts/train-gate.mjs` on the lines of `eval/data/capture/gate/`.
 */
import { wordTableNow } from '../../inference/word-table.ts';
import type { MemoryClass } from '../../model/capture.ts';
import { BUCKETS, bucketsOf, directionOf } from './features.ts';
import { readWeights, type Weights } from './weights.ts';

export interface Guess {
  /** 0..1, that it is to be kept as any of the classes. */
  readonly keeps: number;
  /** The likeliest of them. */
  readonly class: Exclude<MemoryClass, 'typed'>;
}

let shared: Weights | undefined;

/** Reads the weights at the first call. */
export function guess(text: string): Guess {
  shared ??= readWeights(new URL('./weights/', import.meta.url));
  const { keeps } = shared.classes;
  const features = { buckets: bucketsOf(text), direction: directionOf(text, wordTableNow()) };
  const sums = sumsOf(features, shared);
  const most = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp(sum - most));
  const kept = shares.slice(0, keeps.length);
  return {
    keeps: total(kept) / total(shares),
    class: keeps[kept.indexOf(Math.max(...kept))] ?? 'fact',
  };
}

interface Features {
  readonly buckets: readonly number[];
  readonly direction: readonly number[];
}

/** Of each class, in their order. */
function sumsOf({ buckets, direction }: Features, weights: Weights): readonly number[] {
  const { width, table, step, directionStep } = weights;
  const sums = new Int32Array(width);
  for (const bucket of buckets)
    for (let of = 0; of < width; of += 1)
      sums[of] = (sums[of] ?? 0) + (table[bucket * width + of] ?? 0);
  const directed = new Float64Array(width);
  for (const [index, number] of direction.entries()) {
    const row = (BUCKETS + 1 + index) * width;
    for (let of = 0; of < width; of += 1)
      directed[of] = (directed[of] ?? 0) + number * (table[row + of] ?? 0);
  }
  // Long sentences are as sure as short ones.
  const share = step / Math.sqrt(buckets.length + 1);
  const bias = table.subarray(BUCKETS * width, (BUCKETS + 1) * width);
  return Array.from(
    sums,
    (sum, of) => sum * share + (bias[of] ?? 0) * step + (directed[of] ?? 0) * directionStep,
  );
}

const total = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0);
