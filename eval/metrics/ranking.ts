/**
 * Measures of one ranking against the evidence of one question. Items are names; evidence is a set
 * of them, never empty here.
 */

/** Share of the evidence among the first `k`. */
export function recallAt(
  ranking: readonly string[],
  evidence: readonly string[],
  k: number,
): number {
  const top = new Set(ranking.slice(0, k));
  return evidence.filter((item) => top.has(item)).length / evidence.length;
}

/**
 * Share of the first `k` places that hold evidence; a ranking shorter than `k` is judged by `k` all
 * the same.
 */
export function precisionAt(
  ranking: readonly string[],
  evidence: readonly string[],
  k: number,
): number {
  const wanted = new Set(evidence);
  return ranking.slice(0, k).filter((item) => wanted.has(item)).length / k;
}

/** One over the place of the first item of evidence; 0 where there is none. */
export function reciprocalRank(ranking: readonly string[], evidence: readonly string[]): number {
  const wanted = new Set(evidence);
  const place = ranking.findIndex((item) => wanted.has(item));
  return place < 0 ? 0 : 1 / (place + 1);
}

/** Discounted gain over that of the best possible order; every item of evidence gains 1. */
export function ndcgAt(ranking: readonly string[], evidence: readonly string[], k: number): number {
  const wanted = new Set(evidence);
  const gain = (place: number): number => 1 / Math.log2(place + 2);
  const reached = ranking
    .slice(0, k)
    .reduce((sum, item, place) => sum + (wanted.has(item) ? gain(place) : 0), 0);
  const best = Array.from({ length: Math.min(k, wanted.size) }, (_, place) => gain(place)).reduce(
    (sum, value) => sum + value,
    0,
  );
  return reached / best;
}

/**
 * The share of leading characters that two texts have in common, of the longer one: what a prompt
 * cache can keep.
 */
export function prefixStability(before: string, after: string): number {
  const longest = Math.max(before.length, after.length);
  if (longest === 0) return 1;
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  return same / longest;
}
