/**
 * What was withdrawn comes back with an undo: what fell because of it, and what has its sources.
 */
import { builtOn } from '../../src/ledger/refusals.ts';
import type { AnyRow } from '../../src/model/block.ts';
import type { Uuid } from '../../src/model/ids.ts';
import type { Receipt } from '../../src/model/operation.ts';
import { derivedFrom, isFounded, isReplaced } from './lineage.ts';
import { isBelieved, type ScopeState, type Slot, type TenantState } from './store.ts';
import type { Transaction } from './transaction.ts';
import { bringBack, entriesOf, operationsAt, slotsAround } from './undo.ts';
import { clashes, type Held } from './undo-ends.ts';

/** An undo that was carried out: what it takes back, and the versions that came back by it. */
interface Back {
  readonly undone: Uuid;
  readonly brought: readonly Slot[];
}

/**
 * What fell because of the operation comes back, as long as each of its sources stands; and what
 * fell because of others and has all of its sources again, where its time is free.
 */
export function returnWithdrawn(tx: Transaction, { undone, brought }: Back, by: Receipt): void {
  const { tenant } = tx;
  const own = new Set(
    entriesOf(tenant).flatMap(({ operation, caused_by: cause, uuid }) =>
      operation === 'CASCADE' && cause === undone && uuid !== null ? [uuid] : [],
    ),
  );
  const isOwn = ({ entry }: Slot): boolean => own.has(entry.row.uuid);
  const below = belowAll(tenant, [
    ...brought,
    ...[...own].flatMap((uuid) => tenant.versions.get(uuid) ?? []),
  ]);
  const first = standingAmong(
    tenant,
    below.filter((slot) => isDown(tenant, slot)),
  );
  const goesBefore = (one: Slot, other: Slot): boolean =>
    one !== other && (isOwn(one) || isLater(one, other)) && clashes(heldBy(one), other);
  const isFree = (slot: Slot): boolean =>
    isOwn(slot) || !(isTaken(tenant, slot) || first.some((other) => goesBefore(other, slot)));
  const standing = standingAmong(tenant, first.filter(isFree));
  const places = new Map([[by.scope, { seq: by.seq, ordinal: entriesAt(tx, by) }]]);
  const ordered = [...standing].sort((a, b) => (a.entry.row.uuid < b.entry.row.uuid ? -1 : 1));
  refuseTaken(tenant, ordered.filter(isOwn), undone);
  for (const slot of ordered) {
    const { valid_from: from, valid_until: until, scope_uuid } = slot.entry.row;
    const scope = tx.existingScope(scope_uuid);
    const place = places.get(scope_uuid) ?? { seq: tx.nextSeq(scope), ordinal: 0 };
    const { entry } = bringBack(tx, { slot, from, until }, place.seq);
    journalReturn(tx, { scope, entry, ...place, by });
    places.set(scope_uuid, { seq: place.seq, ordinal: place.ordinal + 1 });
  }
}

const isDown = (tenant: TenantState, slot: Slot): boolean =>
  slot.entry.row.status === 'live' &&
  slot.entry.row.cause === 'cascade' &&
  !isReplaced(tenant, slot);

function belowAll(tenant: TenantState, slots: readonly Slot[]): readonly Slot[] {
  const below = new Set(slots);
  for (const slot of below) for (const each of derivedFrom(tenant, slot)) below.add(each);
  return [...below];
}

/** Those that have all of their sources if all of them come back. */
function standingAmong(tenant: TenantState, slots: readonly Slot[]): readonly Slot[] {
  let standing = new Set(slots);
  for (let size = -1; size !== standing.size; ) {
    size = standing.size;
    standing = new Set([...standing].filter((slot) => isFounded(tenant, slot, standing)));
  }
  return [...standing];
}

const heldBy = (slot: Slot): Held => ({
  slot,
  from: slot.entry.row.valid_from,
  until: slot.entry.row.valid_until,
});

/** Of two that fell in one scope; ties by id. */
function isLater({ entry: { row: one } }: Slot, { entry: { row: other } }: Slot): boolean {
  const [a = 0, b = 0] = [one.retired_seq ?? 0, other.retired_seq ?? 0];
  return a > b || (a === b && one.uuid > other.uuid);
}

const isTaken = (tenant: TenantState, slot: Slot): boolean =>
  slotsAround(tenant, slot.entry.row.root_uuid).some(
    (other) => isBelieved(other) && clashes(heldBy(slot), other),
  );

const entriesAt = (tx: Transaction, { scope, seq }: Receipt): number =>
  tx.existingScope(scope).journal.filter((entry) => entry.seq === seq).length;

function refuseTaken(tenant: TenantState, slots: readonly Slot[], target: Uuid): void {
  const taken = slots.flatMap((slot) => {
    const { valid_from: from, valid_until: until } = slot.entry.row;
    return slotsAround(tenant, slot.entry.row.root_uuid).filter(
      (other) => isBelieved(other) && clashes({ slot, from, until }, other),
    );
  });
  if (taken.length === 0) return;
  const places = taken.map(({ entry: { row } }) => ({
    scope: row.scope_uuid,
    seq: row.recorded_seq,
  }));
  throw builtOn(target, operationsAt(tenant, places));
}

function journalReturn(
  tx: Transaction,
  of: {
    readonly scope: ScopeState;
    readonly entry: AnyRow;
    readonly seq: number;
    readonly ordinal: number;
    readonly by: Receipt;
  },
): void {
  const { table, row } = of.entry;
  tx.journal(of.scope, {
    seq: of.seq,
    ordinal: of.ordinal,
    operation_id: row.uuid,
    operation: 'RETURN',
    table,
    uuid: row.uuid,
    root_uuid: row.root_uuid,
    outcome: 'stored',
    embedding: 'none',
    reason: null,
    idempotency_key: null,
    payload_digest: null,
    caused_by: of.by.operation_id,
  });
}
