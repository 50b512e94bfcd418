/** Weekdays that come every week, and name no day. */
import { WEEKDAY_NAMES } from '../../text/calendar.ts';
import { isPast } from '../sentences/past-form.ts';

const DAY_PARTS = /^(?:mornings|afternoons|evenings|nights)$/;
const OF_ONE_WEEK: ReadonlySet<string> = new Set(
  'm re ll am is are will off out away going next this last coming have has'.split(' '),
);

/** `The long run has to be Thursday`: which Thursday, or each, nobody says. */
const ARRANGED = /(?:has|have|needs?|tends?) to be$|\b(?:is|are) (?:always|usually)$/;

/** `I've started tutoring`: it goes on. */
const BEGUN: ReadonlySet<string> = new Set('started began begun'.split(' '));
const LEAST_OF_ROW = 3;

/**
 * `I swim on Tuesday and Thursday`, `on Tuesday mornings`, `Monday Wednesday Friday`; `I'm out
 * Monday and Tuesday` is of one week. Of words in lower case.
 */
export function isOfEachWeek(words: readonly string[], at: number): boolean {
  const isDayAt = (place: number): boolean => WEEKDAY_NAMES.includes(words[place] ?? '');
  const isJoint = (place: number): boolean => /^(?:and|or)$/.test(words[place] ?? '');
  if (!isDayAt(at)) return false;
  if (DAY_PARTS.test(words[at + 1] ?? '')) return true;
  if (ARRANGED.test(words.slice(Math.max(0, at - 3), at).join(' '))) return true;
  const isPaired = (isJoint(at + 1) && isDayAt(at + 2)) || (isJoint(at - 1) && isDayAt(at - 2));
  const isOver = (word: string): boolean =>
    OF_ONE_WEEK.has(word) || (isPast(word) && !BEGUN.has(word));
  return (isPaired || isInRow(words, at)) && !words.some(isOver);
}

/** Three days or more, side by side. */
function isInRow(words: readonly string[], at: number): boolean {
  const isOfRow = (place: number): boolean =>
    /^(?:and|or)$/.test(words[place] ?? '') || WEEKDAY_NAMES.includes(words[place] ?? '');
  let from = at;
  while (isOfRow(from - 1)) from -= 1;
  let to = at;
  while (isOfRow(to + 1)) to += 1;
  const row = words.slice(from, to + 1);
  return row.filter((word) => WEEKDAY_NAMES.includes(word)).length >= LEAST_OF_ROW;
}
