/**
 * Lineage by the database's own functions (migrations/0022_lineage.sql): what derives from a row
 * can be any number of rows, in any scope, and none of them comes here.
 */
import type { Fallen, WorkingSet } from '../../../src/ledger/working-set.ts';
import type { Uuid } from '../../../src/model/ids.ts';
import type { Source, SourceRange, Writer } from '../../../src/model/operation.ts';
import { isRange } from '../../../src/model/operation.ts';
import type { SqlSession } from '../driver/sql.ts';
import { asList, asObject, asText } from '../rows.ts';

const toUuid = (value: unknown): Uuid => asText(value) as Uuid; // of a uuid column

/** Which of the versions something derives from: without any, what falls takes nothing along. */
export async function loadDerived(
  tx: SqlSession,
  set: WorkingSet,
  versions: readonly Uuid[],
): Promise<void> {
  const [row] = await tx.query('select context_ops.derived_from_any($1, $2::jsonb) as answer', [
    set.request.tenant,
    JSON.stringify(versions),
  ]);
  set.setDerived(asList(row?.['answer']).map(toUuid));
}

/** Which of the roots that may change each source derives from. */
export async function loadAbove(
  tx: SqlSession,
  set: WorkingSet,
  { sources, changing }: { readonly sources: readonly Uuid[]; readonly changing: readonly Uuid[] },
): Promise<void> {
  const starts = sources.map((uuid) => ({ id: uuid, uuid }));
  if (starts.length === 0) return;
  for (const [source, target] of await targetsAbove(tx, set, { starts, changing }))
    set.setAbove(source as Uuid, set.versionOf(target).entry.row.root_uuid); // an id given above
}

/** The ranges of an operation, as they stand before it; everything before it is carried over. */
export async function loadRanges(
  tx: SqlSession,
  set: WorkingSet,
  sources: readonly Source[],
): Promise<void> {
  const ranges = sources.filter(isRange);
  const [row] = await tx.query('select context_ops.standing_ranges($1, $2::jsonb) as answer', [
    set.request.tenant,
    JSON.stringify(ranges),
  ]);
  const standing = asList(row?.['answer']);
  const changing = [...set.versions.keys()];
  const starts = ranges.map((range, index) => ({ ...range, id: String(index) }));
  const above = await targetsAbove(tx, set, { starts, changing });
  for (const [index, range] of ranges.entries()) {
    const roots = above.flatMap(([id, target]) =>
      id === String(index) ? [set.versionOf(target).entry.row.root_uuid] : [],
    );
    set.setRange({ range, isStanding: standing[index] === true, roots: new Set(roots) });
  }
}

type Start = { readonly id: string } & (
  | { readonly uuid: Uuid }
  | Pick<SourceRange, 'scope' | 'from_seq' | 'to_seq'>
);

async function targetsAbove(
  tx: SqlSession,
  set: WorkingSet,
  asked: { readonly starts: readonly Start[]; readonly changing: readonly Uuid[] },
): Promise<readonly (readonly [id: string, target: Uuid])[]> {
  if (asked.changing.length === 0) return [];
  const [row] = await tx.query(
    'select context_ops.targets_above($1, $2::jsonb, $3::jsonb) as answer',
    [set.request.tenant, JSON.stringify(asked.starts), JSON.stringify(asked.changing)],
  );
  return asList(row?.['answer']).map((pair) => {
    const [id, target] = asList(pair);
    return [asText(id), toUuid(target)] as const;
  });
}

/** What a barrier answers: scopes to lock first, or nothing where it is done. */
export type FurtherLocks = readonly Uuid[];

/**
 * Withdraws all that derives from what fell, and takes over what that means for the working set.
 * The operation itself is carried over already.
 */
export async function withdraw(
  tx: SqlSession,
  set: WorkingSet,
  { uuids, by, decision, writer }: Fallen & { readonly writer: Writer },
): Promise<FurtherLocks> {
  const cause = {
    scope: by.scope,
    seq: by.seq,
    operation_id: by.operation_id,
    recorded_at: set.request.recorded_at,
    ...writer,
    ...decision,
  };
  const watched = [...set.versions.keys()];
  const [row] = await tx.query(
    'select context_ops.withdraw_descendants($1, $2::jsonb, $3::jsonb, $4::jsonb, $5::jsonb) ' +
      'as answer',
    [
      set.request.tenant,
      JSON.stringify(uuids),
      JSON.stringify(cause),
      JSON.stringify(set.lockedScopes()),
      JSON.stringify(watched),
    ],
  );
  const answer = asObject(row?.['answer']);
  if (answer['further'] !== undefined) return asList(answer['further']).map(toUuid);
  for (const each of asList(answer['heads']).map(asObject)) {
    const scope = toUuid(each['scope']);
    set.lockOf(scope).head = Number(each['head']);
    set.written.add(scope);
  }
  for (const each of asList(answer['watched']).map(asObject))
    set.withdrawn(toUuid(each['uuid']), Number(each['seq']));
  return [];
}
