/**
 * Operations, one after the other, on the working set: which versions close, retire and come.
 * Placing is `placing.ts`'s.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { AnyRow, TypedContent } from '../model/block.ts';
import { withScopeTime } from '../model/clock.ts';
import type { Uuid } from '../model/ids.ts';
import {
  type AddOperation,
  type DeleteOperation,
  isOfTable,
  type Operation,
  type Receipt,
  type UpdateOperation,
} from '../model/operation.ts';
import { takeBack, type UndoFacts } from './apply-undo.ts';
import { bring, carry, type Effect, place, type Step } from './carry-placement.ts';
import { checkEdge, checkKept, checkLineageEnd } from './check-edges.ts';
import { checkSources } from './check-sources.ts';
import type { SlotPlacement } from './place-in-slot.ts';
import {
  type BelievedValue,
  nextOf,
  placeChange,
  placeCorrection,
  placeDelete,
  placeValue,
  type Said,
} from './placing.ts';
import { keyMoved } from './refusals.ts';
import { saidAgainBy } from './said-again.ts';
import { isSameJson } from './same-content.ts';
import { isBelieved, typedKeyOf, type Version, type WorkingSet } from './working-set.ts';

/** What the ledger does not make itself. */
export interface Making {
  /** The id that stands for these parts. */
  readonly idOf: (...parts: readonly (string | number)[]) => Uuid;
  /** Of the payload that a repeated key must repeat. */
  readonly digestOf: (operation: Operation) => string;
}

/**
 * Applies one operation and journals it; its receipt. A repeated key changes nothing and gets the
 * ids of the first time.
 */
export function applyOperation(
  set: WorkingSet,
  given: Operation,
  making: Making & { readonly undone?: UndoFacts | undefined },
): Receipt {
  const timed = withScopeTime(given, set.lockOf(given.scope).recordedAt);
  const { scope, idempotency_key: key } = timed;
  const seq = set.nextSeq(scope);
  const digest = key === undefined ? '' : making.digestOf(timed);
  const earlier = key === undefined ? undefined : set.known(scope, key);
  if (earlier && earlier.digest !== null && earlier.digest !== digest)
    throw keyConflict(key, earlier.receipt);
  const placed = earlier ? null : set.placeInSlot(timed);
  const operation = placed?.kind === 'goes' ? placed.operation : timed;
  const effect: Effect = earlier
    ? { outcome: 'duplicate', uuid: earlier.receipt.uuid, root: earlier.receipt.root_uuid }
    : (settledInSlot(set, timed, placed) ??
      carryOut({ set, seq, operation, idOf: making.idOf }, making.undone));
  set.claim(operation);
  set.made(effect.uuid, effect.root);
  const receipt: Receipt = {
    operation_id:
      earlier?.receipt.operation_id ?? making.idOf('operation', set.request.tenant, scope, seq),
    operation: operation.operation,
    table: isOfTable(operation) ? operation.table : (effect.table ?? null),
    outcome: effect.outcome,
    scope,
    uuid: effect.uuid,
    root_uuid: effect.root,
    seq: earlier?.receipt.seq ?? seq,
    embedding: effect.embedding ?? 'none',
    ...(operation.reason !== undefined && { reason: operation.reason }),
  };
  const isFirst = key !== undefined && !earlier;
  if (isFirst) set.remember(scope, key, { digest, receipt });
  set.record({
    scope,
    seq,
    receipt,
    ...(effect.causedBy !== undefined && { causedBy: effect.causedBy }),
    ...(effect.saidAgain !== undefined && { saidAgain: effect.saidAgain }),
    ...(isFirst && { key: { key, digest } }),
  });
  return receipt;
}

/** What its slot holds already, or holds against it; null = it is carried out. */
function settledInSlot(
  set: WorkingSet,
  operation: Operation,
  placed: SlotPlacement | null,
): Effect | null {
  if (placed?.kind === 'known') return saidBefore(set.versionOf(placed.uuid).entry.row, operation);
  if (placed?.kind === 'yields') return { outcome: 'conflict', uuid: null, root: placed.root };
  return null;
}

const keyConflict = (key: string | undefined, receipt: Receipt): ContextEngineError =>
  new ContextEngineError('WRITE.IDEMPOTENCY_CONFLICT', {
    message: `The idempotency key \`${key}\` was used with another payload.`,
    fix: 'Use a new key for a new operation; repeat the operation unchanged to retry it.',
    meta: { operation_id: receipt.operation_id, idempotency_key: key },
  });

function carryOut(step: Step, undone: UndoFacts | undefined): Effect {
  const { operation, set } = step;
  if (operation.operation === 'NOOP') return { outcome: 'stored', uuid: null, root: null };
  if (operation.operation === 'UNDO') return takeBack({ ...step, operation }, undone);
  if (operation.operation === 'DELETE') return remove({ ...step, operation });
  set.checkFree(operation.uuid);
  if (operation.valid_until !== undefined && operation.valid_until <= operation.valid_from) {
    throw invalid(
      `\`valid_until\` is \`${operation.valid_until}\`, not after \`valid_from\` ` +
        `\`${operation.valid_from}\`.`,
      'End the interval after its beginning, or leave `valid_until` out.',
    );
  }
  return operation.operation === 'ADD'
    ? add({ ...step, operation })
    : update({ ...step, operation });
}

const invalid = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', { message: `${message} Nothing was written.`, fix });

