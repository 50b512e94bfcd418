/**
 * Undo, by comparison: what was believed before the operation and what after it. What came goes,
 * and what went comes back. The authority looks at what each row was closed or retired by instead
 * (src/ledger/undoing.ts), so that the two can disagree (test/property/lineage-agreement.test.ts).
 */
import type { JournaledOperation } from '../../src/cxri/ports/history.ts';
import { toEntry } from '../../src/ledger/entry.ts';
import {
  builtOn,
  nothingToUndo,
  undoneMissing,
  unfoundedReturn,
} from '../../src/ledger/refusals.ts';
import { WITHDRAWING } from '../../src/ledger/withdrawal.ts';
import type { AnyRow, Cause } from '../../src/model/block.ts';
import type { TenantId, Uuid } from '../../src/model/ids.ts';
import type { UndoOperation } from '../../src/model/operation.ts';
import { type HeldScopes, holds } from '../../src/model/permission.ts';
import type { NamedOperation, UndoPlan } from '../../src/model/undo.ts';
import { copyVectors } from './embeddings.ts';
import { derivedUuid } from './ids.ts';
import { isFounded, isReadBy, linksFrom, partsOf, wholesOf } from './lineage.ts';
import {
  insert,
  isBelieved,
  type JournalEntry,
  patch,
  type Slot,
  type Store,
  type TenantState,
  typedKey,
} from './store.ts';
import type { Transaction } from './transaction.ts';
import { clashes, earlier, goingOn, type Held, nextAfter } from './undo-ends.ts';
import { type Effect, type Step, seedOf } from './write-place.ts';

interface Comparison extends UndoPlan {
  readonly entry: JournalEntry;
  readonly goes: readonly { readonly slot: Slot; readonly cause: Cause }[];
  readonly comes: readonly Held[];
}

/** Null = there is no such operation, or it changed nothing. */
function compare(tenant: TenantState, target: Uuid): Comparison | null {
  const given = entryOf(tenant, target);
  if (!given) return null;
  const { entry, undoneBy } = followUndos(tenant, given);
  const scope = tenant.scopes.get(entry.scope);
  if (!scope || entry.root_uuid === null) return null;
  const around = slotsAround(tenant, entry.root_uuid);
  const before = heldAt(around, entry.seq - 1, entry);
  const after = heldAt(around, entry.seq, entry);
  const came = after.filter((held) => !before.some((other) => isSame(held, other)));
  const went = before.filter((held) => !after.some((other) => isSame(held, other)));
  const goes: { slot: Slot; cause: Cause }[] = [];
  const comes: Held[] = [];
  const changes = new Set<number>();
  for (const held of came) {
    const standing = standingFor(tenant, held);
    if (standing) goes.push({ slot: standing, cause: causeFor(tenant, held.slot, entry.seq) });
    else changes.add(lastChange(tenant, held.slot));
  }
  const isForgotten =
    (entry.operation === 'ADD' || entry.operation === 'UPDATE') &&
    !after.some(
      ({
        slot: {
          entry: { row },
        },
      }) => row.recorded_seq === entry.seq && !row.recut_of,
    );
  // What comes back with the operation does not end what it had ended.
  const going = new Set(goes.map(({ slot }) => slot));
  const staying = around.filter((slot) => !going.has(slot));
  for (const held of went) {
    const closed = came.find(({ slot }) => slot === held.slot);
    const standing = closed ? standingFor(tenant, closed) : held.slot;
    const end = closed ? closed.until : held.from;
    const next = isForgotten ? nextAfter(staying, held.slot, end) : null;
    const until = earlier(held.until, next);
    if (next !== null && next === end) {
      // The next one begins at once: it has ended all the same.
      const at = goes.findIndex(({ slot }) => slot === standing);
      if (at >= 0 && closed) goes.splice(at, 1);
    } else if (standing) comes.push({ ...held, until, slot: standing });
  }
  if (isForgotten)
    for (const held of goingOn(tenant, staying, { goes, comes })) {
      goes.push({ slot: held.slot, cause: 'change' });
      comes.push(held);
    }
  const kept = around.filter(
    (slot) => isBelieved(slot) && !goes.some((gone) => gone.slot === slot),
  );
  for (const held of comes)
    for (const other of kept) if (clashes(held, other)) changes.add(other.entry.row.recorded_seq);
  const effects = effectsOf(around, goes, comes);
  const built = undoneBy === null ? builtFrom(tenant, { entry, came, effects }) : [];
  return {
    entry,
    scope: entry.scope,
    root_uuid: entry.root_uuid,
    undone_by: undoneBy,
    goes,
    comes,
    effects,
    touched: [...new Set([...goes, ...comes].map(({ slot }) => slot.entry.row.uuid))].sort(),
    built_on: operationsAt(tenant, [
      ...[...changes].map((seq) => ({ scope: entry.scope, seq })),
      ...built,
    ]),
  };
}

const isUndoable = ({ operation, outcome }: JournalEntry): boolean =>
  ['ADD', 'UPDATE', 'DELETE', 'UNDO'].includes(operation) &&
  ['stored', 'superseded'].includes(outcome);

