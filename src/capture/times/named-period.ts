/**
 * A period as it is named behind `until`, `from` or `through`: a day, a week, a month, the end of
 * one. A time of the clock is none.
 */
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import { around, DAY_MS, type Day, monthOf, moved, timesIn } from './dates.ts';
import { feastAt } from './named-feast.ts';

export interface NamedPeriod {
  readonly from: Day;
  /** Its last day. */
  readonly to: Day;
  /** Of the words, in UTF-16 units from the beginning of the text. */
  readonly length: number;
  /** It has a date of its own: it is no `Monday` that comes every week. */
  readonly isDate: boolean;
}

const SHORT_DAYS = 'sun|mon|tues?|wed|thu(?:rs?)?|fri|sat';
const DAYS = `(?:${WEEKDAY_NAMES.join('|')}|${SHORT_DAYS})`;
const MONTHS = `(?:${MONTH_NAMES.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`;
const LEAD = /^(?:(?:at least|about|around|sometime|late|early|mid|on|the|and including) ){0,3}/;

const END = new RegExp(
  `^(?:the )?(?:very )?end of (?:(the|this|next) )?(day|week|month|quarter|year|20\\d{2}|${MONTHS})\\b(?: (20\\d{2})\\b)?`,
);
const DAY_OF_WEEK = new RegExp(`^(${DAYS}) (?:of )?(this|next) week\\b`);
const WEEKDAY_AND_DATE = new RegExp(
  `^${DAYS},? (?:the )?(?=\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTHS}\\b|${MONTHS} \\d)`,
);
const TURNED_DAY = new RegExp(`^(?:(next|this) )?(${DAYS})\\b(?! ?['’]?s\\b)`);
const MONTH = new RegExp(`^(?:(next|this) )?(${MONTHS})\\b(?! \\d{1,2}\\b)(?: (20\\d{2})\\b)?`);
const CLOCK =
  /^(?:about |around |like )?(?:(?:\d{1,2}(?:[:.]\d{2})?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: ?(?:am|pm|a\.m\.|p\.m\.|o['’]?clock|ish|h|sharp))?|(?:half|quarter|ten|twenty|five) (?:past|to) [a-z]+|half [a-z]+|noon|midday|sunset|sundown|bedtime|lunch(?:time)?|dinner(?:time)?|later|the end of the hour)(?=$|[.,;!?)]|\s)/;

/** The text is in lower case. */
export function periodAt(text: string, today: Day): NamedPeriod | null {
  const lead = LEAD.exec(text)?.[0].length ?? 0;
  const dated = WEEKDAY_AND_DATE.exec(text.slice(lead))?.[0].length ?? 0;
  const at = lead + dated;
  const rest = text.slice(at);
  const found =
    endAt(rest, today) ?? dayOfWeek(rest, today) ?? feast(rest, today) ?? named(rest, today);
  return found && { ...found, length: found.length + at };
}

/** How much of the beginning is a time of the clock: 0 = none is. The text is in lower case. */
export const clockAt = (text: string): number => CLOCK.exec(text)?.[0].length ?? 0;

function endAt(text: string, today: Day): NamedPeriod | null {
  const [whole, turn = '', unit = '', year] = END.exec(text) ?? [];
  if (whole === undefined) return null;
  const { length } = whole;
  if (unit === 'day') return { from: today, to: today, length, isDate: true };
  if (/^20/.test(unit)) {
    const to = Date.UTC(Number(unit), 11, 31);
    return to < today ? null : { from: to, to, length, isDate: true };
  }
  const ahead = turn === 'next' ? 1 : 0;
  const start = year === undefined ? today : Date.UTC(Number(year), 0, 1);
  const { to } =
    unit === 'quarter'
      ? quarterOf(moved(today, ahead * 3, 'month'))
      : unit === 'week' || unit === 'month' || unit === 'year'
        ? around(moved(today, ahead, unit), unit)
        : monthToCome(monthOf(unit), start);
  return { from: to, to, length, isDate: true };
}

export function quarterOf(day: Day): Pick<NamedPeriod, 'from' | 'to'> {
  const date = new Date(day);
  const first = date.getUTCMonth() - (date.getUTCMonth() % 3);
  const year = date.getUTCFullYear();
  return { from: Date.UTC(year, first, 1), to: Date.UTC(year, first + 3, 0) };
}

/** That goes on, or the next one. */
function monthToCome(month: number, today: Day): Pick<NamedPeriod, 'from' | 'to'> {
  const date = new Date(today);
  const year = date.getUTCFullYear() + (month < date.getUTCMonth() ? 1 : 0);
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 0) };
}

const weekdayOf = (word: string): number =>
  WEEKDAY_NAMES.findIndex((day) => day.startsWith(word.slice(0, 3)));

function dayOfWeek(text: string, today: Day): NamedPeriod | null {
  const [whole, day = '', turn = ''] = DAY_OF_WEEK.exec(text) ?? [];
  if (whole === undefined) return null;
  const { from: monday } = around(today + (turn === 'next' ? 7 * DAY_MS : 0), 'week');
  const at = monday + ((weekdayOf(day) + 6) % 7) * DAY_MS;
  return { from: at, to: at, length: whole.length, isDate: true };
}

function feast(text: string, today: Day): NamedPeriod | null {
  const { day, length } = feastAt(text, today) ?? {};
  if (day === undefined || length === undefined) return null;
  return { from: day, to: day, length, isDate: true };
}

/** `14 September` in March is the one to come, though that of last year is nearer. */
const isOfLastYear = (text: string, day: Day, today: Day): boolean =>
  day < today - MOST_DAYS_BACK * DAY_MS && /\d/.test(text) && !/\d{4}|[./]\d\d$|ago/.test(text);
/** What is told as to come on a day of the last weeks is over. */
const MOST_DAYS_BACK = 31;

function named(text: string, today: Day): NamedPeriod | null {
  const [time] = timesIn(text, today);
  if (time?.start === 0 && !WEEKDAY_NAMES.includes(text.slice(0, time.end))) {
    const length = time.end;
    const years = isOfLastYear(text.slice(0, length), time.to, today) ? 1 : 0;
    const [from, to] = [moved(time.from, years, 'year'), moved(time.to, years, 'year')];
    return { from, to, length, isDate: true };
  }
  const [whole, turn, day = ''] = TURNED_DAY.exec(text) ?? [];
  if (whole !== undefined) {
    const ahead = (weekdayOf(day) - new Date(today).getUTCDay() + 7) % 7;
    const at = today + (ahead === 0 && turn === 'next' ? 7 : ahead) * DAY_MS;
    return { from: at, to: at, length: whole.length, isDate: turn !== undefined };
  }
  const inYear = /^20\d{2}\b(?!-)/.exec(text)?.[0];
  // `On duty until 2000` is of the clock.
  if (inYear !== undefined && Number(inYear) >= new Date(today).getUTCFullYear()) {
    const { from, to } = around(Date.UTC(Number(inYear), 0, 1), 'year');
    return { from, to, length: inYear.length, isDate: true };
  }
  const season = seasonAt(text, today);
  if (season !== null) return season;
  const [month, turned, name = '', year] = MONTH.exec(text) ?? [];
  if (month === undefined) return null;
  const from = year === undefined ? today : Date.UTC(Number(year), 0, 1);
  const coming = monthToCome(monthOf(name), turned === 'next' ? moved(from, 1, 'month') : from);
  return { ...coming, length: month.length, isDate: false };
}

/** `Next summer`, as months of the northern half, where most who say it live. */
const SEASON =
  /^(?:(next|this) (spring|summer|autumn|fall|winter)|(spring|summer|autumn|fall|winter) (?:of )?(20\d{2}))\b/;
const FIRST_MONTH: ReadonlyMap<string, number> = new Map([
  ['spring', 2],
  ['summer', 5],
  ['autumn', 8],
  ['fall', 8],
  ['winter', 11],
]);
function seasonAt(text: string, today: Day): NamedPeriod | null {
  const [whole, turned, relative, dated, said] = SEASON.exec(text) ?? [];
  const month = FIRST_MONTH.get(relative ?? dated ?? '');
  if (whole === undefined || month === undefined) return null;
  const of = (year: number) => ({
    from: Date.UTC(year, month, 1),
    to: Date.UTC(year, month + 3, 0),
  });
  const now = new Date(today).getUTCFullYear();
  const years = said === undefined ? [now - 1, now, now + 1] : [Number(said)];
  const isOf = ({ from, to }: ReturnType<typeof of>): boolean =>
    said !== undefined || (to >= today && !(turned === 'next' && from <= today));
  const found = years.map(of).find(isOf);
  return found ? { ...found, length: whole.length, isDate: false } : null;
}
