/** Operations, one after the other, all or none. */

import { assertThat, ContextEngineError } from '../../src/codes/errors.ts';
import type { WriteRequest } from '../../src/cxri/contract.ts';
import { placeInSlot, type SlotPlacement } from '../../src/ledger/place-in-slot.ts';
import {
  edgeNotHere,
  idTaken,
  keyMoved,
  lineageByHand,
  linkTypeMoved,
  scopeNotFresh,
  scopeTypeMoved,
  targetMissing,
} from '../../src/ledger/refusals.ts';
import type { LinkContent } from '../../src/model/block.ts';
import { withScopeTime } from '../../src/model/clock.ts';
import { isInSlot, slotOf } from '../../src/model/fact-slot.ts';
import type { Instant } from '../../src/model/ids.ts';
import {
  type AddOperation,
  type DeleteOperation,
  isOfTable,
  type Operation,
  type Outcome,
  type Receipt,
  type UpdateOperation,
  type WriteResult,
} from '../../src/model/operation.ts';
import { appendAudit } from './audit.ts';
import { embeddable } from './embeddings.ts';
import { derivedUuid } from './ids.ts';
import { digestOfPayload } from './keys.ts';
import { checkSources, withdrawDescendants } from './lineage.ts';
import { changed, corrected, deleted } from './placing.ts';
import { saidAgainOf } from './said-again.ts';
import {
  isBelieved,
  type JournalEntry,
  type ScopeState,
  type Slot,
  type Store,
  type TenantState,
  tenantOf,
  typedKey,
} from './store.ts';
import { Transaction } from './transaction.ts';
import { takeBack } from './undo.ts';
import { returnWithdrawn } from './undo-return.ts';
import { append, type Effect, place, type Step, settle } from './write-place.ts';
import { addTyped, othersAgain, saidBefore, spokenBy } from './write-value.ts';

export const write = (store: Store, request: WriteRequest): WriteResult => {
  const result = attempt(store, request, () => true);
  assertThat(result, 'a write that asks for nothing more is kept');
  return result;
};

/** The same; null, and nothing written, where an operation met another version. */
export const writeWhole = (store: Store, request: WriteRequest): WriteResult | null =>
  attempt(store, request, ({ counts }) => counts.conflict === 0);

function attempt(
  store: Store,
  request: WriteRequest,
  isKept: (result: WriteResult) => boolean,
): WriteResult | null {
  const tx = new Transaction(tenantOf(store, request.tenant), request, store.spaces);
  checkNewScopes(tx.tenant, request);
  try {
    const receipts = request.operations.map((operation, index) => {
      tx.begin(index);
      return apply(tx, operation);
    });
    const result = { receipts, counts: countOutcomes(receipts), position: tx.position() };
    if (!isKept(result)) {
      tx.undo.run();
      return null;
    }
    appendAudit(tx.tenant, request.audit ?? []);
    return result;
  } catch (error) {
    tx.undo.run();
    throw error;
  }
}

/** A scope that only this request may make was not there, or nothing new is said in it. */
function checkNewScopes({ scopes }: TenantState, { operations, must_be_new }: WriteRequest): void {
  for (const uuid of must_be_new ?? []) {
    const scope = scopes.get(uuid);
    const own = operations.filter((operation) => operation.scope === uuid);
    if (scope && !own.every(({ idempotency_key: key = '' }) => scope.keys.has(key)))
      throw scopeNotFresh(uuid);
  }
}

