/**
 * Operations, one after the other, on the working set: which versions close, retire and come.
 * Placing is `src/ledger/placing.ts`'s.
 */

import { ContextEngineError } from '../../../src/codes/errors.ts';
import { canonicalJson, payloadOf } from '../../../src/cxri/payload.ts';
import { keyMoved } from '../../../src/cxri/refuse.ts';
import {
  type Placement,
  placeChange,
  placeCorrection,
  placeDelete,
  placeValue,
} from '../../../src/ledger/placing.ts';
import type { AnyRow, LinkContent, TypedContent } from '../../../src/model/block.ts';
import { withScopeTime } from '../../../src/model/clock.ts';
import type { Uuid } from '../../../src/model/ids.ts';
import type {
  AddOperation,
  DeleteOperation,
  Operation,
  Outcome,
  Receipt,
  UpdateOperation,
} from '../../../src/model/operation.ts';
import { digestUuid, sha256 } from '../ids.ts';
import { toEntry } from '../rows.ts';
import { checkEdge, checkKept, checkLineageEnd } from './write-edges.ts';
import { checkSources, withdrawDescendants } from './write-lineage.ts';
import { covers, isBelieved, typedKeyOf, type Version, type WriteSet } from './write-set.ts';

/** An operation with its place in the order of its scope. */
interface Step<O extends Operation = Operation> {
  readonly set: WriteSet;
  readonly seq: number;
  readonly operation: O;
}
interface Effect {
  readonly outcome: Outcome;
  readonly uuid: Uuid | null;
  readonly root: Uuid | null;
  readonly embedding?: Receipt['embedding'];
}

/**
 * Applies one operation and journals it; its receipt. A repeated key changes nothing and gets the
 * ids of the first time.
 */
export function applyOperation(set: WriteSet, given: Operation): Receipt {
  const operation = withScopeTime(given, set.lockOf(given.scope).recordedAt);
  const { scope, idempotency_key: key } = operation;
  const seq = set.nextSeq(scope);
  const digest = key === undefined ? '' : sha256(payloadOf(operation));
  const earlier = key === undefined ? undefined : set.known(scope, key);
  if (earlier && earlier.digest !== digest) throw keyConflict(key, earlier.receipt);
  const effect: Effect = earlier
    ? { outcome: 'duplicate', uuid: earlier.receipt.uuid, root: earlier.receipt.root_uuid }
    : carryOut({ set, seq, operation });
  set.claim(operation);
  set.made(effect.uuid, effect.root);
  const receipt: Receipt = {
    operation_id:
      earlier?.receipt.operation_id ?? digestUuid('operation', set.request.tenant, scope, seq),
    operation: operation.operation,
    table: operation.operation === 'NOOP' ? null : operation.table,
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
    operation: operation.operation,
    table: receipt.table,
    uuid: receipt.uuid,
    root: receipt.root_uuid,
    receipt,
    ...(isFirst && { key: { key, digest } }),
  });
  return receipt;
}

const keyConflict = (key: string | undefined, receipt: Receipt): ContextEngineError =>
  new ContextEngineError('WRITE.IDEMPOTENCY_CONFLICT', {
    message: `The idempotency key \`${key}\` was used with another payload.`,
    fix: 'Use a new key for a new operation; repeat the operation unchanged to retry it.',
    meta: { operation_id: receipt.operation_id },
  });

function carryOut(step: Step): Effect {
  const { operation, set } = step;
  if (operation.operation === 'NOOP') return { outcome: 'stored', uuid: null, root: null };
  if (operation.operation === 'DELETE') return remove({ ...step, operation });
  set.checkFree(operation.uuid);
  if (operation.valid_until !== undefined && operation.valid_until <= operation.valid_from) {
    throw invalid(
      `\`valid_until\` is \`${operation.valid_until}\`, not after \`valid_from\` \`${operation.valid_from}\`.`,
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
    isSame: ({ uuid }) => isSameValue(set.versionOf(uuid).entry, content),
  });
  if (placed.isNews) return place(step, placed.root ?? operation.uuid, placed.placement);
  const { row } = set.versionOf(placed.uuid).entry;
  return { outcome: 'duplicate', uuid: row.uuid, root: row.root_uuid };
}

const isSameValue = (entry: AnyRow, content: TypedContent): boolean =>
  entry.table === 'memory_schema_typed' &&
  entry.row.type === content.type &&
  canonicalJson(entry.row.value) === canonicalJson(content.value);

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
  const change = {
    uuid: operation.uuid,
    from: operation.valid_from,
    until: operation.valid_until ?? null,
    cause: operation.cause,
  };
  return place(step, operation.root_uuid, placeChange(rowsOf(believed), change));
}

