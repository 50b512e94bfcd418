/** Operations, one after the other, all or none. */
import type { WriteRequest } from '../../src/cxri/contract.ts';
import { canonicalJson, payloadOf } from '../../src/cxri/payload.ts';
import { keyMoved } from '../../src/cxri/refuse.ts';
import { assertThat, ContextEngineError } from '../../src/errors.ts';
import type { LinkContent, Table, TypedContent } from '../../src/model/block.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import type {
  AddOperation,
  DeleteOperation,
  Operation,
  Outcome,
  Receipt,
  UpdateOperation,
  WriteResult,
} from '../../src/model/operation.ts';
import { type Placement, placeChange, placeCorrection, placeDelete } from '../../src/model/timeline.ts';
import { embeddable } from './embeddings.ts';
import { derivedUuid } from './ids.ts';
import { checkSources, withdrawDescendants } from './lineage.ts';
import { insert, isBelieved, patch, type ScopeState, type Slot, type Store, tenantOf, toEntry, typedKey } from './store.ts';
import { Transaction } from './transaction.ts';

export function write(store: Store, request: WriteRequest): WriteResult {
  const tx = new Transaction(tenantOf(store, request.tenant), request);
  try {
    const receipts = request.operations.map((operation) => apply(tx, operation));
    return { receipts, counts: countOutcomes(receipts), position: tx.position() };
  } catch (error) {
    tx.undo.run();
    throw error;
  }
}

function countOutcomes(receipts: readonly Receipt[]): WriteResult['counts'] {
  const count = (outcome: Outcome): number => receipts.filter((receipt) => receipt.outcome === outcome).length;
  return {
    stored: count('stored'),
    superseded: count('superseded'),
    duplicate: count('duplicate'),
    quarantined: count('quarantined'),
    rejected: count('rejected'),
    conflict: count('conflict'),
  };
}

/** An operation with its place in the order. */
interface Step<O extends Operation = Operation> {
  readonly tx: Transaction;
  readonly scope: ScopeState;
  readonly seq: number;
  readonly operation: O;
}
/** What came of it. */
interface Effect {
  readonly outcome: Outcome;
  readonly uuid: Uuid | null;
  readonly root: Uuid | null;
  readonly embedding?: Receipt['embedding'];
}

function apply(tx: Transaction, operation: Operation): Receipt {
  const scope = tx.scopeOf(operation);
  const earlier = earlierReceipt(scope, operation);
  const step: Step = { tx, scope, operation, seq: tx.nextSeq(scope) };
  const effect: Effect = earlier ? { outcome: 'duplicate', uuid: earlier.uuid, root: earlier.root_uuid } : carryOut(step);
  const receipt: Receipt = {
    operation_id: earlier?.operation_id ?? derivedUuid('operation', tx.tenant.tenant, scope.uuid, step.seq),
    operation: operation.operation,
    table: tableOf(operation),
    outcome: effect.outcome,
    scope: scope.uuid,
    uuid: effect.uuid,
    root_uuid: effect.root,
    seq: earlier?.seq ?? step.seq,
    embedding: effect.embedding ?? 'none',
    ...(operation.reason !== undefined && { reason: operation.reason }),
  };
  tx.journal(scope, {
    scope: scope.uuid,
    seq: step.seq,
    operation: operation.operation,
    table: receipt.table,
    uuid: receipt.uuid,
    root_uuid: receipt.root_uuid,
    receipt,
  });
  const { idempotency_key: key } = operation;
  if (key !== undefined && !earlier) tx.rememberKey(scope, key, { payload: payloadOf(operation), receipt });
  return receipt;
}

const tableOf = (operation: Operation): Table | null => (operation.operation === 'NOOP' ? null : operation.table);

