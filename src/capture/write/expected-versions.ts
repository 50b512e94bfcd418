/**
 * A change goes with the version that it was judged against, so that one which is written by hand
 * in between is not ended by it. The ledger compares with the last version of a root: where a later
 * one is known, that is the one that has to stand.
 */
import type { Authority } from '../../cxri/authority.ts';
import type { FactRow } from '../../model/block.ts';
import { isSlotted, SLOT, slotOf } from '../../model/fact-slot.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { DeleteOperation, Operation, UpdateOperation } from '../../model/operation.ts';
import { headOf, type Position } from '../../model/validity.ts';
import type { PlannedWrite } from '../state.ts';
import { asFirst } from './take-back.ts';

export type Judged = (UpdateOperation | DeleteOperation) & { readonly expected_version: Uuid };
export const isJudged = (operation: Operation): operation is Judged =>
  'expected_version' in operation && operation.expected_version !== undefined;

export function unjudged(planned: PlannedWrite): PlannedWrite {
  const { operation } = planned;
  if (!isJudged(operation)) return planned;
  const { expected_version: _version, ...rest } = operation;
  // The same operation: the version is optional.
  return { ...planned, operation: rest as Operation };
}

interface Reading {
  readonly tenant: TenantId;
  /** What the writes were judged at. */
  readonly position: Position;
}

export async function withExpected(
  writes: readonly PlannedWrite[],
  { tenant, position }: Reading,
  authority: Pick<Authority, 'read'>,
): Promise<readonly PlannedWrite[]> {
  const own = new Set<Uuid>();
  const judged: Judged[] = [];
  for (const { operation } of writes) {
    if (isJudged(operation) && !own.has(operation.expected_version)) judged.push(operation);
    if ('uuid' in operation) own.add(operation.uuid);
  }
  if (judged.length === 0) return writes;
  const scopes = [...new Set(judged.map(({ scope }) => scope))];
  const roots = [...new Set(judged.map(({ root_uuid: root }) => root))];
  const { rows } = await authority.read({ kind: 'history', tenant, scopes, roots });
  const lastOf = new Map<Uuid, FactRow>();
  for (const { table, row } of rows) {
    if (table !== 'memory_open_set' || !isBelievedAt(row, headOf(position, row.scope_uuid) ?? 0))
      continue;
    const last = lastOf.get(row.root_uuid);
    if (!last || last.valid_from < row.valid_from) lastOf.set(row.root_uuid, row);
  }
  return writes.map((each) => {
    const { operation } = each;
    return isJudged(operation) && judged.includes(operation)
      ? against(each, operation, lastOf.get(operation.root_uuid))
      : each;
  });
}

const isBelievedAt = ({ recorded_seq: from, retired_seq: until }: FactRow, head: number): boolean =>
  from <= head && (until === null || until > head);

function against(
  planned: PlannedWrite,
  operation: Judged,
  last: FactRow | undefined,
): PlannedWrite {
  // The version at the instant of a correction is the one that it corrects.
  if (!last || operation.cause === 'correction' || last.uuid === operation.expected_version)
    return planned;
  const isOfSlot = isSlotted(operation) && slotOf(operation).name === last.metadata[SLOT];
  // It ends where that begins, or goes on from it.
  if (last.valid_from > operation.valid_from || isOfSlot)
    return { ...planned, operation: { ...operation, expected_version: last.uuid } };
  // That begins before it, and nobody compared the two.
  return asFirst(planned) ?? planned;
}
