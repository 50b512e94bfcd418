/** The one order that candidates are served in. */

export interface Ordered {
  readonly score: number;
  /** Steps from the scope of the call to that of the row; absent = none. */
  readonly depth?: number;
  /** Place of its scope in the closure, the nearest first; absent = the first. */
  readonly place?: number;
  readonly valid_from: string;
  readonly uuid: string;
}

/**
 * What an outer scope has to score more, for each step, to stand before a nearer one: relevance
 * orders a layer, and the nearest scope comes first where relevance does not tell two items apart.
 * Exact ties alone would decide next to nothing: rows that were written a minute apart differ by
 * their age, in the fifth decimal. An hour of age is worth about a thousandth of a score, one word
 * of a query many of them.
 */
const OUTER_STEP = 0.001;

/** The score that items of several scopes are compared by. Of one scope: the score. */
export const standingOf = ({ score, depth = 0 }: Pick<Ordered, 'score' | 'depth'>): number =>
  score - OUTER_STEP * depth;

/**
 * Score first, the nearer scope before the outer one, then the newer row, then the uuid: total over
 * distinct rows, so that the order never depends on the order of arrival.
 */
export const compareScored = (a: Ordered, b: Ordered): number =>
  standingOf(b) - standingOf(a) ||
  (a.place ?? 0) - (b.place ?? 0) ||
  compareText(b.valid_from, a.valid_from) ||
  compareText(a.uuid, b.uuid);

/** By UTF-16 code units: the same on every machine, unlike a locale's order. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