function earlierReceipt(scope: ScopeState, operation: Operation): Receipt | null {
  const key = operation.idempotency_key;
  const known = key === undefined ? undefined : scope.keys.get(key);
  if (!known) return null;
  if (known.payload === payloadOf(operation)) return known.receipt;
  throw new ContextEngineError('WRITE.IDEMPOTENCY_CONFLICT', {
    message: `The idempotency key \`${key}\` was used with another payload.`,
    fix: 'Use a new key for a new operation; repeat the operation unchanged to retry it.',
    meta: { operation_id: known.receipt.operation_id },
  });
}

function carryOut(step: Step): Effect {
  const { operation } = step;
  if (operation.operation === 'NOOP') return { outcome: 'stored', uuid: null, root: null };
  if (operation.operation === 'DELETE') return remove({ ...step, operation });
  if (step.tx.tenant.versions.has(operation.uuid)) {
    throw new ContextEngineError('WRITE.REFUSED', {
      message: `The uuid \`${operation.uuid}\` is taken.`,
      fix: 'Give each version a fresh uuid, and an idempotency key if it may be sent twice.',
    });
  }
  return operation.operation === 'ADD' ? add({ ...step, operation }) : update({ ...step, operation });
}

function add(step: Step<AddOperation>): Effect {
  const { operation, tx } = step;
  if (operation.table === 'blocks' && operation.content.is_scope && operation.uuid !== operation.scope) {
    throw new ContextEngineError('WRITE.INVALID', {
      message: `The scope block \`${operation.uuid}\` is written to scope \`${operation.scope}\`.`,
      fix: 'Write a scope block to itself: `scope` and `uuid` are the same.',
    });
  }
  const { content } = operation;
  if (operation.table === 'memory_schema_typed') {
    const believed = (tx.tenant.typed.get(typedKey(step.scope.uuid, operation.content)) ?? []).filter(isBelieved);
    return addTyped(step, operation.content, believed);
  }
  if (operation.table === 'context_links' && operation.content.link_type === 'derived_from')
    checkSources(tx.tenant, operation.content.from_uuid, [operation.content.to_uuid]);
  checkSources(tx.tenant, operation.uuid, operation.sources ?? []);
  const slot = append(step, {
    uuid: operation.uuid,
    root: operation.uuid,
    table: operation.table,
    content,
    valid_from: operation.valid_from,
    valid_until: operation.valid_until ?? null,
  });
  return { outcome: 'stored', uuid: operation.uuid, root: operation.uuid, embedding: embeddable(slot.entry) ? 'pending' : 'none' };
}

/** A value of a key that holds one takes its place on the timeline of that key; the same value again is no news. */
function addTyped(step: Step<AddOperation>, content: TypedContent, believed: readonly Slot[]): Effect {
  const { operation } = step;
  const same = believed.find(
    (slot) => covers(slot, operation.valid_from) && isSameValue(slot, content) && (operation.valid_until ?? null) === null,
  );
  if (same) return { outcome: 'duplicate', uuid: same.entry.row.uuid, root: same.entry.row.root_uuid };
  const peers = content.cardinality === 'one' ? believed : [];
  const root = peers[0]?.entry.row.root_uuid ?? operation.uuid;
  return place(
    step,
    root,
    placeChange(
      peers.map((slot) => slot.entry.row),
      { uuid: operation.uuid, from: operation.valid_from, until: operation.valid_until ?? null },
    ),
  );
}

const isSameValue = ({ entry }: Slot, content: TypedContent): boolean =>
  entry.table === 'memory_schema_typed' &&
  entry.row.type === content.type &&
  canonicalJson(entry.row.value) === canonicalJson(content.value);

const covers = ({ entry: { row } }: Slot, at: Instant): boolean =>
  row.valid_from <= at && (row.valid_until === null || at < row.valid_until);

