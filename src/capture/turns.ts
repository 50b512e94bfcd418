/** The turns of a scope that were not captured yet, in the order in which they were written. */

import type { Authority } from '../cxri/authority.ts';
import type { BlockRow } from '../model/block.ts';
import { parseInstant, type TenantId, type Uuid } from '../model/ids.ts';
import { TURN_TYPE } from '../model/turn.ts';
import type { CaptureDependencies, Prepared } from './prepare.ts';

export interface Turns {
  readonly rows: readonly BlockRow[];
  /** Everything up to here was read. */
  readonly to_seq: number;
}

/** Turns of one batch: bounds what is held in memory and how long a plan is. */
export const TURNS_PER_BATCH = 200;

const END_OF_TIME = parseInstant('9999-12-31T23:59:59.999Z', 'visible_at');

/** Of a plan that was kept, its turns are not read again: they may have been withdrawn since. */
export async function readTurns(
  { grant, of, head, writing }: Prepared,
  { authority }: Pick<CaptureDependencies, 'authority'>,
  batch: { readonly from_seq: number; readonly limit?: number },
): Promise<Turns> {
  if (batch.limit === undefined) return { rows: [], to_seq: 0 };
  const { from_seq, limit } = batch;
  const scanned = { tenant: grant.tenant, scope: of.scope_uuid, from_seq, head, limit };
  const turns = await scanTurns({ ...scanned, signal: writing.signal }, authority);
  const last = turns.at(-1)?.recorded_seq ?? head;
  // The turns of one write share a number: a full page may end within it.
  const isFull = turns.length === batch.limit;
  const whole = isFull ? turns.filter(({ recorded_seq: seq }) => seq < last) : turns;
  if (isFull && whole.length > 0) return { rows: whole, to_seq: last - 1 };
  return { rows: turns, to_seq: isFull ? last : head };
}

/** Of a batch that was read before: those that are there still. */
export async function turnsBetween(
  { from_seq, to_seq }: { readonly from_seq: number; readonly to_seq: number },
  prepared: Prepared,
  by: Pick<CaptureDependencies, 'authority'>,
): Promise<Turns> {
  const { rows } = await readTurns(prepared, by, { from_seq, limit: TURNS_PER_BATCH });
  return { rows: rows.filter(({ recorded_seq: seq }) => seq <= to_seq), to_seq };
}

/** Writes before a batch whose turns a correction can speak of. */
const WRITES_BEFORE = 24;
const MOST_BEFORE = 400;

/** The last turns before a batch, in order. */
export async function turnsBefore(
  { grant, of, head, from, writing }: Prepared & { readonly from: number },
  { authority }: Pick<CaptureDependencies, 'authority'>,
): Promise<readonly BlockRow[]> {
  if (from <= 1) return [];
  const from_seq = firstBefore(from);
  const scanned = { tenant: grant.tenant, scope: of.scope_uuid, from_seq, head };
  return scanTurns(
    { ...scanned, before: from, limit: MOST_BEFORE, signal: writing.signal },
    authority,
  );
}

/** The first number whose turns are read before a batch. */
export const firstBefore = (from: number): number => Math.max(1, from - WRITES_BEFORE);

/** Turns from one number to another, page by page, in order. */
export async function* pagesOfTurns(
  { grant, of, head, writing }: Prepared,
  { authority }: Pick<CaptureDependencies, 'authority'>,
  { from_seq, before }: { readonly from_seq: number; readonly before: number },
): AsyncGenerator<readonly BlockRow[]> {
  const scanned = { tenant: grant.tenant, scope: of.scope_uuid, before, head, limit: MOST_BEFORE };
  let next = from_seq;
  while (next < before) {
    const { signal } = writing;
    const turns = await scanTurns({ ...scanned, from_seq: next, signal }, authority);
    if (turns.length > 0) yield turns;
    if (turns.length < MOST_BEFORE) return;
    next = (turns.at(-1)?.recorded_seq ?? before) + 1;
  }
}

/** Turns from a number on, as a capture would read them. */
export async function countTurns(
  asked: Scanned,
  authority: Pick<Authority, 'read'>,
): Promise<{ readonly turns: number; readonly isMore: boolean }> {
  if (asked.from_seq > asked.head) return { turns: 0, isMore: false };
  const turns = await scanTurns(asked, authority);
  // The last of a full page says that there are more.
  const isMore = turns.length === asked.limit;
  return { turns: isMore ? asked.limit - 1 : turns.length, isMore };
}

interface Scanned {
  readonly tenant: TenantId;
  readonly scope: Uuid;
  readonly from_seq: number;
  /** The first number that is not read; absent = up to the head. */
  readonly before?: number;
  readonly head: number;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

async function scanTurns(
  { tenant, scope, from_seq, before, head, limit, signal }: Scanned,
  authority: Pick<Authority, 'read'>,
): Promise<readonly BlockRow[]> {
  const { rows } = await authority.read({
    kind: 'scan',
    tenant,
    table: 'blocks',
    position: [{ scope, head }],
    // A turn may be dated ahead of this clock: it was said all the same, and is read once.
    visible_at: END_OF_TIME,
    filter: {
      and: [
        { field: 'recorded_seq', gte: from_seq, ...(before !== undefined && { lt: before }) },
        { field: 'block_type', eq: TURN_TYPE },
      ],
    },
    limit,
    ...(signal && { signal }),
  });
  return rows.flatMap(({ table, row }) => (table === 'blocks' ? [row] : []));
}
