/**
 * Until when a statement holds, where it says so: `for six weeks`, `until Friday`, `from June 3 to
 * June 10`, `my exam is tomorrow`. What ends within the day by the clock is of the moment.
 */

import {
  isBrief,
  isHabit,
  isHeldNow,
  isMoved,
  isOfPerson,
  isOneOff,
  isSurelyOnce,
  isToldAsOver,
} from '../gate/passing-form.ts';
import { around, DAY_MS, type Day, isLongPast, moved } from './dates.ts';
import { isEndInName } from './in-a-name.ts';
import { FEAST_WORDS } from './named-feast.ts';
import { clockAt, type NamedPeriod, periodAt, quarterOf } from './named-period.ts';
import { nthOfMonth } from './nth-of-month.ts';
import { yearRangeIn } from './year-range.ts';

export interface Bound {
  /** The day to come from which it holds, or where all of it is over; null = from the turn on. */
  readonly from: Day | null;
  /** The last day. */
  readonly to: Day;
  /** It is a thing on a day, not a state that lasts until then. */
  readonly isEvent: boolean;
}

/** By its form alone: `moment` = over before anybody reads it. */
type BoundKind = 'moment' | 'span' | 'event';

const spaced = (text: string): string =>
  text.slice(0, MOST_CHARS).toLowerCase().replaceAll('’', "'").replaceAll(/\s+/g, ' ');
/** No sentence of a bounded state is longer. */
const MOST_CHARS = 300;

/** Most sentences have none of it, and are read no further. */
const HINT =
  /\d|\b(?:un|')?till?\b|\bthr(?:u|ough)\b|week|month|quarter|year|spring|summer|autumn|winter|\b(?:next|this) fall\b|\bdays?\b|nights?\b|tomorrow|today|hours?\b|min(?:ute)?s?\b|\bsec|brb|fortnight|\b(?:sun|mon|tue|wed|thu|fri|sat)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;
const mayBeBounded = (text: string): boolean => HINT.test(text) || FEAST_WORDS.test(text);

/** null = it names no end. */
export function boundIn(said: string, today: Day): Bound | null {
  if (isEndInName(said)) return null;
  const text = spaced(said);
  if (!mayBeBounded(text) || isHabit(text)) return null;
  const years = isToldAsOver(text) ? null : yearRangeIn(text, today);
  if (years) return { ...years, isEvent: false };
  if (isLongPast(text, today)) return null;
  const span = isHeldNow(text) ? (rangeIn(text, today) ?? endIn(text, today)) : null;
  if (span) return { ...span, isEvent: false };
  const day = eventDay(text, today);
  return day === null ? null : { from: null, to: day, isEvent: true };
}

export function boundKind(said: string, today: Day): BoundKind | null {
  const text = spaced(said);
  if (!mayBeBounded(text) || isHabit(text)) return null;
  const bound = boundIn(said, today);
  if (bound) return bound.isEvent ? 'event' : 'span';
  return isBrief(text) && (MINUTES.test(text) || hasClockEnd(text)) ? 'moment' : null;
}

type Span = Pick<Bound, 'from' | 'to'>;

const TO = /^ ?(?:to|until|till?|'till?|through|thru|up to|-|–|—) ?(?:and including )?/;
const STARTS =
  /\b(?:from|between) (?:the )?|(?=\b[a-z]{3,9}\.? \d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?[a-z]{3})/g;
/** `from June 3 to June 10`, `jun 3 - 10`. */
function rangeIn(text: string, today: Day): Span | null {
  if (isMoved(text)) return null;
  for (const { 0: lead, index } of text.matchAll(STARTS)) {
    const rest = text.slice(index + lead.length);
    const first = periodAt(rest, today);
    if (!first || !(first.isDate || isOfPerson(text))) continue;
    const joint = TO.exec(rest.slice(first.length))?.[0] ?? '';
    if (joint === '') continue;
    const last = lastOf(rest.slice(first.length + joint.length), first, today);
    if (last !== null) return { from: first.from, to: last };
  }
  return null;
}

/** `June 3 to 10` has its month once; a range over New Year ends in the next. */
function lastOf(text: string, first: NamedPeriod, today: Day): Day | null {
  const named = periodAt(text, today);
  if (named) {
    if (named.to >= first.from) return named.to;
    return moved(named.to, 1, named.isDate ? 'year' : 'week');
  }
  const day = Number(
    /^(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?![\d:]|\.\d|\s?[ap]m)/.exec(text)?.[1] ?? 0,
  );
  const start = new Date(first.from);
  const at = Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), day);
  return day > 0 && day <= 31 && at > first.from ? at : null;
}

