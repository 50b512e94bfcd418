/** Weekdays that come every week, and name no day. */
import { WEEKDAY_NAMES } from '../../text/calendar.ts';
import { isPast } from '../sentences/past-form.ts';

const DAY_PARTS = /^(?:mornings|afternoons|evenings|nights)$/;
const OF_ONE_WEEK: ReadonlySet<string> = new Set(
  'm re ll am is are will off out away going next this last coming have has'.split(' '),
);

/** `The long run has to be Thursday`: which Thursday, or each, nobody says. */
const ARRANGED = /(?:has|have|needs?|tends?) to be$|\b(?:is|are) (?:always|usually)$/;

/** `My Monday meeting is in room 4`. */
const OWNERS: ReadonlySet<string> = new Set(['my', 'our']);
const EVENTS: ReadonlySet<string> = new Set(
  'meeting standup class course call lesson shift practice training choir yoga group session run walk market'.split(
    ' ',
  ),
);

/** `Every Friday`, `every other Friday`. */
const EVERY = /^(?:every|each|other|alternate)$/;
/** `The second Tuesday of each month`, `the last Friday of the month`. */
const isNth = (word = ''): boolean =>
  /^(?:first|second|third|fourth|last|1st|2nd|3rd|4th)$/.test(word);
const isOfEachMonth = (words: readonly string[], at: number): boolean =>
  /^(?:of|in) (?:each|every|the) (?:month|quarter|year)$/.test(
    words.slice(at + 1, at + 4).join(' '),
  );
/** `Group meeting is Wednesday 10 this semester`. */
const IN_TERM = /^(?:\d{1,2} )?this (?:semester|term|season|year|trimester)$/;

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
  if (rowOf(words, at).some((place) => DAY_PARTS.test(words[place + 1] ?? ''))) return true;
  if (isDayAt(at + 3) && isInstead(words, at + 1)) return true;
  if (isDayAt(at - 3) && isInstead(words, at - 2)) return true;
  if (OWNERS.has(words[at - 1] ?? '') && EVENTS.has(words[at + 1] ?? '')) return true;
  if (EVERY.test(words[at - 1] ?? '') || (isNth(words[at - 1]) && isOfEachMonth(words, at)))
    return true;
  if (IN_TERM.test(words.slice(at + 1, at + 4).join(' '))) return true;
  if (ARRANGED.test(words.slice(Math.max(0, at - 3), at).join(' '))) return true;
  const isPaired = (isJoint(at + 1) && isDayAt(at + 2)) || (isJoint(at - 1) && isDayAt(at - 2));
  const isOver = (word: string): boolean =>
    OF_ONE_WEEK.has(word) || (isPast(word) && !BEGUN.has(word));
  return (isPaired || isInRow(words, at)) && !words.some(isOver);
}

/** `My morning is now Thursday instead of Wednesday`. */
const isInstead = (words: readonly string[], at: number): boolean =>
  words[at] === 'instead' && words[at + 1] === 'of' && words.includes('now');

/** Three days or more, side by side. */
const isInRow = (words: readonly string[], at: number): boolean =>
  rowOf(words, at).filter((place) => WEEKDAY_NAMES.includes(words[place] ?? '')).length >=
  LEAST_OF_ROW;

/** Places of the weekdays that stand side by side with this one, and of what joins them. */
function rowOf(words: readonly string[], at: number): readonly number[] {
  const isOfRow = (place: number): boolean =>
    /^(?:and|or)$/.test(words[place] ?? '') || WEEKDAY_NAMES.includes(words[place] ?? '');
  let from = at;
  while (isOfRow(from - 1)) from -= 1;
  let to = at;
  while (isOfRow(to + 1)) to += 1;
  return Array.from({ length: to - from + 1 }, (_, place) => from + place);
}