export const entriesOf = (tenant: TenantState): readonly JournalEntry[] =>
  [...tenant.scopes.values()].flatMap(({ journal }) => journal);

const entryOf = (tenant: TenantState, id: Uuid): JournalEntry | undefined =>
  entriesOf(tenant).find((entry) => entry.operation_id === id && isUndoable(entry));

const undoOf = (tenant: TenantState, id: Uuid): JournalEntry | undefined =>
  entriesOf(tenant).find(
    (entry) => entry.operation === 'UNDO' && entry.outcome === 'stored' && entry.caused_by === id,
  );

/** An undo that was undone put the operation back: what takes effect now is the last of them. */
function followUndos(
  tenant: TenantState,
  entry: JournalEntry,
): { readonly entry: JournalEntry; readonly undoneBy: Uuid | null } {
  const undo = undoOf(tenant, entry.operation_id);
  if (!undo) return { entry, undoneBy: null };
  const again = undoOf(tenant, undo.operation_id);
  return again ? followUndos(tenant, again) : { entry, undoneBy: undo.operation_id };
}

/** All versions of the root; of a value, those of its key. */
export function slotsAround(tenant: TenantState, root: Uuid): readonly Slot[] {
  const own = tenant.roots.get(root) ?? [];
  const entry = own[0]?.entry;
  if (entry?.table !== 'memory_schema_typed') return own;
  return tenant.typed.get(typedKey(entry.row.scope_uuid, entry.row)) ?? own;
}

/** What was believed at a head; what the operation itself withdrew counts as if it had not. */
function heldAt(slots: readonly Slot[], head: number, { seq }: JournalEntry): readonly Held[] {
  return slots.flatMap((slot) => {
    const { row } = slot.entry;
    const isGone =
      row.retired_seq !== null &&
      row.retired_seq <= head &&
      !(row.retired_seq === seq && row.cause === 'cascade');
    if (row.status !== 'live' || row.recorded_seq > head || isGone) return [];
    const isOpen = row.closed_seq !== null && row.closed_seq > head;
    return [{ slot, from: row.valid_from, until: isOpen ? null : row.valid_until }];
  });
}

const isSame = (one: Held, other: Held): boolean =>
  one.slot === other.slot && one.from === other.from && one.until === other.until;

function standingFor(tenant: TenantState, { slot, from, until }: Held): Slot | null {
  const found = partsOf(tenant, slot).find(
    (part) =>
      isBelieved(part) &&
      part.entry.row.valid_from === from &&
      part.entry.row.valid_until === until,
  );
  return found ?? null;
}

const lastChange = (tenant: TenantState, slot: Slot): number =>
  partsOf(tenant, slot)
    .filter(({ entry }) => entry.row.status === 'live')
    .reduce(
      (last, { entry: { row } }) => Math.max(last, row.closed_seq ?? 0, row.retired_seq ?? 0),
      0,
    );

/** What was there already was right, over a time of its own; a copy is as wrong as its whole. */
function causeFor(tenant: TenantState, { entry: { row } }: Slot, seq: number): Cause {
  if (row.recorded_seq !== seq) return 'change';
  const whole = row.recut_of === null ? undefined : tenant.versions.get(row.recut_of);
  if (row.recut_of === null) return 'correction';
  return whole?.entry.row.status === 'live' && WITHDRAWING.has(whole.entry.row.cause)
    ? 'correction'
    : 'change';
}

function effectsOf(
  around: readonly Slot[],
  goes: Comparison['goes'],
  comes: Comparison['comes'],
): UndoPlan['effects'] {
  const touched = [...goes, ...comes]
    .map(({ slot }) => slot.entry)
    .sort((a, b) => (a.row.uuid < b.row.uuid ? -1 : 1));
  const last = new Map<Uuid, AnyRow>(touched.map((entry) => [entry.row.root_uuid, entry]));
  return [...last].map(([root, entry]) => {
    const own = around.filter((slot) => slot.entry.row.root_uuid === root);
    const believed = own.filter(isBelieved);
    const isLeft = believed.some((slot) => !goes.some((gone) => gone.slot === slot));
    const is = isLeft || comes.some(({ slot }) => slot.entry.row.root_uuid === root);
    return { entry, was: believed.length > 0, is };
  });
}

interface Place {
  readonly scope: Uuid;
  readonly seq: number;
}

/** Where something believed derives from what came, or stands on a root that ends. */
function builtFrom(
  tenant: TenantState,
  {
    entry,
    came,
    effects,
  }: {
    readonly entry: JournalEntry;
    readonly came: readonly Held[];
    readonly effects: UndoPlan['effects'];
  },
): readonly Place[] {
  const returned = entriesOf(tenant)
    .filter(({ operation, caused_by: by }) => operation === 'RETURN' && by === entry.operation_id)
    .flatMap(({ uuid }) => (uuid === null ? [] : (tenant.versions.get(uuid) ?? [])));
  const brought = came
    .map(({ slot }) => slot)
    .filter((slot) => slot.entry.row.recorded_seq === entry.seq);
  const sources = new Set([...brought, ...returned].flatMap((slot) => partsOf(tenant, slot)));
  const ended = new Set(
    effects.flatMap(({ entry: { row }, was, is }) => (was && !is ? [row.root_uuid] : [])),
  );
  const isBuilt = (slot: Slot): boolean =>
    wholesOf(tenant, slot).some((whole) =>
      linksFrom(tenant, whole).some((link) =>
        [...sources].some((of) => isReadBy(tenant, link, of)),
      ),
    );
  return [...tenant.versions.values()]
    .filter(isBelieved)
    .filter((slot) => isBuilt(slot) || leansOn(slot, ended))
    .map(({ entry: { row } }) => ({ scope: row.scope_uuid, seq: row.recorded_seq }));
}

