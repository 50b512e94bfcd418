/**
 * Of texts that match a question alike, how late each stands among them: the last of ten values
 * that replaced each other is 1, the one before it 0.7, then 0.49. Places count, not hours: a state
 * may change twice a day or once a year.
 */

export interface DatedMatch {
  readonly uuid: string;
  /** ISO 8601. */
  readonly at: string;
  /** 0..1: how well the text matches the question. */
  readonly match: number;
  /** Of the best match: from there on it speaks of the same thing. */
  readonly share: number;
}

/**
 * By uuid; what matches less than its share of the best has no entry. Texts of one time stand at
 * one place; each later one takes `perPlace` away, as a factor.
 */
export function lateness(
  rows: readonly DatedMatch[],
  perPlace: number,
): ReadonlyMap<string, number> {
  const best = rows.reduce((most, { match }) => Math.max(most, match), 0);
  if (best <= 0) return new Map();
  const alike = rows.filter(({ match, share }) => match >= share * best);
  const times = [...new Set(alike.map(({ at }) => at))].sort().reverse();
  const places = new Map(times.map((at, place) => [at, place]));
  return new Map(alike.map(({ uuid, at }) => [uuid, perPlace ** (places.get(at) ?? 0)]));
}