function endIn(text: string, today: Day): Span | null {
  const until = untilIn(text, today);
  if (until !== null) return { from: startIn(text, today), to: until };
  return durationIn(text, today) ?? periodIn(text, today);
}

const UNTIL = /(?:^|\s)(?:(?:un|')?till?|through|thru|up to|up until) /g;
const DATED = /^\d{1,2}(?:(?:st|nd|rd|th)? (?:of )?[a-z]{3}|([./])\d{1,2}\1\d\d)/;
/** The latest that is named behind one of the words. */
function untilIn(text: string, today: Day): Day | null {
  let last: Day | null = null;
  for (const { 0: word, index } of text.matchAll(UNTIL)) {
    const rest = text.slice(index + word.length);
    const clock = DATED.test(rest) ? 0 : clockAt(rest);
    const end = rest.slice(clock).replace(/^ (?:on )?/, '');
    // `Until the migration in June`.
    const of = /^(?:the|my|our) [a-z' -]{2,40}? (?:in|on) /.exec(end)?.[0].length ?? 0;
    const named = periodAt(end, today) ?? (of > 0 ? periodAt(end.slice(of), today) : null);
    if (!named || (clock > 0 && named.to <= today)) continue;
    // `Until Monday` of a Monday is the next one.
    const to = named.to === today && !named.isDate ? today + 7 * DAY_MS : named.to;
    last = Math.max(last ?? to, to);
  }
  return last;
}

/** `In a meeting till 3`; `six till two` is a shift, `up to eleven` a number. */
const hasClockEnd = (text: string): boolean =>
  BACK.test(text) ||
  [...text.matchAll(UNTIL)].some(
    ({ 0: word, index }) =>
      !word.includes('up ') &&
      clockAt(text.slice(index + word.length)) > 0 &&
      !ENDS_IN_CLOCK.test(text.slice(0, index)),
  );
const BACK = /\bback (?:in|at) \d{1,2}(?=[.!,]?$|ish| ok)/;
const ENDS_IN_CLOCK =
  /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|half|am|pm))$/;

const FROM = /\b(?:from|starting|beginning|as of|effective) (?:on )?/g;
/** null = none to come is named. */
function startIn(text: string, today: Day): Day | null {
  for (const { 0: word, index } of text.matchAll(FROM)) {
    const named = periodAt(text.slice(index + word.length), today);
    if (named && named.from > today) return named.from;
  }
  return null;
}

const COUNTS: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const countOf = (words: string): number => {
  if (/^(?:a|an|another)$/.test(words)) return 1;
  if (/^(?:a )?couple(?: of)?$/.test(words)) return 2;
  // Four is what most people mean by it, and a day too many does no harm.
  if (/few/.test(words)) return 4;
  if (words === 'several') return 7;
  const named = COUNTS.indexOf(words);
  return named > 0 ? named : Number(/^\d{1,3}$/.exec(words)?.[0] ?? 0);
};
const COUNT = `(?:(?:a |another )?couple(?: of)?|(?:a |another )?few|several|another|an?|\\d{1,3}|${COUNTS.slice(1).join('|')})`;
const ABOUT =
  '(?:(?:about|around|roughly|at least|up to|just|only|another|a further|the(?= next| coming)|these|coming|all of) )*';
const DURATION = new RegExp(
  `(?<!\\b(?:kept|stored|retained|valid|held|saved|lasts?|live|good) )\\b(?:(?:for|over|during|in|within) ${ABOUT}(?:next|coming)? ?|next )(${COUNT}) (?:more |whole |full |solid )?` +
    '(days?|nights?|weeks?|wks?|fortnights?|months?|mths?|years?|yrs?)\\b(?! (?:ago|before|now|old|already))',
);
const AHEAD = /\b(?:next|coming|another|more)\b/;
/** `for the next six weeks`, `for two months from May`. */
function durationIn(text: string, today: Day): Span | null {
  const found = DURATION.exec(text);
  const [whole = '', said = '', unit = ''] = found ?? [];
  const count = countOf(said);
  if (count === 0) return null;
  // `in two weeks` is a day to come; `in the next two weeks` is a span.
  if (/^(?:in|over|during|within) /.test(whole) && !AHEAD.test(whole)) return null;
  const from = startIn(text, today);
  const isOfUnit = unit.startsWith('m') || unit.startsWith('y');
  const [times, of] = isOfUnit
    ? ([1, unit.startsWith('m') ? 'month' : 'year'] as const)
    : ([unit.startsWith('f') ? 2 : 1, /^[dn]/.test(unit) ? 'day' : 'week'] as const);
  const end = moved(from ?? today, count * times, of);
  return { from, to: from === null ? end : end - DAY_MS };
}

const REST = /\b(?:rest|remainder) of (?:the |this )?(day|week|month|quarter|year)\b/;
const ALL =
  /\b(?:all|(?:the|this) (?:whole|entire)) (week|month|quarter|year|weekend)\b|(?<!\b(?:from|since|as of|starting|by|before|after|of|last|every) )\bthis (week|month|weekend)\b/;
const ALL_OF = /\b(?:all of|all|throughout|the whole of) (?=[a-z]{3,9}\b)/;
const NEXT =
  /(?<!\b(?:from|by|before|after|of|starting|until|till|day) )\bnext (week|month|weekend)\b/;
/** `this week`, `all of March`. */
function periodIn(text: string, today: Day): Span | null {
  const all = ALL.exec(text);
  const rest = REST.exec(text)?.[1] ?? all?.[1] ?? all?.[2];
  if (rest !== undefined) return { from: null, to: endOf(rest, today) };
  const next = NEXT.exec(text)?.[1];
  if (next === 'month') return { from: null, to: endOf(next, moved(today, 1, next)) };
  if (next !== undefined) return { from: null, to: endOf(next, today + 7 * DAY_MS) };
  const of = ALL_OF.exec(text);
  const named = of && periodAt(text.slice(of.index + of[0].length), today);
  return named ? { from: named.from > today ? named.from : null, to: named.to } : null;
}
const endOf = (unit: string, day: Day): Day => {
  if (unit === 'day') return day;
  if (unit === 'quarter') return quarterOf(day).to;
  return around(day, unit === 'month' || unit === 'year' ? unit : 'week').to;
};

/** Over within hours. */
const MINUTES = new RegExp(
  `\\b(?:in|for|within) ${ABOUT}(?:next )?(?:(?:${COUNT}|fifteen|twenty|thirty|forty|ninety|forty five|half an?|half|a quarter of an) )+(?:secs?|seconds?|mins?|minutes?|hrs?|hours?)\\b(?! (?:every|a day|per|each))|\\bfor the next (?:hours?|few hours|minutes?)\\b|\\b(?:brb|back in a (?:bit|sec|minute|moment))\\b`,
);

/** `the wednesday after the first of september` begins a day no later. */
const MOST_DAY_CHARS = 32;
const DAY_AT = /(?:^|\s)(on |due |for )?(?=[a-z\d])/g;
/**
 * The day of a thing that comes once. A weekday counts behind `on` alone, it may come every week;
 * of what was moved, the last day that is named is the day.
 */
function eventDay(text: string, today: Day): Day | null {
  let day: Day | null = null;
  for (const { 0: lead, 1: on, index } of text.matchAll(DAY_AT)) {
    const at = index + lead.length;
    if (!mayBeBounded(text.slice(at, at + MOST_DAY_CHARS))) continue;
    const named = periodAt(text.slice(at), today);
    if (!named || named.from !== named.to || /\blast $/.test(text.slice(0, at))) continue;
    const before = text.slice(0, index);
    if (day !== null && isMoved(text)) day = Math.max(day, named.to);
    else if (named.isDate ? isOneOff(before) : on === 'on ' && isSurelyOnce(before))
      day ??= named.to;
  }
  const nth = day === null ? nthOfMonth(text, today) : null;
  return nth?.isEvent ? nth.day : day;
}
