/**
 * An inline time to live, `TTL: 2026-12-01` or, as in front matter, `TTL: 30d`: what it stands
 * beside ends with that day, or at that time. It may stand in the statement, in brackets, or by
 * itself.
 */
import type { BlockRow } from '../../model/block.ts';
import { type Instant, toEpochMs, toInstant } from '../../model/ids.ts';
import { DAY_MS, type Day, endOfDay, localDay, moved, startOfDay } from './dates.ts';
import { periodAt } from './named-period.ts';
import { zoneOf } from './time-zone.ts';

const CLOCK = '[T ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:?\\d{2})?';
/** A day with a time or without, a month, or a day with dots. */
const DATE = new RegExp(
  `[[(]?\\bTTL ?[:=]? ?(\\d{4}-\\d{2}-\\d{2}(?:${CLOCK})?|\\d{4}-\\d{2}|\\d{1,2}\\.\\d{1,2}\\.\\d{4})(?![\\w-])[\\])]?`,
  'i',
);
/** At an end alone: `the session TTL: 7d in production` tells of a setting. */
const SAID =
  /(^|(?<=[.!;,\n]\s?)|[[(])TTL(?: ?[:=] ?(?=[^\s:=])| ?(?=[-+]?\d))([-+\w./:]{1,40}(?: [-+\w./:]{1,20}){0,3}?)[\])]?\.?$/i;
const BEHIND_COMMA = /,\s?$/;

interface Said {
  readonly start: number;
  readonly length: number;
  readonly value: string;
}

function saidIn(text: string): Said | null {
  const date = DATE.exec(text);
  if (date) return { start: date.index, length: date[0].length, value: date[1] ?? '' };
  const said = SAID.exec(text);
  if (!said) return null;
  const value = (said[2] ?? '').replace(/\.$/, '');
  // `The record is a CNAME, TTL: 300` tells of a setting as well.
  const isPart = BEHIND_COMMA.test(text.slice(0, said.index)) && endOf(value, FIRST) === null;
  return isPart ? null : { start: said.index, length: said[0].length, value };
}

interface Told {
  readonly at: Instant;
  readonly zone: string;
}
/** Of a value that is read without its turn. */
const FIRST: Told = { at: toInstant(0), zone: 'UTC' };

const SPAN = /^(\d{1,9}) ?([a-z]{1,7})$/;
const SPANS: readonly (readonly [RegExp, number])[] = [
  [/^s(?:ecs?|econds?)?$/, 1_000],
  [/^min(?:s|utes?)?$/, 60_000],
  [/^h(?:rs?|ours?)?$/, 3_600_000],
];
const DAYS: readonly (readonly [RegExp, 'day' | 'week' | 'month' | 'year'])[] = [
  [/^d(?:ays?)?$/, 'day'],
  [/^w(?:ks?|eeks?)?$/, 'week'],
  [/^mo(?:s|nths?)?$/, 'month'],
  [/^y(?:rs?|ears?)?$/, 'year'],
];
/** Said on purpose: it has no end. */
const ENDLESS = /^(?:never|none|no end|null|permanent|forever|indefinite)$/;
const LAST_MS = Date.UTC(9999, 11, 31);

/** null = none that there is. */
function endOf(said: string, told: Told): Instant | null {
  const value = said.toLowerCase();
  const [, count, unit = ''] = SPAN.exec(value) ?? [];
  if (count !== undefined) return Number(count) === 0 ? null : spanEnd(Number(count), unit, told);
  return /^\d/.test(value) ? dateEnd(value, told) : periodEnd(value, told);
}

function spanEnd(count: number, unit: string, { at, zone }: Told): Instant | null {
  const exact = SPANS.find(([names]) => names.test(unit));
  if (exact) {
    const end = toEpochMs(at) + count * exact[1];
    return end < LAST_MS ? toInstant(end) : null;
  }
  const [, of] = DAYS.find(([names]) => names.test(unit)) ?? [];
  return of === undefined ? null : dayEnd(moved(localDay(at, zone), count, of), zone);
}

/** Not of a day behind the calendar: its time is no number, or too large a one. */
const dayEnd = (day: Day, zone: string): Instant | null =>
  day < LAST_MS ? endOfDay(day, zone) : null;

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(z|[+-]\d{2}:?\d{2})?)?$/;
function dateEnd(value: string, { zone }: Told): Instant | null {
  const [, dotDay = '', dotMonth = '', year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(value) ?? [];
  if (year !== undefined)
    return dateEnd(`${year}-${dotMonth.padStart(2, '0')}-${dotDay.padStart(2, '0')}`, {
      ...FIRST,
      zone,
    });
  if (/^\d{4}-\d{2}$/.test(value)) {
    const first = dayOf(`${value}-01`);
    return first === null ? null : dayEnd(moved(first, 1, 'month') - DAY_MS, zone);
  }
  const [, date = '', hours, minutes, seconds = '0', offset] = ISO.exec(value) ?? [];
  const day = dayOf(date);
  if (day === null) return null;
  if (hours === undefined) return dayEnd(day, zone);
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  if (offset === undefined) return toInstant(toEpochMs(startOfDay(day, zone)) + ms);
  return toInstant(day + ms - offsetMs(offset));
}

function offsetMs(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}

/** `Date.parse` takes 30 February for 2 March. */
function dayOf(date: string): Day | null {
  const day = Date.parse(`${date}T00:00:00.000Z`);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(date) ? day : null;
}

/** `tomorrow`, `Friday`, `end of June`: all of it. */
function periodEnd(value: string, { at, zone }: Told): Instant | null {
  const period = periodAt(value, localDay(at, zone));
  return period?.length === value.length ? dayEnd(period.to, zone) : null;
}

interface Dated {
  readonly turn: Pick<BlockRow, 'occurred_at' | 'metadata'>;
  readonly whole: { readonly text: string };
}

/** When what a piece says ends, in the zone of the turn. */
export function ttlEnd(
  { turn, whole }: Dated,
  { timeZone }: { readonly timeZone: string },
): Instant | null {
  const { value } = saidIn(whole.text) ?? {};
  if (value === undefined) return null;
  return endOf(value, { at: turn.occurred_at, zone: zoneOf(turn, timeZone) });
}

export const hasTtl = (text: string): boolean => saidIn(text) !== null;
/** It has an end that cannot be kept to: without it, it would stay for good. */
export function isTtlImpossible(text: string): boolean {
  const { value } = saidIn(text) ?? {};
  return value !== undefined && !ENDLESS.test(value.toLowerCase()) && endOf(value, FIRST) === null;
}
/** Whether there is nothing beside it. */
export const isTtlAlone = (text: string): boolean =>
  hasTtl(text) && !/[\p{L}\p{N}]/u.test(withoutTtl(text));

export function withoutTtl(text: string): string {
  const found = saidIn(text);
  if (found === null) return text;
  const before = text.slice(0, found.start).replace(/[\s,;:–—-]{1,4}$/u, '');
  const after = text.slice(found.start + found.length).replace(/^[\s,;:–—-]{1,4}/u, '');
  if (before === '') return after;
  if (/^[.!]?$/.test(after)) return /[.!?]$/.test(before) ? before : before + after;
  return `${before} ${after}`;
}