function checkKey(set: WriteSet, { table, content, root_uuid, scope }: UpdateOperation): void {
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
  set: WriteSet,
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
    message: `\`${operation.root_uuid}\` ${what} in \`${operation.table}\` of scope \`${operation.scope}\`.`,
    fix: 'Name the root that an ADD of this scope returned, and an instant at which it was valid.',
  });

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

/** Carries out a placement that brings a new version. */
function place(
  step: Step<AddOperation | UpdateOperation>,
  root: Uuid,
  placement: Placement,
): Effect {
  checkSources(step.set, root, step.operation.sources ?? []);
  carry(step, placement);
  const fresh = placement.append.find(({ kind }) => kind === 'new');
  const effect = bring(step, {
    root,
    valid_from: fresh?.valid_from ?? step.operation.valid_from,
    valid_until: fresh?.valid_until ?? null,
  });
  const hasGivenWay = placement.close.length > 0 || placement.retire.length > 0;
  return hasGivenWay ? { ...effect, outcome: 'superseded' } : effect;
}

/** Closes, retires and re-cuts; then withdraws what was derived from what turned out wrong. */
function carry(step: Step, placement: Placement): void {
  const { set, seq, operation } = step;
  for (const { uuid, valid_until, superseded_by } of placement.close)
    set.settle(set.versionOf(uuid), {
      valid_until,
      closed_seq: seq,
      superseded_by,
      cause: 'change',
    });
  const retired = placement.retire.map(({ uuid, cause, superseded_by }) => {
    const version = set.versionOf(uuid);
    set.settle(version, {
      retired_seq: seq,
      cause,
      superseded_by: version.entry.row.superseded_by ?? superseded_by,
    });
    return version;
  });
  for (const [index, item] of placement.append.entries()) {
    if (item.kind !== 'recut') continue;
    const { table, row } = set.versionOf(item.copy_of).entry;
    const { valid_from, valid_until } = item;
    const columns = {
      uuid: digestUuid('recut', ...seedOf(set), row.scope_uuid, seq, index),
      valid_from,
      valid_until,
      closed_seq: null,
      recorded_seq: seq,
      retired_seq: null,
      superseded_by: null,
      cause: null,
      operation: operation.operation,
    };
    set.add(toEntry(table, { ...row, ...columns }), 'new');
  }
  withdrawDescendants(set, retired, { scope: operation.scope, seq });
}

const seedOf = ({ request: { seed } }: WriteSet): readonly string[] =>
  seed === undefined ? [] : [seed];

/** Adds the operation's version, and a link to each of its sources. */
function bring(
  step: Step<AddOperation | UpdateOperation>,
  as: { readonly root: Uuid; readonly valid_from: string; readonly valid_until: string | null },
): Effect {
  const { set, seq, operation } = step;
  const { root, valid_from, valid_until } = as;
  const common = {
    tenant_id: set.request.tenant,
    scope_uuid: operation.scope,
    recorded_seq: seq,
    closed_seq: null,
    retired_seq: null,
    superseded_by: null,
    cause: null,
    status: 'live',
    valid_from,
  };
  const { entry } = set.add(
    toEntry(operation.table, {
      ...operation.content,
      ...common,
      uuid: operation.uuid,
      root_uuid: root,
      valid_until,
      operation: operation.operation,
    }),
    'new',
  );
  for (const [ordinal, source] of (operation.sources ?? []).entries()) {
    const link: LinkContent = {
      link_type: 'derived_from',
      from_uuid: root,
      to_uuid: source,
      ordinal,
      weight: 1,
      metadata: {},
    };
    const id = digestUuid('source', ...seedOf(set), set.request.tenant, operation.uuid, ordinal);
    set.add(
      toEntry('context_links', {
        ...link,
        ...common,
        uuid: id,
        root_uuid: id,
        valid_until: null,
        operation: 'ADD',
      }),
      'new',
    );
  }
  return {
    outcome: 'stored',
    uuid: operation.uuid,
    root,
    embedding: needsVector(entry) ? 'pending' : 'none',
  };
}

/** Scopes, typed values, links and empty texts have no vector. */
const needsVector = ({ table, row }: AnyRow): boolean =>
  table === 'blocks'
    ? !row.is_scope && row.content !== ''
    : (table === 'memory_open_set' || table === 'subtree_summaries') && row.content !== '';
