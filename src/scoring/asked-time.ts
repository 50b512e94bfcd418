/**
 * Times in a question and in a turn. English only: a question in another language asks for no time
 * here, and the signals are 0.
 */
import { type Instant, toEpochMs } from '../model/ids.ts';
import { MONTH_NAMES } from '../text/calendar.ts';

const MONTH = `(${MONTH_NAMES.join('|')})`;
const DAY_OF_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}\\b`, 'i');
const MONTH_DAY = new RegExp(`\\b${MONTH}(?:\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\d))?`, 'i');
/** "may" is a month only where it is written as one. */
const MAY_AS_VERB = /\bmay\b(?!\s+\d)/;
const ISO_DATE = /\b(\d{4})-(\d{2})-(\d{2})\b/;
const YEAR = /\b((?:19|20)\d\d)\b/;
const ASKS_TIME =
  /^\s*(?:when|since when|until when|how long|(?:in |on |at )?(?:what|which) (?:date|day|month|year|time|week|season))\b/i;
const TELLS_TIME = new RegExp(
  '\\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|week(?:end)?s?|months?|years?|days?|morning|evening|' +
    `(?:mon|tues|wednes|thurs|fri|satur|sun)day|summer|winter|spring|autumn|fall|${MONTH_NAMES.join('|')}|\\d{4}|\\d{1,2}:\\d{2})\\b`,
  'i',
);
const DAY_MS = 86_400_000;
/**
 * People speak of a day up to two weeks after it, and plan it a few days before (measured on
 * LoCoMo).
 */
const DAYS_BEFORE = 3;
const DAYS_AFTER = 14;
const FADE_DAYS = 6;

const TIME_WORD = new RegExp(
  `^(?:${MONTH_NAMES.join('|')}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$`,
  'i',
);
/** A month or a day of the week. */
export const isTimeWord = (word: string): boolean => TIME_WORD.test(word);

/** The day or month that a query names; a year alone says too little. */
export interface AskedTime {
  /** 0..11. */
  readonly month: number;
  readonly day: number | null;
  readonly year: number | null;
}

export function askedTime(query: string): AskedTime | null {
  const iso = ISO_DATE.exec(query);
  if (iso) return { year: Number(iso[1]), month: Number(iso[2]) - 1, day: Number(iso[3]) };
  const year = YEAR.exec(query)?.[1];
  const dayFirst = DAY_OF_MONTH.exec(query);
  const found = dayFirst ? { month: dayFirst[2], day: dayFirst[1] } : monthIn(query);
  if (found?.month === undefined) return null;
  return {
    month: MONTH_NAMES.indexOf(found.month.toLowerCase()),
    day: found.day === undefined ? null : Number(found.day),
    year: year === undefined ? null : Number(year),
  };
}

function monthIn(
  query: string,
): { readonly month: string | undefined; readonly day: string | undefined } | null {
  const found = MONTH_DAY.exec(query.replace(MAY_AS_VERB, ' '));
  return found && { month: found[1], day: found[2] };
}

/** 0..1: 1 on the day or in the month that is named. */
export function nearness(asked: AskedTime, at: Instant): number {
  const date = new Date(toEpochMs(at));
  if (asked.day === null) {
    const isYear = asked.year === null || asked.year === date.getUTCFullYear();
    return isYear && asked.month === date.getUTCMonth() ? 1 : 0;
  }
  const days =
    (toEpochMs(at) - Date.UTC(asked.year ?? date.getUTCFullYear(), asked.month, asked.day)) /
    DAY_MS;
  return days >= -DAYS_BEFORE && days <= DAYS_AFTER + 1
    ? Math.exp(-Math.abs(Math.trunc(days)) / FADE_DAYS)
    : 0;
}

export const asksForTime = (query: string): boolean => ASKS_TIME.test(query);
export const tellsTime = (text: string): boolean => TELLS_TIME.test(text);