function update(step: Step<UpdateOperation>): Effect {
  const { operation } = step;
  const versions = versionsOf(step, operation);
  const believed = versions.filter(isBelieved);
  if (isStale(operation, believed)) return { outcome: 'conflict', uuid: null, root: operation.root_uuid };
  checkKey(versions, operation);
  const rows = believed.map((slot) => slot.entry.row);
  if (operation.cause !== 'correction') {
    return place(
      step,
      operation.root_uuid,
      placeChange(rows, { uuid: operation.uuid, from: operation.valid_from, until: operation.valid_until ?? null, cause: operation.cause }),
    );
  }
  const placement = placeCorrection(rows, operation.valid_from, { uuid: operation.uuid });
  if (!placement) throw notFound(operation, `has no version at \`${operation.valid_from}\` to correct`);
  return place(step, operation.root_uuid, placement);
}

function checkKey([kept]: readonly Slot[], { table, content, root_uuid, scope }: UpdateOperation): void {
  if (table !== 'memory_schema_typed' || kept?.entry.table !== 'memory_schema_typed') return;
  const { row } = kept.entry;
  if (typedKey(scope, row) === typedKey(scope, content)) return;
  throw keyMoved(root_uuid, row);
}

function remove(step: Step<DeleteOperation>): Effect {
  const { operation } = step;
  const believed = versionsOf(step, operation).filter(isBelieved);
  if (isStale(operation, believed)) return { outcome: 'conflict', uuid: null, root: operation.root_uuid };
  settle(
    step,
    placeDelete(
      believed.map((slot) => slot.entry.row),
      operation.cause,
      operation.valid_from,
    ),
  );
  return { outcome: 'stored', uuid: null, root: operation.root_uuid };
}

function versionsOf(step: Step, operation: UpdateOperation | DeleteOperation): readonly Slot[] {
  const versions = (step.tx.tenant.roots.get(operation.root_uuid) ?? []).filter(
    ({ entry }) => entry.table === operation.table && entry.row.scope_uuid === step.scope.uuid,
  );
  if (versions.length === 0) throw notFound(operation, 'is not there');
  return versions;
}

const notFound = (operation: UpdateOperation | DeleteOperation, what: string): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message: `\`${operation.root_uuid}\` ${what} in \`${operation.table}\` of scope \`${operation.scope}\`.`,
    fix: 'Name the root that an ADD of this scope returned, and an instant at which it was valid.',
  });

/** A correction was judged against the version at its instant, anything else against the last one. */
function isStale(operation: UpdateOperation | DeleteOperation, believed: readonly Slot[]): boolean {
  if (operation.expected_version === undefined) return false;
  const last = believed.reduce<Slot | undefined>(
    (latest, slot) => (latest && latest.entry.row.valid_from > slot.entry.row.valid_from ? latest : slot),
    undefined,
  );
  const current = operation.cause === 'correction' ? believed.find((slot) => covers(slot, operation.valid_from)) : last;
  return current?.entry.row.uuid !== operation.expected_version;
}

/** Carries out a placement that brings a new version. */
function place(step: Step<AddOperation | UpdateOperation>, root: Uuid, placement: Placement): Effect {
  const { operation, tx } = step;
  checkSources(tx.tenant, root, operation.sources ?? []);
  settle(step, placement);
  let embedding: Receipt['embedding'] = 'none';
  for (const item of placement.append) {
    if (item.kind !== 'new') continue;
    const slot = append(step, {
      uuid: operation.uuid,
      root,
      table: operation.table,
      content: operation.content,
      valid_from: item.valid_from,
      valid_until: item.valid_until,
    });
    if (embeddable(slot.entry)) embedding = 'pending';
  }
  const hasGivenWay = placement.close.length > 0 || placement.retire.length > 0;
  return { outcome: hasGivenWay ? 'superseded' : 'stored', uuid: operation.uuid, root, embedding };
}