function countOutcomes(receipts: readonly Receipt[]): WriteResult['counts'] {
  const count = (outcome: Outcome): number =>
    receipts.filter((receipt) => receipt.outcome === outcome).length;
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

function apply(tx: Transaction, given: Operation): Receipt {
  const scope = tx.scopeOf(given);
  const timed = withScopeTime(given, tx.lastTimeBefore(scope));
  const earlier = earlierEntry(tx.tenant, scope, timed);
  const placed = earlier ? null : inSlot(tx, timed);
  const operation = placed?.kind === 'goes' ? placed.operation : timed;
  const step: Step = { tx, scope, operation, seq: tx.ownSeq(scope) };
  const effect: Effect = earlier
    ? { outcome: 'duplicate', uuid: earlier.uuid, root: earlier.root_uuid }
    : placed?.kind === 'known'
      ? { ...saidBefore(step, placed.uuid), root: placed.root }
      : placed?.kind === 'yields'
        ? { outcome: 'conflict', uuid: null, root: placed.root }
        : carryOut(step);
  tx.claim(operation);
  tx.made(effect.uuid, effect.root);
  const receipt: Receipt = {
    operation_id:
      earlier?.operation_id ?? derivedUuid('operation', tx.tenant.tenant, scope.uuid, step.seq),
    operation: operation.operation,
    table: isOfTable(operation) ? operation.table : (effect.table ?? null),
    outcome: effect.outcome,
    scope: scope.uuid,
    uuid: effect.uuid,
    root_uuid: effect.root,
    seq: earlier?.seq ?? step.seq,
    embedding: effect.embedding ?? 'none',
    ...(operation.reason !== undefined && { reason: operation.reason }),
  };
  const key = earlier ? undefined : operation.idempotency_key;
  tx.journal(scope, {
    seq: step.seq,
    ordinal: 0,
    operation_id: receipt.operation_id,
    operation: operation.operation,
    table: receipt.table,
    uuid: receipt.uuid,
    root_uuid: receipt.root_uuid,
    outcome: receipt.outcome,
    embedding: receipt.embedding,
    reason: receipt.reason ?? null,
    idempotency_key: key ?? null,
    payload_digest: key === undefined ? null : digestOfPayload(tx.tenant, timed),
    caused_by: effect.back?.undone ?? null,
    ...(effect.saidAgain && { said_again: effect.saidAgain }),
  });
  if (effect.hasLost === true) withdrawDescendants(tx, receipt);
  if (effect.back) returnWithdrawn(tx, effect.back, receipt);
  return receipt;
}

const inSlot = ({ tenant, request, moved }: Transaction, operation: Operation): SlotPlacement =>
  placeInSlot(operation, {
    operations: request.operations,
    believed: (fact) => {
      const of = slotOf(fact);
      return (tenant.scopes.get(fact.scope)?.slots.memory_open_set ?? [])
        .filter((slot) => isBelieved(slot) && isInSlot(slot.entry, of))
        .map(({ entry }) => entry);
    },
    rootRows: (root) => (tenant.roots.get(root) ?? []).map(({ entry }) => entry),
    saidAgain: ({ uuid, scope_uuid: scope }) => saidAgainOf(tenant, tenant.scopes.get(scope), uuid),
    moved,
  });

function earlierEntry(
  tenant: TenantState,
  scope: ScopeState,
  operation: Operation,
): JournalEntry | null {
  const key = operation.idempotency_key;
  const known = key === undefined ? undefined : scope.keys.get(key);
  if (!known) return null;
  const { payload_digest: digest } = known;
  if (digest === null || digest === digestOfPayload(tenant, operation)) return known;
  throw new ContextEngineError('WRITE.IDEMPOTENCY_CONFLICT', {
    message: `The idempotency key \`${key}\` was used with another payload.`,
    fix: 'Use a new key for a new operation; repeat the operation unchanged to retry it.',
    meta: { operation_id: known.operation_id, idempotency_key: key },
  });
}

function carryOut(step: Step): Effect {
  const { operation } = step;
  if (operation.operation === 'NOOP') return { outcome: 'stored', uuid: null, root: null };
  if (operation.operation === 'UNDO') return takeBack({ ...step, operation });
  if (operation.operation === 'DELETE') return remove({ ...step, operation });
  if (step.tx.tenant.versions.has(operation.uuid)) throw idTaken(operation.uuid);
  return operation.operation === 'ADD'
    ? add({ ...step, operation })
    : update({ ...step, operation });
}

function add(step: Step<AddOperation>): Effect {
  const { operation, tx } = step;
  if (
    operation.table === 'blocks' &&
    operation.content.is_scope &&
    operation.uuid !== operation.scope
  ) {
    throw new ContextEngineError('WRITE.INVALID', {
      message: `The scope block \`${operation.uuid}\` is written to scope \`${operation.scope}\`.`,
      fix: 'Write a scope block to itself: `scope` and `uuid` are the same.',
    });
  }
  const { content } = operation;
  if (operation.table === 'memory_schema_typed') {
    const believed = (
      tx.tenant.typed.get(typedKey(step.scope.uuid, operation.content)) ?? []
    ).filter(isBelieved);
    return addTyped(step, operation.content, believed);
  }
  if (operation.table === 'context_links') checkEdge(step, operation.content);
  checkSources(tx, operation.uuid, operation.sources ?? []);
  const slot = append(step, {
    uuid: operation.uuid,
    root: operation.uuid,
    table: operation.table,
    content,
    valid_from: operation.valid_from,
    valid_until: operation.valid_until ?? null,
  });
  return {
    outcome: 'stored',
    uuid: operation.uuid,
    root: operation.uuid,
    embedding: embeddable(slot.entry) ? 'pending' : 'none',
  };
}

/** An edge leads from a row of the scope that is written; lineage is not written by hand. */
function checkEdge({ tx, scope }: Step, content: LinkContent): void {
  const { from_uuid: from, to_uuid: to, link_type: type } = content;
  if (type === 'derived_from') throw lineageByHand();
  const rows = tx.tenant.roots.get(from) ?? [];
  const isHere =
    from === scope.uuid ||
    rows.some(({ entry: { row } }) => row.scope_uuid === scope.uuid && row.status === 'live');
  if (!isHere) throw edgeNotHere(from, scope.uuid);
  if (to !== scope.uuid && tx.isOnlyClaimed(to)) throw targetMissing(to);
}

const covers = ({ entry: { row } }: Slot, at: Instant): boolean =>
  row.valid_from <= at && (row.valid_until === null || at < row.valid_until);

function update(step: Step<UpdateOperation>): Effect {
  const { operation } = step;
  const versions = versionsOf(step, operation);
  const believed = versions.filter(isBelieved);
  if (isStale(operation, believed))
    return { outcome: 'conflict', uuid: null, root: operation.root_uuid };
  checkKey(versions, operation);
  if (operation.table === 'context_links') {
    checkEdge(step, operation.content);
    checkLinkType(versions, operation.content);
  }
  checkLineage(versions);
  checkScopeBlock(versions, operation);
  const rows = believed.map((slot) => slot.entry.row);
  if (operation.cause !== 'correction') {
    return place(
      step,
      operation.root_uuid,
      changed(rows, {
        ...spokenBy(operation),
        cause: operation.cause,
        ...(operation.table === 'memory_schema_typed' && {
          othersAgain: othersAgain(step, operation.content, believed),
        }),
      }),
    );
  }
  const placement = corrected(rows, operation.valid_from, spokenBy(operation));
  if (!placement)
    throw notFound(operation, `has no version at \`${operation.valid_from}\` to correct`);
  return place(step, operation.root_uuid, placement);
}

function checkKey(
  [kept]: readonly Slot[],
  { table, content, root_uuid, scope }: UpdateOperation,
): void {
  if (table !== 'memory_schema_typed' || kept?.entry.table !== 'memory_schema_typed') return;
  const { row } = kept.entry;
  if (typedKey(scope, row) === typedKey(scope, content)) return;
  throw keyMoved(root_uuid, row);
}

function checkLinkType([kept]: readonly Slot[], { link_type: type }: LinkContent): void {
  if (kept?.entry.table === 'context_links' && kept.entry.row.link_type !== type)
    throw linkTypeMoved(kept.entry.row.root_uuid);
}

/** A `derived_from` link ends with its row. */
function checkLineage([kept]: readonly Slot[]): void {
  if (kept?.entry.table === 'context_links' && kept.entry.row.link_type === 'derived_from')
    throw lineageByHand();
}

function checkScopeBlock([kept]: readonly Slot[], { table, content }: UpdateOperation): void {
  if (table !== 'blocks' || kept?.entry.table !== 'blocks') return;
  const { row } = kept.entry;
  const isKept = row.is_scope
    ? content.is_scope && content.block_type === row.block_type
    : !content.is_scope;
  if (!isKept) throw scopeTypeMoved(row.root_uuid);
}

function remove(step: Step<DeleteOperation>): Effect {
  const { operation } = step;
  const versions = versionsOf(step, operation);
  checkLineage(versions);
  const believed = versions.filter(isBelieved);
  if (isStale(operation, believed))
    return { outcome: 'conflict', uuid: null, root: operation.root_uuid };
  const hasLost = settle(
    step,
    deleted(
      believed.map((slot) => slot.entry.row),
      operation.cause,
      operation.valid_from,
    ),
  );
  return { outcome: 'stored', uuid: null, root: operation.root_uuid, hasLost };
}

function versionsOf(step: Step, operation: UpdateOperation | DeleteOperation): readonly Slot[] {
  const versions = (step.tx.tenant.roots.get(operation.root_uuid) ?? []).filter(
    ({ entry: { table, row } }) =>
      table === operation.table && row.scope_uuid === step.scope.uuid && row.status === 'live',
  );
  if (versions.length === 0) throw notFound(operation, 'is not there');
  return versions;
}

const notFound = (operation: UpdateOperation | DeleteOperation, what: string): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message:
      `\`${operation.root_uuid}\` ${what} in \`${operation.table}\` of scope ` +
      `\`${operation.scope}\`.`,
    fix: 'Name the root that an ADD of this scope returned, and an instant at which it was valid.',
  });

/**
 * A correction was judged against the version at its instant, anything else against the last one.
 */
function isStale(operation: UpdateOperation | DeleteOperation, believed: readonly Slot[]): boolean {
  if (operation.expected_version === undefined) return false;
  const last = believed.reduce<Slot | undefined>(
    (latest, slot) =>
      latest && latest.entry.row.valid_from > slot.entry.row.valid_from ? latest : slot,
    undefined,
  );
  const current =
    operation.cause === 'correction'
      ? believed.find((slot) => covers(slot, operation.valid_from))
      : last;
  return current?.entry.row.uuid !== operation.expected_version;
}
