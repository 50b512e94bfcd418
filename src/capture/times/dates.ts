/**
 * Days that a text names, absolute or relative to the turn's own time and zone. `yesterday` means
 * nothing a week later: the day it was is written beside it.
 */
import { type Instant, toEpochMs, toInstant } from '../../model/ids.ts';
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import { isAhead, isPast } from '../sentences/past-form.ts';
import { type Token, tokensOf } from './day-words.ts';
import { isOfEachWeek } from './each-week.ts';
import { countOf, daysInNumbers, type FarDay, farDayAt, unitOf } from './far-days.ts';
import { isInName } from './in-a-name.ts';
import { nthOfMonth } from './nth-of-month.ts';
import { isNextWeekday } from './until-weekday.ts';

export const DAY_MS = 86_400_000;

/** A day of a calendar as its midnight in UTC, whatever the zone. */
export type Day = number;

/** Where a text names a time: the words, and the days that they mean, the last one included. */
export interface NamedTime {
  readonly start: number;
  readonly end: number;
  readonly from: Day;
  readonly to: Day;
  /** Whether the words mean another day tomorrow. */
  readonly isRelative: boolean;
  readonly unit: 'day' | 'week' | 'month' | 'year';
}

/** By zone: to make one takes longer than to read a sentence. There are as many as zones. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** As `2026-01-31 09:30:00`. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  formats.set(zone, format);
  return format;
}

/** What a clock of the zone shows, read as if it were UTC. */
const shownAt = (ms: number, zone: string): number =>
  Date.parse(`${formatOf(zone).format(ms).replace(' ', 'T')}.000Z`);

export function localDay(at: Instant, zone: string): Day {
  const shown = shownAt(toEpochMs(at), zone);
  return shown - (((shown % DAY_MS) + DAY_MS) % DAY_MS);
}

/** The first instant after a day in the zone. */
export function endOfDay(day: Day, zone: string): Instant {
  const next = day + DAY_MS;
  const first = next - (shownAt(next, zone) - next);
  // The offset may differ at the instant itself.
  return toInstant(next - (shownAt(first, zone) - first));
}

export const dayText = (day: Day): string => new Date(day).toISOString().slice(0, 10);

/** `Easter Monday` is no Monday of this week. */
const FEAST: ReadonlySet<string> = new Set(
  'easter pentecost whit palm good ash shrove maundy holy boxing'.split(' '),
);
/** All that are named, in order; none overlaps another. */
export function timesIn(text: string, today: Day): readonly NamedTime[] {
  const tokens = tokensOf(text);
  const words = tokens.map(({ word }) => word);
  const found: NamedTime[] = [];
  let at = 0;
  while (at < tokens.length) {
    const far = farDayAt(words.slice(at, at + 5), words[at - 1] ?? '', new Date(today).getUTCDay());
    const named = far === null ? namedAt(tokens, at, today) : farOf(far, today);
    if (named && !FEAST.has(tokens[at - 1]?.word ?? '') && !isOfEachWeek(words, at)) {
      const [start, end] = [tokens[at]?.start ?? 0, tokens[at + named.length - 1]?.end ?? 0];
      const isBeforeLast = named.from < (found.at(-1)?.from ?? named.from);
      const isNext = isNextWeekday({ words, at, isToday: named.from === today, isBeforeLast });
      const day = isNext && named.length === 1 ? oneDay(named.from + 7 * DAY_MS, 1, true) : named;
      if (!isInName(text, start, end)) found.push({ ...day, start, end });
    }
    at += far?.length ?? named?.length ?? 1;
  }
  const numbered = daysInNumbers(text).map((each) => ({ ...oneDay(each.day, 1, false), ...each }));
  const nth = nthOfMonth(text, today);
  const written = nth === null ? numbered : [...numbered, { ...oneDay(nth.day, 1, true), ...nth }];
  return written.length === 0 ? found : [...found, ...written].sort((a, b) => a.start - b.start);
}

function farOf({ length, shift }: FarDay, today: Day): Found | null {
  if (shift === null) return null;
  const { days, count, unit, isExact } = shift;
  const day = moved(today + days * DAY_MS, count, unit);
  return isExact ? oneDay(day, length, true) : { ...around(day, unit), length, isRelative: true };
}

type Found = Pick<NamedTime, 'from' | 'to' | 'isRelative' | 'unit'> & { readonly length: number };

const oneDay = (day: Day, length: number, isRelative: boolean): Found => ({
  from: day,
  to: day,
  length,
  isRelative,
  unit: 'day',
});

