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
 * Shares of the best match, and what each later text takes away: chosen on the dev half of
 * `eval/suites/changing-state.ts` (current value first: 100 of 100, held back the same). Facts that
 * people word freely match a question less alike than those of the suite: of fifty questions with a
 * word for now, about states that somebody else wrote, the share of turns and twice the weight of
 * `latest` find the present fact first for 34, and 0.75 for 17. By tense alone only what is said
 * almost alike may take its place: the gold set would lose two points of recall@5. So of turns,
 * where a question merely is in the present tense: at 0.5 recall@5 of English in `languages` falls
 * from 76.7 to 66.7, at 0.8 to 73.3, at 0.9 it stays.
 */
export const ALIKE = { turns: 0.5, turnsAtPresent: 0.9, facts: 0.5, factsByTense: 0.95 } as const;
const PER_PLACE = 0.7;

/**
 * By uuid; what matches less than its share of the best has no entry. Texts of one time stand at
 * one place.
 */
export function lateness(rows: readonly DatedMatch[]): ReadonlyMap<string, number> {
  const best = rows.reduce((most, { match }) => Math.max(most, match), 0);
  if (best <= 0) return new Map();
  const alike = rows.filter(({ match, share }) => match >= share * best);
  const times = [...new Set(alike.map(({ at }) => at))].sort().reverse();
  const places = new Map(times.map((at, place) => [at, place]));
  return new Map(alike.map(({ uuid, at }) => [uuid, PER_PLACE ** (places.get(at) ?? 0)]));
}