/** Closes, retires, re-cuts, and withdraws what was derived from what turned out wrong. */
function settle(step: Step, placement: Placement): void {
  const { tx, seq } = step;
  const slotOf = (uuid: Uuid): Slot => {
    const slot = tx.tenant.versions.get(uuid);
    assertThat(slot, 'a placement names versions that were given to it');
    return slot;
  };
  for (const { uuid, valid_until, superseded_by } of placement.close)
    patch(slotOf(uuid), { valid_until, closed_seq: seq, superseded_by, cause: 'change' }, tx.undo);
  const retired = placement.retire.map(({ uuid, cause, superseded_by }) => {
    const slot = slotOf(uuid);
    patch(slot, { retired_seq: seq, cause, superseded_by: slot.entry.row.superseded_by ?? superseded_by }, tx.undo);
    return slot;
  });
  for (const [index, item] of placement.append.entries()) {
    if (item.kind !== 'recut') continue;
    const { table, row } = slotOf(item.copy_of).entry;
    const uuid = derivedUuid('recut', row.scope_uuid, seq, index);
    const columns = {
      uuid,
      valid_from: item.valid_from,
      valid_until: item.valid_until,
      closed_seq: null,
      recorded_seq: seq,
      retired_seq: null,
      superseded_by: null,
      cause: null,
    };
    insert(tx.tenant, toEntry(table, { ...row, ...columns, operation: step.operation.operation }), tx.undo);
  }
  withdrawDescendants(tx, retired, step);
}

interface NewVersion {
  readonly uuid: Uuid;
  readonly root: Uuid;
  readonly table: Table;
  readonly content: AddOperation['content'];
  readonly valid_from: Instant;
  readonly valid_until: Instant | null;
}

/** A key of one value has one at a time, whichever roots the values are of: an UPDATE can make a value the only one of a key that has another. */
function checkOneValue({ tenant }: Transaction, slot: Slot): void {
  const { table, row } = slot.entry;
  if (table !== 'memory_schema_typed' || row.cardinality !== 'one') return;
  const others = (tenant.typed.get(typedKey(row.scope_uuid, row)) ?? []).filter((other) => other !== slot && isBelieved(other));
  const overlaps = ({ entry: { row: other } }: Slot): boolean =>
    (row.valid_until === null || other.valid_from < row.valid_until) && (other.valid_until === null || row.valid_from < other.valid_until);
  const taken = others.find(
    (other) => other.entry.table === 'memory_schema_typed' && other.entry.row.cardinality === 'one' && overlaps(other),
  );
  if (taken) {
    throw new ContextEngineError('WRITE.REFUSED', {
      message: `The key \`${row.collection}.${row.property}\` of \`${row.subject}\` has the value \`${taken.entry.row.uuid}\` at that time.`,
      fix: 'Change that value instead; a key of cardinality `one` has one value at a time.',
    });
  }
}

/** A new version, and a link to each of its sources. */
function append(step: Step<AddOperation | UpdateOperation>, version: NewVersion): Slot {
  const { tx, scope, seq, operation } = step;
  const { uuid, root, content, valid_from, valid_until } = version;
  const common = {
    tenant_id: tx.tenant.tenant,
    scope_uuid: scope.uuid,
    recorded_seq: seq,
    closed_seq: null,
    retired_seq: null,
    superseded_by: null,
    cause: null,
    status: 'live',
  } as const;
  const slot = insert(
    tx.tenant,
    toEntry(version.table, { ...content, ...common, uuid, root_uuid: root, valid_from, valid_until, operation: operation.operation }),
    tx.undo,
  );
  checkOneValue(tx, slot);
  for (const [ordinal, source] of (operation.sources ?? []).entries()) {
    const link: LinkContent = { link_type: 'derived_from', from_uuid: root, to_uuid: source, ordinal, weight: 1, metadata: {} };
    const id = derivedUuid('source', tx.tenant.tenant, uuid, ordinal);
    insert(
      tx.tenant,
      toEntry('context_links', { ...link, ...common, uuid: id, root_uuid: id, valid_from, valid_until: null, operation: 'ADD' }),
      tx.undo,
    );
  }
  return slot;
}