const DAYS_AWAY: ReadonlyMap<string, number> = new Map(
  Object.entries({ today: 0, tonight: 0, yesterday: -1, tomorrow: 1 }),
);
function namedAt(tokens: readonly Token[], at: number, today: Day): Found | null {
  const words = [0, 1, 2, 3, 4].map((offset) => tokens[at + offset]?.word ?? '');
  const [word = '', ...behind] = words;
  // `Monday, May 3rd` is one day, and no Monday of this week.
  const dated = WEEKDAY_NAMES.includes(word) ? monthDay(behind, today) : null;
  if (dated !== null) return { ...dated, length: dated.length + 1 };
  if (word === 'this' && words[1] === 'coming') {
    const coming = turned(behind, today);
    return coming && { ...coming, length: coming.length + 1 };
  }
  const plain = DAYS_AWAY.get(word);
  if (plain !== undefined) return oneDay(today + plain * DAY_MS, 1, true);
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) {
    const day = Date.parse(`${word}T00:00:00.000Z`);
    return Number.isNaN(day) ? null : oneDay(day, 1, false);
  }
  return (
    monthDay(words, today) ??
    counted(words, today) ??
    turned(words, today) ??
    monthOfYear(words) ??
    yearAfter(tokens[at - 1]?.word ?? '', words) ??
    monthSince(tokens[at - 1]?.word ?? '', words, today)
  );
}

const YEAR = /^(?:1[6-9]|20)\d{2}$/;
/** `May 2026`. */
function monthOfYear([first = '', second = '']: readonly string[]): Found | null {
  const month = monthOf(first);
  if (month === -1 || !YEAR.test(second)) return null;
  const from = Date.UTC(Number(second), month, 1);
  return { ...around(from, 'month'), length: 2, isRelative: false };
}

/** `in 1990`, `from 2035 on`: four digits by themselves can be an amount. */
function yearAfter(before: string, words: readonly string[]): Found | null {
  const [year = '', next = '', last = '', behind = ''] = words;
  if (!YEAR.test(year)) return null;
  // `From 2020 to 2023`, and no `from 1900 to 2000 people`.
  const isTo = before === 'from' && /^(?:to|until|till?)$/.test(next) && BEHIND_YEARS.has(behind);
  if (isTo && YEAR.test(last) && year < last) {
    const [from, to] = [Date.UTC(Number(year), 0, 1), Date.UTC(Number(last), 11, 31)];
    return { from, to, length: 3, unit: 'year', isRelative: false };
  }
  const isFrom = before === 'from' && /^(?:on|onwards?|i|we|my|our)$/.test(next);
  if (!isFrom && !BEFORE_YEAR.has(before)) return null;
  return { ...around(Date.UTC(Number(year), 0, 1), 'year'), length: 1, isRelative: false };
}
const BEHIND_YEARS: ReadonlySet<string> = new Set([
  '',
  ...'i we my in at as with for and but when while on then'.split(' '),
]);
const BEFORE_YEAR: ReadonlySet<string> = new Set('in since until till during'.split(' '));

/** `Since October`: the last one that began. */
function monthSince(before: string, [month = '']: readonly string[], today: Day): Found | null {
  const of = before === 'since' ? monthOf(month) : -1;
  if (of === -1) return null;
  const now = new Date(today);
  const year = now.getUTCFullYear() - Number(of > now.getUTCMonth());
  return { ...around(Date.UTC(year, of, 1), 'month'), length: 1, isRelative: true };
}

const ordinalOf = (word: string): number => {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1];
  const day = Number(digits ?? 0);
  return day >= 1 && day <= 31 ? day : 0;
};
export const monthOf = (word: string): number =>
  word.length < 3 || word === 'mar' || !/^[a-z]+$/.test(word)
    ? word === 'mar'
      ? 2
      : -1
    : MONTH_NAMES.findIndex(
        (month) => month === word || (word.length <= 4 && month.startsWith(word)),
      );

/** `May 20`, `20 May 2026`, `May 20th, 2026`. Without a year the one that is nearest. */
function monthDay(words: readonly string[], today: Day): Found | null {
  if (words[0] !== undefined && words[1] === 'of' && ordinalOf(words[0]) > 0) {
    const [day = '', , month = '', year = ''] = words;
    const found = monthDay([day, month, year], today);
    return found && { ...found, length: found.length + 1 };
  }
  const [first = '', second = '', third = ''] = words;
  const isMonthFirst = monthOf(first) !== -1 && ordinalOf(second) > 0;
  const isDayFirst = ordinalOf(first) > 0 && monthOf(second) !== -1;
  if (!isMonthFirst && !isDayFirst) return null;
  const month = monthOf(isMonthFirst ? first : second);
  const day = ordinalOf(isMonthFirst ? second : first);
  const hasYear = /^(?:19|20)\d{2}$/.test(third);
  const year = hasYear ? Number(third) : nearestYear(month, day, today);
  const at = Date.UTC(year, month, day);
  return new Date(at).getUTCMonth() === month ? oneDay(at, hasYear ? 3 : 2, false) : null;
}

