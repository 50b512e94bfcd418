/**
 * An inline time to live, `TTL: 2026-12-01` or, as in front matter, `TTL: 30d`: what it stands
 * beside ends with that day. It may stand in the statement, in brackets, or by itself.
 */
import type { BlockRow } from '../../model/block.ts';
import type { Instant } from '../../model/ids.ts';
import { DAY_MS, type Day, endOfDay, localDay } from './dates.ts';
import { zoneOf } from './time-zone.ts';

const DATE = /[[(]?\bTTL ?[:=]? ?(\d{4}-\d{2}-\d{2})\b[\])]?/i;
/** At an end alone: `the session TTL: 7d in production` tells of a setting. */
const SPAN = /(?:^|(?<=[.!;,\n]\s?)|[[(])TTL ?[:=]? ?(\d{1,4})([dw])\b[\])]?\.?$/i;

/** `Date.parse` takes 30 February for 2 March. */
function dayOf(date: string): Day | null {
  const day = Date.parse(`${date}T00:00:00.000Z`);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(date) ? day : null;
}

/** The last day; null = none is given, or none that there is. */
export function ttlOf(text: string, today: Day): Day | null {
  const date = DATE.exec(text)?.[1];
  if (date !== undefined) return dayOf(date);
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (count === undefined || Number(count) === 0) return null;
  return today + Number(count) * (unit?.toLowerCase() === 'w' ? 7 : 1) * DAY_MS;
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
  const zone = zoneOf(turn, timeZone);
  const last = ttlOf(whole.text, localDay(turn.occurred_at, zone));
  return last === null ? null : endOfDay(last, zone);
}

export const hasTtl = (text: string): boolean => DATE.test(text) || SPAN.test(text);
/** It has an end that cannot be kept to: without it, it would stay for good. */
export const isTtlImpossible = (text: string): boolean => hasTtl(text) && ttlOf(text, 0) === null;
/** Whether there is nothing beside it. */
export const isTtlAlone = (text: string): boolean =>
  hasTtl(text) && !/[\p{L}\p{N}]/u.test(withoutTtl(text));

export function withoutTtl(text: string): string {
  const found = DATE.exec(text) ?? SPAN.exec(text);
  if (found === null || !hasTtl(text)) return text;
  const before = text.slice(0, found.index).replace(/[\s,;:–—-]{1,4}$/u, '');
  const after = text.slice(found.index + found[0].length).replace(/^[\s,;:–—-]{1,4}/u, '');
  if (before === '') return after;
  if (/^[.!]?$/.test(after)) return /[.!?]$/.test(before) ? before : before + after;
  return `${before} ${after}`;
}