function leansOn({ entry }: Slot, ended: ReadonlySet<Uuid>): boolean {
  const { table, row } = entry;
  if (ended.has(row.root_uuid)) return false;
  if (table === 'context_links')
    return (
      row.link_type !== 'derived_from' &&
      row.closed_seq === null &&
      (ended.has(row.from_uuid) || ended.has(row.to_uuid))
    );
  const isBelow = table === 'blocks' && row.parent_uuid !== null && ended.has(row.parent_uuid);
  return isBelow || ended.has(row.scope_uuid);
}

/** What wrote there; of what fell or came back with another operation, that one. */
export function operationsAt(
  tenant: TenantState,
  places: readonly Place[],
): readonly NamedOperation[] {
  const named = new Map<Uuid, NamedOperation>();
  for (const { scope, seq } of places) {
    const own = tenant.scopes.get(scope)?.journal.find((entry) => entry.seq === seq);
    const cause =
      own && own.caused_by !== null && own.operation !== 'UNDO'
        ? entryOf(tenant, own.caused_by)
        : undefined;
    const of = cause ?? own;
    if (of) named.set(of.operation_id, { operation_id: of.operation_id, scope: of.scope });
  }
  return [...named.values()].sort((a, b) => (a.operation_id < b.operation_id ? -1 : 1));
}

export function readUndo(
  store: Store,
  tenant: TenantId,
  asked: { readonly operation: Uuid; readonly held: HeldScopes },
): UndoPlan | null {
  const state = store.tenants.get(tenant);
  const found = state ? compare(state, asked.operation) : null;
  if (!found || !holds({ scopes: asked.held }, found.scope)) return null;
  const { scope, root_uuid, undone_by, effects, touched, built_on } = found;
  return { scope, root_uuid, undone_by, effects, touched, built_on };
}

export function operationNamed(
  store: Store,
  tenant: TenantId,
  asked: { readonly operation: Uuid; readonly held: HeldScopes },
): JournaledOperation | null {
  const scopes = [...(store.tenants.get(tenant)?.scopes.values() ?? [])];
  const found = scopes
    .flatMap(({ journal }) => journal)
    .find(({ operation_id: id }) => id === asked.operation);
  if (!found || !holds({ scopes: asked.held }, found.scope)) return null;
  const { operation_id, operation, scope, outcome, root_uuid } = found;
  return { operation_id, operation, scope, outcome, root_uuid };
}

export function takeBack(step: Step<UndoOperation>): Effect {
  const { tx, operation, scope } = step;
  const found = compare(tx.tenant, operation.target);
  if (!found || found.scope !== scope.uuid) throw undoneMissing(operation.target);
  const { entry, goes, comes, touched } = found;
  const named = { uuid: null, root: found.root_uuid, ...(entry.table && { table: entry.table }) };
  if (found.undone_by !== null) return { ...named, outcome: 'duplicate' };
  if (operation.expected && operation.expected.join() !== touched.join())
    return { ...named, outcome: 'conflict' };
  if (found.built_on.length > 0) throw builtOn(operation.target, found.built_on);
  if (touched.length === 0) throw nothingToUndo(operation.target);
  const coming = new Set(comes.map(({ slot }) => slot));
  if (![...coming].every((slot) => isFounded(tx.tenant, slot, coming)))
    throw unfoundedReturn(operation.target);
  for (const { slot, cause } of goes) patch(slot, { retired_seq: step.seq, cause }, tx.undo);
  for (const held of comes) bringBack(tx, held, step.seq);
  const hasLost = goes.some(({ cause }) => WITHDRAWING.has(cause));
  const brought = comes.map(({ slot }) => slot);
  return { ...named, outcome: 'stored', hasLost, back: { undone: entry.operation_id, brought } };
}

export function bringBack(tx: Transaction, { slot, from, until }: Held, seq: number): Slot {
  const { table, row } = slot.entry;
  const uuid = derivedUuid('return', ...seedOf(tx), row.scope_uuid, seq, row.uuid);
  const columns = {
    uuid,
    valid_from: from,
    valid_until: until,
    closed_seq: null,
    recorded_seq: seq,
    retired_seq: null,
    superseded_by: null,
    cause: null,
    operation: 'UNDO',
    recut_of: row.uuid,
  };
  const copy = insert(tx.tenant, toEntry(table, { ...row, ...columns }), tx.undo);
  tx.undo.push(copyVectors(tx.spaces, tx.tenant.tenant, { from: row.uuid, to: uuid }));
  return copy;
}
