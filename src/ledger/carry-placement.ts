/** Carries a placement out on the working set: new versions, ends and re-cut intervals. */
import { type AnyRow, type LinkContent, type LinkRange, NO_RANGE } from '../model/block.ts';
import { type Instant, parseUuid, type Uuid } from '../model/ids.ts';
import type { SaidAgain } from '../model/journal.ts';
import {
  type AddOperation,
  isRange,
  type Operation,
  type Outcome,
  type Receipt,
  type Source,
  type UpdateOperation,
} from '../model/operation.ts';
import { checkSources } from './check-sources.ts';
import { toEntry } from './entry.ts';
import type { Placement } from './placing.ts';
import { WITHDRAWING } from './withdrawal.ts';
import type { WorkingSet } from './working-set.ts';

/** An operation with its place in the order of its scope. */
export interface Step<O extends Operation = Operation> {
  readonly set: WorkingSet;
  readonly seq: number;
  readonly operation: O;
  readonly idOf: (...parts: readonly (string | number)[]) => Uuid;
}
export interface Effect {
  readonly outcome: Outcome;
  readonly uuid: Uuid | null;
  readonly root: Uuid | null;
  readonly embedding?: Receipt['embedding'];
  /** Of an undo: the table of what it takes back, and the operation. */
  readonly table?: AnyRow['table'];
  readonly causedBy?: Uuid;
  /** Of a duplicate: from when on it says again what is there. */
  readonly saidAgain?: SaidAgain;
}

/** Carries out a placement that brings a new version. */
export function place(
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

/** Closes, retires and re-cuts. What was derived from what turned out wrong falls afterwards. */
export function carry(step: Step, placement: Placement): void {
  const { set, seq, operation } = step;
  for (const { uuid, valid_until, superseded_by } of placement.close)
    set.settle(set.versionOf(uuid), {
      valid_until,
      closed_seq: seq,
      superseded_by,
      cause: 'change',
    });
  for (const { uuid, cause, superseded_by } of placement.retire) {
    const version = set.versionOf(uuid);
    set.settle(version, {
      retired_seq: seq,
      cause,
      superseded_by: version.entry.row.superseded_by ?? superseded_by,
    });
    if (WITHDRAWING.has(cause)) set.fall(version);
  }
  for (const [index, item] of placement.append.entries()) {
    if (item.kind !== 'recut') continue;
    const { table, row } = set.versionOf(item.copy_of).entry;
    const { valid_from, valid_until } = item;
    const columns = {
      uuid: besideId(row.uuid, step.idOf('recut', ...seedOf(set), row.scope_uuid, seq, index)),
      valid_from,
      valid_until,
      operation: operation.operation,
      ...asRecut(row, seq),
    };
    set.add(toEntry(table, { ...row, ...columns }), 'new');
  }
}

/** With the first half of the id of what it is a copy of, so that it is listed in its place. */
const besideId = (of: Uuid, id: Uuid): Uuid =>
  parseUuid(of.slice(0, ID_HALF) + id.slice(ID_HALF), 'uuid');
const ID_HALF = 18;

/** What a version has that nothing has happened to yet. */
const fresh = (seq: number) => ({
  closed_seq: null,
  recorded_seq: seq,
  retired_seq: null,
  superseded_by: null,
  cause: null,
});

/** What a copy of a version has that nothing has happened to yet. */
export const asRecut = ({ uuid }: AnyRow['row'], seq: number) => ({
  ...fresh(seq),
  recut_of: uuid,
});

export const seedOf = ({ request: { seed } }: WorkingSet): readonly string[] =>
  seed === undefined ? [] : [seed];

/** Adds the operation's version, and a link to each of its sources. */
export function bring(
  step: Step<AddOperation | UpdateOperation>,
  as: { readonly root: Uuid; readonly valid_from: Instant; readonly valid_until: Instant | null },
): Effect {
  const { set, seq, operation } = step;
  const { root, valid_from, valid_until } = as;
  const common = {
    tenant_id: set.request.tenant,
    scope_uuid: operation.scope,
    ...fresh(seq),
    status: 'live',
    recut_of: null,
    valid_from,
  };
  const { entry } = set.add(
    toEntry(operation.table, {
      ...operation.content,
      ...(operation.table === 'context_links' && NO_RANGE),
      ...common,
      uuid: operation.uuid,
      root_uuid: root,
      valid_until,
      operation: operation.operation,
    }),
    'new',
  );
  for (const [ordinal, source] of (operation.sources ?? []).entries()) {
    const id = step.idOf('source', ...seedOf(set), set.request.tenant, operation.uuid, ordinal);
    const link: LinkContent & LinkRange = {
      link_type: 'derived_from',
      from_uuid: operation.uuid,
      ordinal,
      weight: 1,
      metadata: {},
      ...endOf(step, source),
    };
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

/**
 * A source is of what was believed before the operation: none of it was retired since its reading.
 */
function endOf(
  { set, seq, operation }: Step,
  source: Source,
): { readonly to_uuid: Uuid } & LinkRange {
  const scope = isRange(source) ? source.scope : set.versionOf(source).entry.row.scope_uuid;
  const seen_seq = scope === operation.scope ? seq - 1 : set.lockOf(scope).head;
  if (!isRange(source)) return { to_uuid: source, ...NO_RANGE, seen_seq };
  return { to_uuid: scope, from_seq: source.from_seq, to_seq: source.to_seq, seen_seq };
}

/** Scopes, typed values, links and empty texts have no vector. */
const needsVector = ({ table, row }: AnyRow): boolean =>
  table === 'blocks'
    ? !row.is_scope && row.content !== ''
    : (table === 'memory_open_set' || table === 'subtree_summaries') && row.content !== '';
