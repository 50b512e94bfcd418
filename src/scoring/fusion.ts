/**
 * `sim`: one calibrated similarity out of the two legs of the search and a comparison word by word.
 */

export interface LegSignals {
  /** Cosine, -1..1. */
  readonly dense?: number | undefined;
  /** 0..1. */
  readonly lexical?: number | undefined;
  /** 0..1: `maxsim`. */
  readonly words?: number | null;
}
export interface LegWeights {
  readonly dense: number;
  readonly lexical: number;
  readonly words: number;
}
/**
 * Which legs ran at all: a query of stop words has no lexical leg, a provider that is down leaves
 * no dense one, no English word no third.
 */
export interface RanLegs {
  readonly dense: boolean;
  readonly lexical: boolean;
  readonly words: boolean;
}

/** A cosine as evidence of relevance: pointing away is no worse than unrelated. */
export const denseSignal = (cosine: number | undefined): number => unit(cosine ?? 0);
export const lexicalSignal = (share: number | null | undefined): number => unit(share ?? 0);

/**
 * Weighted sum, 0..1. A leg that ran and did not see the item counts 0 for it; the weights of the
 * legs that ran are scaled to 1, so that a composition without vectors is judged on the same scale.
 * No leg ran, or none has weight: 0.
 *
 * Why not reciprocal ranks: their sums stand near 0.03 whatever the query, and with a weak dense
 * leg equal-weight RRF lost 1-2 points of R@10 against the text leg alone where weighted sums
 * gained 3 (measured on LoCoMo).
 */
export function fuse(legs: LegSignals, weights: LegWeights, ran: RanLegs = ALL): number {
  const dense = ran.dense ? Math.max(0, weights.dense) : 0;
  const lexical = ran.lexical ? Math.max(0, weights.lexical) : 0;
  const words = ran.words ? Math.max(0, weights.words) : 0;
  const total = dense + lexical + words;
  if (!(total > 0)) return 0;
  return unit(
    (dense * denseSignal(legs.dense) +
      lexical * lexicalSignal(legs.lexical) +
      words * lexicalSignal(legs.words)) /
      total,
  );
}

const ALL: RanLegs = { dense: true, lexical: true, words: true };
const unit = (value: number): number => (value > 0 ? Math.min(1, value) : 0);
