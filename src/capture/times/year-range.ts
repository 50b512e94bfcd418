/** `From 2020 to 2023`, `(2025-2028)`: years in which something holds, and in no other. */
import type { Day } from './dates.ts';

const RANGE =
  /(?:\b(?:from|between) ((?:19|20)\d\d) (?:to|until|till?|through|thru|and) |\(((?:19|20)\d\d) ?[-–—] ?)((?:19|20)\d\d)(?![\d:-])/;
/** `From 2000 to 2100` is of the clock. */
const MOST_AHEAD = 50;

/** Of a text in lower case; null = it names none. */
export function yearRangeIn(
  text: string,
  today: Day,
): { readonly from: Day | null; readonly to: Day } | null {
  const [, spoken, bracketed, end = ''] = RANGE.exec(text) ?? [];
  const [first, last] = [Number(spoken ?? bracketed), Number(end)];
  const now = new Date(today).getUTCFullYear();
  if (!(first < last && last <= now + MOST_AHEAD)) return null;
  const begin = Date.UTC(first, 0, 1);
  // What goes on began before it was said.
  return { from: begin <= today && last >= now ? null : begin, to: Date.UTC(last, 11, 31) };
}
