/**
 * One spelling of a day of a month: `May 3`, `May 3rd` and `the 3rd of May` are `3 May`. Statements
 * are compared in it; what is kept is as it was said.
 */
import { MONTH_NAMES } from '../../text/calendar.ts';

const MONTH = `(?:${MONTH_NAMES.map((name) => (name.length > 4 ? `${name.slice(0, 3)}(?:t(?=\\b|\\.)|${name.slice(3)})?` : name)).join('|')})\\b\\.?`;
const NUMBER = '(\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?:,? ((?:19|20)\\d\\d))?';
/** `May 3-5` is no day, and `3.5` no number of one. */
const END = '(?![\\p{L}\\d:%])(?!\\s?[-–]\\s?\\d)(?![.,]\\d)';
const DAY = new RegExp(
  `(?<![\\p{L}\\d.])(?:(?:the )?${NUMBER} (?:of )?(${MONTH})${YEAR}|(${MONTH}) (?:the )?${NUMBER}${YEAR})${END}`,
  'giu',
);
/** `I may 3 times …`, `we march 5 km`: in small letters they are verbs, but behind these. */
const VERBS = /^(?:may|march|mar)$/;
const BEFORE_MONTH =
  /(?:^|\b(?:on|by|until|till|since|before|after|from|is|was|to|at|for|of|[a-z]+day),? )$/i;

export function withPlainDays(text: string): string {
  if (!/\d/.test(text)) return text;
  return text.replace(DAY, (...found: readonly (string | number | undefined)[]) => {
    const [whole = '', day, month, year, monthBefore, dayAfter, yearAfter, at = 0] = found;
    const name = String(monthBefore ?? month ?? '');
    const isVerb =
      monthBefore !== undefined &&
      VERBS.test(name) &&
      !BEFORE_MONTH.test(text.slice(Math.max(0, Number(at) - MOST_BEFORE), Number(at)));
    const number = Number(day ?? dayAfter);
    if (isVerb || number < 1 || number > 31) return String(whole);
    const spelled = year ?? yearAfter;
    return `${number} ${fullName(name)}${spelled === undefined ? '' : ` ${spelled}`}`;
  });
}
const MOST_BEFORE = 16;

function fullName(month: string): string {
  const start = month.slice(0, 3).toLowerCase();
  const name = MONTH_NAMES.find((each) => each.startsWith(start)) ?? start;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

interface NamedDay {
  readonly day: number;
  readonly month: number;
  /** null = none is named. */
  readonly year: number | null;
}

const PLAIN = new RegExp(
  `\\b(\\d{1,2}) (${MONTH_NAMES.join('|')})(?: ((?:19|20)\\d\\d))?\\b`,
  'gi',
);
const ISO = /(?<!\d)((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)/g;

/** The days that a text names, each once. */
function daysIn(text: string): readonly NamedDay[] {
  const plain = [...withPlainDays(text).matchAll(PLAIN)].map(
    ([, day = '', month = '', year]): NamedDay => ({
      day: Number(day),
      month: MONTH_NAMES.indexOf(month.toLowerCase()) + 1,
      year: year === undefined ? null : Number(year),
    }),
  );
  const iso = [...text.matchAll(ISO)].map(
    ([, year, month, day]): NamedDay => ({
      day: Number(day),
      month: Number(month),
      year: Number(year),
    }),
  );
  return [...plain, ...iso].filter(
    (each, at, all) => all.findIndex((other) => isSameDay(each, other)) === at,
  );
}

/** `31 June Street` is a place, `in June 31 people came` a count. */
const NAMED_DAY = new RegExp(
  `(?<![\\p{L}\\d])(\\d{1,2}) (?:${MONTH_NAMES.join('|')})(?: (?:19|20)\\d\\d)?\\b(?! (?:[\\p{L}]+s|people)\\b|.{0,12}\\b(?:[Ss]treet|[Rr]oad|[Aa]venue|[Ss]quare|[Ll]ane)\\b)`,
  'giu',
);
const SLASHED = /(?<![\d./])(\d{1,2})([./])(\d{1,2})\2((?:19|20)\d\d)(?![./]?\d)/g;

/** Whether it names a day that no calendar has: `31 June`, `2027-02-29`. */
export function namesNoDay(text: string): boolean {
  if (!/\d/.test(text)) return false;
  const named = [...withPlainDays(text).matchAll(NAMED_DAY)].map(([whole]) => whole);
  const days = daysIn([...named, ...(text.match(ISO) ?? [])].join('; '));
  return (
    days.some((each) => !isInCalendar(each)) ||
    [...text.matchAll(SLASHED)].some(([, first, , second, of]) => {
      const [a, b, year] = [Number(first), Number(second), Number(of)];
      const isDay = (day: number, month: number): boolean =>
        month >= 1 && month <= 12 && isInCalendar({ day, month, year });
      return a <= MOST_DAYS && b <= MOST_DAYS && !isDay(a, b) && !isDay(b, a);
    })
  );
}
const MOST_DAYS = 31;
/** Of a year that is not said, that which has the most days. */
const A_LEAP_YEAR = 2024;
function isInCalendar({ day, month, year }: NamedDay): boolean {
  // `2026-99-12` is a number of something.
  if (month < 1 || month > 12 || day < 1 || day > MOST_DAYS) return true;
  return new Date(Date.UTC(year ?? A_LEAP_YEAR, month - 1, day)).getUTCMonth() === month - 1;
}

const isSameDay = (a: NamedDay, b: NamedDay): boolean =>
  a.day === b.day &&
  a.month === b.month &&
  (a.year === null || b.year === null || a.year === b.year);

/** Whether both name the same days; where one leaves out the year, whatever it is. */
export function namesSameDays(a: string, b: string): boolean {
  const [said, known] = [daysIn(a), daysIn(b)];
  return (
    said.length === known.length &&
    said.every((day) => known.some((other) => isSameDay(day, other)))
  );
}

/** Whether two values of a slot are one: by their words, or as spellings of one day. */
export const isSameValue = (a: unknown, b: string): boolean =>
  a === b || (typeof a === 'string' && withPlainDays(a) === withPlainDays(b));
