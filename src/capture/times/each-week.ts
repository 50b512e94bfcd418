/** Weekdays that come every week, and name no day. */
import { WEEKDAY_NAMES } from '../../text/calendar.ts';
import { isPast } from '../sentences/past-form.ts';

const DAY_PARTS = /^(?:mornings|afternoons|evenings|nights)$/;
const OF_ONE_WEEK: ReadonlySet<string> = new Set(
  'm re ll am is are will off out away going next this last coming have has'.split(' '),
);

/**
 * `I swim on Tuesday and Thursday`, `on Tuesday mornings`; `I'm out Monday and Tuesday` is of one
 * week. Of words in lower case.
 */
export function isOfEachWeek(words: readonly string[], at: number): boolean {
  const isDayAt = (place: number): boolean => WEEKDAY_NAMES.includes(words[place] ?? '');
  const isJoint = (place: number): boolean => /^(?:and|or)$/.test(words[place] ?? '');
  if (!isDayAt(at)) return false;
  if (DAY_PARTS.test(words[at + 1] ?? '')) return true;
  const isPaired = (isJoint(at + 1) && isDayAt(at + 2)) || (isJoint(at - 1) && isDayAt(at - 2));
  return isPaired && !words.some((word) => OF_ONE_WEEK.has(word) || isPast(word));
}