function nearestYear(month: number, day: number, today: Day): number {
  const year = new Date(today).getUTCFullYear();
  return [year - 1, year, year + 1].reduce((best, each) =>
    Math.abs(Date.UTC(each, month, day) - today) < Math.abs(Date.UTC(best, month, day) - today)
      ? each
      : best,
  );
}

const UNITS = { day: 1, week: 7, month: 30, year: 365 } as const;

/** `three weeks ago`, `in 2 days`. */
function counted(words: readonly string[], today: Day): Found | null {
  const [first = '', second = '', third = '', fourth = ''] = words;
  const isPast = third === 'ago' && countOf(first) > 0 && unitOf(second) !== null;
  const isFuture =
    first === 'in' && countOf(second) > 0 && unitOf(third) !== null && fourth !== 'from';
  if (!isPast && !isFuture) return null;
  const count = countOf(isPast ? first : second) * (isPast ? -1 : 1);
  const unit = unitOf(isPast ? second : third) ?? 'day';
  const day = moved(today, count, unit);
  if (unit === 'day') return oneDay(day, 3, true);
  return { ...around(day, unit), length: 3, isRelative: true };
}

/** So many days, weeks, months or years later; the last of a month where it has no such day. */
export function moved(day: Day, count: number, unit: NamedTime['unit']): Day {
  if (unit === 'day' || unit === 'week') return day + count * UNITS[unit] * DAY_MS;
  const date = new Date(day);
  const months = count * (unit === 'year' ? 12 : 1);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0));
  return first + (Math.min(date.getUTCDate(), last.getUTCDate()) - 1) * DAY_MS;
}

/** The week from Monday, the month or the year that holds a day. */
export function around(day: Day, unit: NamedTime['unit']): Pick<Found, 'from' | 'to' | 'unit'> {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === 'week') {
    const monday = day - ((date.getUTCDay() + 6) % 7) * DAY_MS;
    return { from: monday, to: monday + 6 * DAY_MS, unit };
  }
  if (unit === 'month')
    return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 0), unit };
  return unit === 'year'
    ? { from: Date.UTC(year, 0, 1), to: Date.UTC(year, 11, 31), unit }
    : { from: day, to: day, unit: 'day' };
}

const TURNS: ReadonlyMap<string, number> = new Map(
  Object.entries({ last: -1, past: -1, next: 1, this: 0, coming: 1 }),
);
/** `last Friday`, `next month`, `this weekend`, `by Friday`, `last night`. */
function turned(words: readonly string[], today: Day): Found | null {
  const [first = '', second = ''] = words;
  const turn = TURNS.get(first);
  const weekday =
    turn === undefined
      ? WEEKDAY_NAMES.indexOf(first)
      : WEEKDAY_NAMES.findIndex((day) => isDay(second, day));
  if (weekday !== -1) return weekdayOf(weekday, turn, today);
  if (turn === undefined) return null;
  if (first === 'last' && second === 'night') return oneDay(today - DAY_MS, 2, true);
  if (second === 'weekend') {
    const { from } = around(today + turn * 7 * DAY_MS, 'week');
    return {
      from: from + 5 * DAY_MS,
      to: from + 6 * DAY_MS,
      length: 2,
      isRelative: true,
      unit: 'week',
    };
  }
  const unit = unitOf(second);
  // `the past week` is the seven days before, which is no week of a calendar.
  if (unit === null || unit === 'day' || second.endsWith('s') || first === 'past') return null;
  return { ...around(moved(today, turn, unit), unit), length: 2, isRelative: true };
}

/** `Fri`, `thurs`: only after a word that makes a day of them, `sat` and `sun` are words too. */
const isDay = (word: string, day: string): boolean =>
  word === day || (word.length >= 3 && word.length <= 5 && day.startsWith(word));

/** A weekday by itself is the next one; the last one where it is said so. */
function weekdayOf(weekday: number, turn: number | undefined, today: Day): Found {
  const ahead = (weekday - new Date(today).getUTCDay() + 7) % 7;
  const length = turn === undefined ? 1 : 2;
  if (turn === -1) return oneDay(today - ((7 - ahead) % 7 || 7) * DAY_MS, length, true);
  return oneDay(today + (ahead === 0 && turn === 1 ? 7 : ahead) * DAY_MS, length, true);
}

/**
 * With the day beside each relative one: `yesterday (2026-05-14)`. A weekday by itself means the
 * last one where the text is about the past. What names no day at all is bounded by that of the
 * turn: `a while ago (before 2026-05-15)`.
 */
