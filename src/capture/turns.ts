/** The turns of a scope that were not captured yet, in the order in which they were written. */

import type { BlockRow } from '../model/block.ts';
import { parseInstant } from '../model/ids.ts';
import { TURN_TYPE } from '../model/turn.ts';
import type { CaptureDependencies, Prepared } from './prepare.ts';

export interface Turns {
  readonly rows: readonly BlockRow[];
  /** Everything up to here was read. */
  readonly to_seq: number;
}

const END_OF_TIME = parseInstant('9999-12-31T23:59:59.999Z', 'visible_at');

/** Of a plan that was kept, its turns are not read again: they may have been withdrawn since. */
export async function readTurns(
  { grant, of, head, writing }: Prepared,
  { authority }: Pick<CaptureDependencies, 'authority'>,
  batch: { readonly from_seq: number; readonly limit?: number },
): Promise<Turns> {
  if (batch.limit === undefined) return { rows: [], to_seq: 0 };
  const { rows } = await authority.read({
    kind: 'scan',
    tenant: grant.tenant,
    table: 'blocks',
    position: [{ scope: of.scope_uuid, head }],
    // A turn may be dated ahead of this clock: it was said all the same, and is read once.
    visible_at: END_OF_TIME,
    filter: {
      and: [
        { field: 'recorded_seq', gte: batch.from_seq },
        { field: 'block_type', eq: TURN_TYPE },
      ],
    },
    limit: batch.limit,
    ...(writing.signal && { signal: writing.signal }),
  });
  const turns = rows.flatMap(({ table, row }) => (table === 'blocks' ? [row] : []));
  const last = turns.at(-1)?.recorded_seq ?? head;
  // The turns of one write share a number: a full page may end within it.
  const isFull = turns.length === batch.limit;
  const whole = isFull ? turns.filter(({ recorded_seq: seq }) => seq < last) : turns;
  if (isFull && whole.length > 0) return { rows: whole, to_seq: last - 1 };
  return { rows: turns, to_seq: isFull ? last : head };
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
  const { rows } = await authority.read({
    kind: 'scan',
    tenant: grant.tenant,
    table: 'blocks',
    position: [{ scope: of.scope_uuid, head }],
    visible_at: END_OF_TIME,
    filter: {
      and: [
        { field: 'recorded_seq', gte: Math.max(1, from - WRITES_BEFORE), lt: from },
        { field: 'block_type', eq: TURN_TYPE },
      ],
    },
    limit: MOST_BEFORE,
    ...(writing.signal && { signal: writing.signal }),
  });
  return rows.flatMap(({ table, row }) => (table === 'blocks' ? [row] : []));
}
