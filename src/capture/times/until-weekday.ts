/**
 * A weekday that ends something is one to come: `until Friday` of a Friday is the next one, and the
 * Friday of `from Monday to Friday` the one behind that Monday.
 */
import { WEEKDAY_NAMES } from '../../text/calendar.ts';

const UNTIL: ReadonlySet<string> = new Set('until till til through thru'.split(' '));
const BETWEEN: ReadonlySet<string> = new Set('on the and including'.split(' '));
const MOST_BETWEEN = 3;

/** Whether one of these words leads to the word at a place. */
function isUntilAt(words: readonly string[], at: number): boolean {
  let before = at - 1;
  while (before > at - 1 - MOST_BETWEEN && BETWEEN.has(words[before] ?? '')) before -= 1;
  const word = words[before] ?? '';
  return UNTIL.has(word) || (word === 'to' && words[before - 1] === 'up');
}

/** Whether the word at a place ends what began on the day before it. */
const isEndOfRange = (words: readonly string[], at: number): boolean =>
  words[at - 3] === 'from' && (words[at - 1] === 'to' || UNTIL.has(words[at - 1] ?? ''));

export interface DayAt {
  readonly words: readonly string[];
  readonly at: number;
  readonly isToday: boolean;
  /** Whether the day that is named before it lies behind it. */
  readonly isBeforeLast: boolean;
}

/** Whether the word is a weekday by itself of which not the nearest is meant, but the next. */
export const isNextWeekday = ({ words, at, isToday, isBeforeLast }: DayAt): boolean =>
  WEEKDAY_NAMES.includes(words[at] ?? '') &&
  ((isToday && isUntilAt(words, at)) || (isBeforeLast && isEndOfRange(words, at)));
