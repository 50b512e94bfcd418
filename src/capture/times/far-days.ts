/**
 * Days that are counted from another one: `the day after tomorrow`, `Tuesday week`, `a week from
 * Monday`, `the Friday after next`, `a year ago today`.
 */
import { WEEKDAY_NAMES } from '../../text/calendar.ts';

type Unit = 'day' | 'week' | 'month' | 'year';
/** From today, at first so many days and then so many units. */
export interface Shift {
  readonly days: number;
  readonly count: number;
  readonly unit: Unit;
  /** What is meant is the day, and not the week or month that holds it. */
  readonly isExact: boolean;
}
export interface FarDay {
  /** How many words name it. */
  readonly length: number;
  /** null = it can be one of two days. */
  readonly shift: Shift | null;
}

const NUMBERS = 'zero one two three four five six seven eight nine ten'.split(' ');
export const countOf = (word: string): number => {
  if (/^an?$/.test(word)) return 1;
  return /^\d{1,3}$/.test(word) ? Number(word) : Math.max(NUMBERS.indexOf(word), 0);
};
export const unitOf = (word: string): Unit | null => {
  const [, unit] = /^(day|week|month|year)s?$/.exec(word) ?? [];
  return (unit as Unit | undefined) ?? null;
};

/** `before`: the word that stands before them. */
export function farDayAt(words: readonly string[], before: string, weekday: number): FarDay | null {
  const ahead = (day: number): number => (day - weekday + 7) % 7;
  return besideDay(words) ?? turnedTwice(words, ahead) ?? weekOn(words, before, ahead);
}

const exact = (days: number, length: number): FarDay => ({
  length,
  shift: { days, count: 0, unit: 'day', isExact: true },
});

/** `Day after tomorrow`. */
function besideDay([first = '', second = '', third = '']: readonly string[]): FarDay | null {
  if (first !== 'day') return null;
  if (second === 'after' && third === 'tomorrow') return exact(2, 3);
  return second === 'before' && third === 'yesterday' ? exact(-2, 3) : null;
}

type Ahead = (weekday: number) => number;

/** `Friday after next`, `Tuesday before last`, `week after next`. */
function turnedTwice(
  [first = '', second = '', third = '']: readonly string[],
  ahead: Ahead,
): FarDay | null {
  const isNext = second === 'after' && third === 'next';
  if (!isNext && !(second === 'before' && third === 'last')) return null;
  const day = WEEKDAY_NAMES.indexOf(first);
  if (day !== -1) return exact(isNext ? (ahead(day) || 7) + 7 : ahead(day) - 14, 3);
  const unit = unitOf(first);
  if (unit === null || unit === 'day' || first.endsWith('s')) return null;
  return { length: 3, shift: { days: 0, count: isNext ? 2 : -2, unit, isExact: false } };
}

/** `Once a week on Tuesday`, `two hours a week from Monday`. */
const EACH =
  /^(?:once|twice|thrice|per|\d+|(?:time|hour|day|morning|evening|afternoon|night|session|lesson|shift)s?|class|classes)$/;
const BASES: ReadonlyMap<string, number> = new Map(
  Object.entries({ today: 0, now: 0, tomorrow: 1 }),
);
/** `Tuesday week`, `a week on Tuesday`, `two weeks from today`, `a year ago today`. */
function weekOn(words: readonly string[], before: string, ahead: Ahead): FarDay | null {
  const [first = '', second = '', third = '', fourth = ''] = words;
  const day = WEEKDAY_NAMES.indexOf(first);
  if (day !== -1) {
    if (second !== 'week' || /^\d/.test(third)) return null;
    // Said on a Tuesday it is this one or the next.
    return ahead(day) === 0 ? { length: 2, shift: null } : exact(ahead(day) + 7, 2);
  }
  const [count, unit] = [countOf(first), unitOf(second)];
  if (count === 0 || unit === null) return null;
  if (third === 'ago') return agoOn(words, count, unit);
  const from = WEEKDAY_NAMES.indexOf(fourth);
  const isFrom = third === 'from' || (third === 'on' && unit === 'week' && from !== -1);
  if (!isFrom || EACH.test(before)) return null;
  const base = BASES.get(fourth) ?? (from === -1 ? undefined : ahead(from));
  if (base === undefined) return null;
  const isUnsure = from !== -1 && base === 0;
  const shift: Shift = { days: base, count, unit, isExact: fourth !== 'now' };
  return { length: 4, shift: isUnsure ? null : shift };
}

/** `A year ago today`; `a week ago Tuesday` is in that week, or before the last one. */
function agoOn(words: readonly string[], count: number, unit: Unit): FarDay | null {
  const behind = words.slice(3, 5).filter((word) => word !== 'on');
  if (behind[0] === 'today')
    return { length: 4, shift: { days: 0, count: -count, unit, isExact: true } };
  const isDay = WEEKDAY_NAMES.includes(behind[0] ?? '');
  return isDay ? { length: words[3] === 'on' ? 5 : 4, shift: null } : null;
}

/** How a day is written in numbers. The year has two digits where a word says that a day comes. */
const IN_NUMBERS =
  /(?<![\p{L}\d./$€£-])(\d{1,2})([./])(\d{1,2})\2(\d{4}|\d{2})(?![./-]?\d|[\p{L}%])/gu;
const BEFORE_DAY =
  /\b(?:on|until|till?|since|by|from|before|after|through|to|expires|expired|ends|starts) $/i;

export interface NumberedDay {
  readonly start: number;
  readonly end: number;
  readonly day: number;
}

/** `31.12.2027`, `31/12/27`; `12/9/2026` is of two days, and named as none. */
export function daysInNumbers(text: string): readonly NumberedDay[] {
  return [...text.matchAll(IN_NUMBERS)].flatMap((found) => {
    const [whole, first = '', mark, second = '', year = ''] = found;
    const start = found.index;
    const before = text.slice(Math.max(0, start - MOST_BEFORE), start);
    if (year.length === 2 && before !== '' && !BEFORE_DAY.test(before)) return [];
    const [a, b, of] = [Number(first), Number(second), Number(year.padStart(4, '20'))];
    const dayFirst = dayOf(a, b, of);
    const monthFirst = dayOf(b, a, of);
    const isOne = mark === '.' || monthFirst === null || monthFirst === dayFirst;
    const day = isOne ? dayFirst : dayFirst === null ? monthFirst : null;
    return day === null ? [] : [{ start, end: start + whole.length, day }];
  });
}

const MOST_BEFORE = 12;

function dayOf(day: number, month: number, year: number): number | null {
  if (year < 1900 || year > 2100 || month < 1 || month > 12 || day < 1) return null;
  const at = Date.UTC(year, month - 1, day);
  return new Date(at).getUTCMonth() === month - 1 ? at : null;
}
