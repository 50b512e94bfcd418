/** Carries a placement out: new versions, ends, re-cut intervals, and what falls with them. */
import { assertThat, ContextEngineError } from '../../src/codes/errors.ts';
import { toEntry } from '../../src/ledger/entry.ts';
import { WITHDRAWING } from '../../src/ledger/withdrawal.ts';
import { type LinkContent, type LinkRange, NO_RANGE, type Table } from '../../src/model/block.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import type { SaidAgain } from '../../src/model/journal.ts';
import {
  type AddOperation,
  isRange,
  type Operation,
  type Outcome,
  type Receipt,
  type Source,
  type UpdateOperation,
} from '../../src/model/operation.ts';
import { embeddable } from './embeddings.ts';
import { copyUuid, derivedUuid } from './ids.ts';
import { checkSources, rememberLost } from './lineage.ts';
import type { Placed } from './placing.ts';
import { insert, isBelieved, patch, type ScopeState, type Slot, typedKey } from './store.ts';
import type { Transaction } from './transaction.ts';

export interface Step<O extends Operation = Operation> {
  readonly tx: Transaction;
  readonly scope: ScopeState;
  readonly seq: number;
  readonly operation: O;
}
/** What came of it. */
export interface Effect {
  readonly outcome: Outcome;
  readonly uuid: Uuid | null;
  readonly root: Uuid | null;
  readonly embedding?: Receipt['embedding'];
  /** Whether a version turned out wrong. */
  readonly hasLost?: boolean;
  /** Of an undo: the table of what it takes back, the operation, and what came back by it. */
  readonly table?: Table;
  readonly back?: { readonly undone: Uuid; readonly brought: readonly Slot[] };
  /** Of a duplicate: from when on it says again what is there. */
  readonly saidAgain?: SaidAgain;
}

/** Carries out a placement that brings a new version. */
export function place(
  step: Step<AddOperation | UpdateOperation>,
  root: Uuid,
  placement: Placed,
): Effect {
  const { operation, tx } = step;
  checkSources(tx, root, operation.sources ?? []);
  const hasLost = settle(step, placement);
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
  const outcome = hasGivenWay ? 'superseded' : 'stored';
  return { outcome, uuid: operation.uuid, root, embedding, hasLost };
}

/** Closes, retires and re-cuts; whether a version turned out wrong. */
export function settle(step: Step, placement: Placed): boolean {
  const { tx, seq } = step;
  const slotOf = (uuid: Uuid): Slot => {
    const slot = tx.tenant.versions.get(uuid);
    assertThat(slot, 'a placement names versions that were given to it');
    return slot;
  };
  for (const { uuid, valid_until, superseded_by } of placement.close)
    patch(slotOf(uuid), { valid_until, closed_seq: seq, superseded_by, cause: 'change' }, tx.undo);
  for (const { uuid, cause, superseded_by } of placement.retire) {
    const slot = slotOf(uuid);
    patch(
      slot,
      { retired_seq: seq, cause, superseded_by: slot.entry.row.superseded_by ?? superseded_by },
      tx.undo,
    );
  }
  for (const [index, item] of placement.append.entries()) {
    if (item.kind !== 'recut') continue;
    const { table, row } = slotOf(item.copy_of).entry;
    const uuid = copyUuid(row.uuid, 'recut', ...seedOf(tx), row.scope_uuid, seq, index);
    const columns = {
      uuid,
      valid_from: item.valid_from,
      valid_until: item.valid_until,
      closed_seq: null,
      recorded_seq: seq,
      retired_seq: null,
      superseded_by: null,
      cause: null,
      recut_of: row.uuid,
    };
    insert(
      tx.tenant,
      toEntry(table, { ...row, ...columns, operation: step.operation.operation }),
      tx.undo,
    );
  }
  return placement.retire.some(({ cause }) => WITHDRAWING.has(cause));
}

export const seedOf = ({ request: { seed } }: Transaction): readonly string[] =>
  seed === undefined ? [] : [seed];

interface NewVersion {
  readonly uuid: Uuid;
  readonly root: Uuid;
  readonly table: Table;
  readonly content: AddOperation['content'];
  readonly valid_from: Instant;
  readonly valid_until: Instant | null;
}

/**
 * A key of one value has one at a time, whichever roots the values are of: an UPDATE can make a
 * value the only one of a key that has another.
 */
function checkOneValue({ tenant }: Transaction, slot: Slot): void {
  const { table, row } = slot.entry;
  if (table !== 'memory_schema_typed' || row.cardinality !== 'one') return;
  const others = (tenant.typed.get(typedKey(row.scope_uuid, row)) ?? []).filter(
    (other) => other !== slot && isBelieved(other),
  );
  const overlaps = ({ entry: { row: other } }: Slot): boolean =>
    (row.valid_until === null || other.valid_from < row.valid_until) &&
    (other.valid_until === null || row.valid_from < other.valid_until);
  const taken = others.find(
    (other) =>
      other.entry.table === 'memory_schema_typed' &&
      other.entry.row.cardinality === 'one' &&
      overlaps(other),
  );
  if (taken) {
    throw new ContextEngineError('WRITE.REFUSED', {
      message:
        `The key \`${row.collection}.${row.property}\` of \`${row.subject}\` has the value ` +
        `\`${taken.entry.row.uuid}\` at that time.`,
      fix: 'Change that value instead; a key of cardinality `one` has one value at a time.',
    });
  }
}

/** A new version, and a link to each of its sources. */
export function append(step: Step<AddOperation | UpdateOperation>, version: NewVersion): Slot {
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
    recut_of: null,
  } as const;
  const slot = insert(
    tx.tenant,
    toEntry(version.table, {
      ...content,
      ...(version.table === 'context_links' && NO_RANGE),
      ...common,
      uuid,
      root_uuid: root,
      valid_from,
      valid_until,
      operation: operation.operation,
    }),
    tx.undo,
  );
  checkOneValue(tx, slot);
  for (const [ordinal, source] of (operation.sources ?? []).entries()) {
    const link: LinkContent & LinkRange = {
      link_type: 'derived_from',
      from_uuid: uuid,
      ordinal,
      weight: 1,
      metadata: {},
      ...endOf(tx, source),
    };
    const id = derivedUuid('source', ...seedOf(tx), tx.tenant.tenant, uuid, ordinal);
    const made = insert(
      tx.tenant,
      toEntry('context_links', {
        ...link,
        ...common,
        uuid: id,
        root_uuid: id,
        valid_from,
        valid_until: null,
        operation: 'ADD',
      }),
      tx.undo,
    );
    rememberLost(tx.tenant, made);
  }
  return slot;
}

const endOf = (tx: Transaction, source: Source): { readonly to_uuid: Uuid } & LinkRange => {
  if (isRange(source)) {
    const { scope, from_seq, to_seq } = source;
    return { to_uuid: scope, from_seq, to_seq, seen_seq: tx.headBefore(scope) };
  }
  const read = tx.tenant.versions.get(source);
  assertThat(read, 'sources are checked before');
  return { to_uuid: source, ...NO_RANGE, seen_seq: tx.headBefore(read.entry.row.scope_uuid) };
};