function add(step: Step<AddOperation>): Effect {
  const { operation, set } = step;
  if (operation.table === 'memory_schema_typed') return addTyped(step, operation.content);
  if (
    operation.table === 'blocks' &&
    operation.content.is_scope &&
    operation.uuid !== operation.scope
  ) {
    throw invalid(
      `The scope block \`${operation.uuid}\` is written to scope \`${operation.scope}\`.`,
      'Write a scope block to itself: `scope` and `uuid` are the same.',
    );
  }
  if (operation.table === 'context_links') checkEdge(set, operation.scope, operation.content);
  checkSources(set, operation.uuid, operation.sources ?? []);
  return bring(step, {
    root: operation.uuid,
    valid_from: operation.valid_from,
    valid_until: operation.valid_until ?? null,
  });
}

/** A value takes its place on the timeline of its key; what holds there already is no news. */
function addTyped(step: Step<AddOperation>, content: TypedContent): Effect {
  const { operation, set } = step;
  const believed = set.valuesOf(operation.scope, content).filter(isBelieved);
  const placed = placeValue(rowsOf(believed), {
    uuid: operation.uuid,
    from: operation.valid_from,
    until: operation.valid_until ?? null,
    cardinality: content.cardinality,
    ...valuesIn(set, content),
  });
  if (placed.isNews) {
    const root = placed.root ?? operation.uuid;
    set.went(operation.uuid, root);
    return place(step, root, placed.placement);
  }
  const { row } = set.versionOf(placed.uuid).entry;
  set.went(operation.uuid, row.root_uuid);
  return saidBefore(row, operation);
}

const valuesIn = (set: WorkingSet, content: TypedContent): Said<Pick<BelievedValue, 'uuid'>> => ({
  isSame: ({ uuid }) => isSameValue(set.versionOf(uuid).entry, content),
  saidAgain: ({ uuid }) => set.saidAgain(uuid),
});

function saidBefore(row: AnyRow['row'], operation: Operation): Effect {
  const saidAgain = saidAgainBy(operation, row);
  return {
    ...{ outcome: 'duplicate', uuid: row.uuid, root: row.root_uuid },
    ...(saidAgain !== null && { saidAgain }),
  };
}

const isSameValue = (entry: AnyRow, content: TypedContent): boolean =>
  entry.table === 'memory_schema_typed' &&
  entry.row.type === content.type &&
  isSameJson(entry.row.value, content.value);

const rowsOf = (versions: readonly Version[]): readonly AnyRow['row'][] =>
  versions.map(({ entry }) => entry.row);

function update(step: Step<UpdateOperation>): Effect {
  const { operation } = step;
  const believed = believedOf(step.set, operation);
  if (isStale(operation, believed))
    return { outcome: 'conflict', uuid: null, root: operation.root_uuid };
  checkKey(step.set, operation);
  checkKept(step.set, operation);
  if (operation.cause === 'correction') {
    const placement = placeCorrection(rowsOf(believed), operation.valid_from, {
      uuid: operation.uuid,
      until: operation.valid_until ?? null,
    });
    if (!placement)
      throw notFound(operation, `has no version at \`${operation.valid_from}\` to correct`);
    return place(step, operation.root_uuid, placement);
  }
  const rows = rowsOf(believed);
  const { uuid, valid_from: from, cause } = operation;
  const until =
    operation.valid_until ??
    (operation.table === 'memory_schema_typed'
      ? nextOf(rows, { from, ...valuesIn(step.set, operation.content) })
      : null);
  return place(step, operation.root_uuid, placeChange(rows, { uuid, from, until, cause }));
}

function checkKey(set: WorkingSet, { table, content, root_uuid, scope }: UpdateOperation): void {
  if (table !== 'memory_schema_typed') return;
  const [kept] = set.versionsOf(root_uuid);
  if (
    kept?.entry.table !== 'memory_schema_typed' ||
    typedKeyOf(scope, kept.entry.row) === typedKeyOf(scope, content)
  )
    return;
  throw keyMoved(root_uuid, kept.entry.row);
}

function remove(step: Step<DeleteOperation>): Effect {
  const { operation } = step;
  const believed = believedOf(step.set, operation);
  checkLineageEnd(step.set, operation);
  if (isStale(operation, believed))
    return { outcome: 'conflict', uuid: null, root: operation.root_uuid };
  carry(step, placeDelete(rowsOf(believed), operation.cause, operation.valid_from));
  return { outcome: 'stored', uuid: null, root: operation.root_uuid };
}

function believedOf(
  set: WorkingSet,
  operation: UpdateOperation | DeleteOperation,
): readonly Version[] {
  const versions = set
    .versionsOf(operation.root_uuid)
    .filter(
      ({ entry }) => entry.table === operation.table && entry.row.scope_uuid === operation.scope,
    );
  if (versions.length === 0) throw notFound(operation, 'is not there');
  return versions.filter(isBelieved);
}

const notFound = (operation: UpdateOperation | DeleteOperation, what: string): ContextEngineError =>
  new ContextEngineError('WRITE.NOT_FOUND', {
    message:
      `\`${operation.root_uuid}\` ${what} in \`${operation.table}\` of scope ` +
      `\`${operation.scope}\`.`,
    fix: 'Name the root that an ADD of this scope returned, and an instant at which it was valid.',
  });

const covers = ({ entry: { row } }: Version, at: string): boolean =>
  row.valid_from <= at && (row.valid_until === null || at < row.valid_until);

/**
 * Compare-and-swap. A correction was judged against the version at its instant, anything else
 * against the last one.
 */
function isStale(
  operation: UpdateOperation | DeleteOperation,
  believed: readonly Version[],
): boolean {
  if (operation.expected_version === undefined) return false;
  const last = believed.reduce<Version | undefined>(
    (latest, version) =>
      latest && latest.entry.row.valid_from > version.entry.row.valid_from ? latest : version,
    undefined,
  );
  const current =
    operation.cause === 'correction'
      ? believed.find((version) => covers(version, operation.valid_from))
      : last;
  return current?.entry.row.uuid !== operation.expected_version;
}
