/** The one order that candidates are served in. */

export interface Ordered {
  readonly score: number;
  readonly valid_from: string;
  readonly uuid: string;
}

/**
 * Score first, then the newer row, then the uuid: total over distinct rows, so that the order never
 * depends on the order of arrival.
 */
export const compareScored = (a: Ordered, b: Ordered): number =>
  b.score - a.score || compareText(b.valid_from, a.valid_from) || compareText(a.uuid, b.uuid);

/** By UTF-16 code units: the same on every machine, unlike a locale's order. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