export function withDays(text: string, today: Day): string {
  const saysPast = tokensOf(text).some(({ word }) => isPast(word));
  const times = timesIn(text, today).filter(({ isRelative }) => isRelative);
  const exact = times.map((time) => {
    const isPassed = saysPast || isBehind(text, time, SINCE);
    const isBack =
      isBare(text, time) && isPassed && time.from !== today && !isAhead(text.slice(0, time.start));
    const back = isBack ? 7 * DAY_MS : 0;
    return { end: time.end, shown: unitText({ ...time, from: time.from - back }) };
  });
  const vague = [...text.matchAll(VAGUE_PAST)].map((found) => ({
    end: found.index + found[0].length,
    shown: `before ${dayText(today)}`,
  }));
  let shown = '';
  let from = 0;
  for (const { end, shown: day } of [...exact, ...vague].sort((a, b) => a.end - b.end)) {
    if (end === from) continue;
    shown += `${text.slice(from, end)} (${day})`;
    from = end;
  }
  return shown + text.slice(from);
}
/** Past times that no calendar knows. */
const VAGUE_PAST =
  /\b(?:(?:a few|a couple(?: of)?|some|several|many|few|\d{1,3}|two|three|four|five|six|seven|eight|nine|ten) (?:days?|weeks?|months?|years?|weekends?) (?:back|before now)|(?:a few|a couple(?: of)?|some|several|many|few|a good few) (?:days|weeks|months|years|weekends) ago|(?:\d{1,2}|two|three|four|five|six) weekends ago|past (?:week|month|year)|a (?:long )?(?:while|time) (?:ago|back)|ages ago|years ago|(?:the )?other (?:day|week|night|weekend)|last (?:summer|winter|spring|fall|autumn|season|semester|christmas|easter|holidays?))\b/gi;

/**
 * The day of the past since when it is so, or on which it happened; null = none is named. What is
 * so since a year of long ago is so today as well, and a month or year that goes on is not over.
 */
export function pastDay(text: string, today: Day): Day | null {
  const days = timesIn(text, today)
    .filter((time) => !isLong(time) || isOver(text, time, today))
    .map((time) => (isLastOne(text, time, today) ? time.from - 7 * DAY_MS : time.from));
  const [first] = days.filter((day) => day < today);
  return first ?? null;
}
const SINCE = /\bsince (?:last )?$/i;
/** `Since 1990`; of `a house built in 1990` the house is so old. */
const SINCE_OR_OF_THING =
  /\b(?:since|(?:built|born|founded|established|made|opened|created|formed|renovated) in) $/iu;
const isOver = (text: string, time: NamedTime, today: Day): boolean =>
  time.to < today && !isBehind(text, time, SINCE_OR_OF_THING);
const isLastOne = (text: string, time: NamedTime, today: Day): boolean =>
  isBare(text, time) && time.from > today && !isBehind(text, time, FROM);
const isLong = ({ unit, isRelative }: NamedTime): boolean =>
  !isRelative && (unit === 'month' || unit === 'year');
/** `Friday`: the last one, the next one, or each. */
const isBare = (text: string, { start, end }: NamedTime): boolean =>
  WEEKDAY_NAMES.includes(text.slice(start, end).toLowerCase());
const isBehind = (text: string, { start }: NamedTime, lead: RegExp): boolean =>
  lead.test(text.slice(Math.max(0, start - MOST_LEAD), start));
const MOST_LEAD = 24;

/** The day to come from which it is so; null = none is named. `On Friday` can be each Friday. */
export function dayToCome(text: string, today: Day): Day | null {
  const times = timesIn(text, today).filter(
    (time) => time.from > today && (!isBare(text, time) || isBehind(text, time, FROM)),
  );
  return times[0]?.from ?? null;
}
const FROM = /\b(?:from|starting|beginning|effective|as of)(?: on| from)? $/iu;

/** Whether a year or month is named that is over: what happened in it ends nothing of today. */
export const isLongPast = (text: string, today: Day): boolean =>
  timesIn(text, today).some((time) => isLong(time) && isOver(text, time, today));

/** The first instant of a day in the zone. */
export const startOfDay = (day: Day, zone: string): Instant => endOfDay(day - DAY_MS, zone);

const SATURDAY = 6;
function unitText({ from, unit }: Pick<NamedTime, 'from' | 'unit'>): string {
  const day = dayText(from);
  if (unit === 'year') return day.slice(0, 4);
  if (unit === 'month') return day.slice(0, 7);
  if (unit !== 'week') return day;
  return new Date(from).getUTCDay() === SATURDAY ? `weekend of ${day}` : `week of ${day}`;
}

/** Days that a state is kept that names no end: two weeks, as long as most sprints. */
const STATE_DAYS = 14;

/** The last day of a time-bounded state without a TTL: the latest day that it names. */
export function lastDay(text: string, today: Day): Day {
  const days = timesIn(text, today).map(({ to }) => to);
  return days.length > 0 ? Math.max(...days) : today + STATE_DAYS * DAY_MS;
}
