/**
 * Write: all operations or none, under the locks of their scopes, so that sequence order is commit
 * order.
 */
import type { WriteRequest } from '../../../src/cxri/contract.ts';
import { keyedDigest } from '../../../src/cxri/keyed-digest.ts';
import { payloadOf } from '../../../src/cxri/payload.ts';
import { hasMoved } from '../../../src/cxri/proposed-write.ts';
import { applyOperation, type Making } from '../../../src/ledger/apply-operation.ts';
import { copiesOf, type UndoFacts } from '../../../src/ledger/apply-undo.ts';
import { checkNewScopes } from '../../../src/ledger/check-edges.ts';
import {
  type Held,
  isBelieved,
  isBirth,
  keyOf,
  type ScopeLock,
  WorkingSet,
} from '../../../src/ledger/working-set.ts';
import { type AnyRow, TABLES } from '../../../src/model/block.ts';
import type { Uuid } from '../../../src/model/ids.ts';
import {
  countsOf,
  isRange,
  type Operation,
  type Outcome,
  type Receipt,
  type SourceRange,
  type WriteResult,
} from '../../../src/model/operation.ts';
import type { JudgedVersions } from '../../../src/model/proposal.ts';
import type { Database, SqlSession } from '../driver/sql.ts';
import { digestUuid, sha256 } from '../ids.ts';
import { insertAudit } from '../ports/audit.ts';
import {
  isConflict,
  isTakenId,
  throwIfAborted,
  tooManyWriters,
  toWriteError,
} from '../refusals.ts';
import { asList, asObject, asTable, asText, type JsonObject, toTime } from '../rows.ts';
import { flush } from './write-flush.ts';
import { loadRanges, withdraw } from './write-lineage.ts';
import { load, type Wanted, wantedBy } from './write-load.ts';
import { copyVectors, readUndo, returnWithdrawn } from './write-undo.ts';

/**
 * Of a transaction that the server ended in favour of another. Locks are taken in order, so it is
 * rare.
 */
const MAX_CONFLICTS = 5;
/** Each one begins again with more scopes locked; a cascade that grows under way needs several. */
const MAX_WIDENINGS = 50;

/** The result, and how many rows went to each table. */
export interface Written {
  readonly result: WriteResult;
  readonly rows: ReadonlyMap<string, number>;
}

export const write = (database: Database, request: WriteRequest): Promise<Written> =>
  inWrite(database, request, (tx, locking) => writeOnce(tx, { request, ...locking }));

/**
 * Runs a transaction that writes, again from the beginning where it met others or further scopes.
 */
export async function inWrite<T>(
  database: Database,
  request: Pick<WriteRequest, 'operations' | 'signal'>,
  once: (tx: SqlSession, locking: Locking) => Promise<T>,
): Promise<T> {
  const scopes = new Set<Uuid>(request.operations.map(({ scope }) => scope));
  let conflicts = 0;
  let widenings = 0;
  let ids: AskedIds = 'doubtful';
  for (;;) {
    throwIfAborted(request.signal);
    const plan = { scopes, ids };
    try {
      return await database.transaction((tx) => once(tx, plan), request.signal);
    } catch (error) {
      if (isTakenId(error) && ids === 'doubtful') ids = 'all';
      else if (error instanceof FurtherScopes && widenings < MAX_WIDENINGS) {
        widenings += 1;
        for (const scope of error.scopes) scopes.add(scope);
      } else if (isConflict(error) && conflicts < MAX_CONFLICTS) conflicts += 1;
      else throw error instanceof FurtherScopes ? tooManyWriters(error) : toWriteError(error);
    }
  }
}

/**
 * Which new ids are looked up before the rows are made. A row that is always inserted needs none: a
 * taken id is refused by the table. Then the transaction begins again and asks for all of them, so
 * that the refusal names the id. Asking took 5 % of a batch of 200 facts (measured).
 */
type AskedIds = 'doubtful' | 'all';

/** What a transaction that begins again has learnt. */
export interface Locking {
  readonly scopes: ReadonlySet<Uuid>;
  readonly ids: AskedIds;
}

/** `digestKey`: of the tenant; '' where no operation has a key. */
interface Prepared {
  readonly set: WorkingSet;
  readonly digestKey: string;
}

interface Plan extends Locking {
  readonly request: WriteRequest;
}

/**
 * What was read under the locks is also of scopes that are not locked: the transaction begins again
 * with them.
 */
class FurtherScopes extends Error {
  readonly scopes: readonly Uuid[];
  constructor(scopes: readonly Uuid[]) {
    super('the write touches further scopes');
    this.scopes = scopes;
  }
}

async function writeOnce(tx: SqlSession, plan: Plan): Promise<Written> {
  const { request } = plan;
  if (request.operations.length === 0)
    return { result: { receipts: [], counts: countsOf([]), position: [] }, rows: new Map() };
  return writeSet(tx, await prepare(tx, plan), request);
}

/**
 * Where the versions still stand that the write was judged against; null, and nothing written,
 * where not.
 */
export async function writeJudged(
  tx: SqlSession,
  plan: Plan,
  judged: readonly JudgedVersions[],
): Promise<Written | null> {
  const prepared = await prepare(tx, plan);
  const { set } = prepared;
  const believed = (judgedOf: JudgedVersions): readonly AnyRow[] => {
    const { scope, table, root_uuid: root, key } = judgedOf;
    const versions = root !== null ? set.versionsOf(root) : key ? set.valuesOf(scope, key) : [];
    return versions
      .filter((version) => isBelieved(version) && version.entry.table === table)
      .map(({ entry }) => entry);
  };
  return hasMoved(judged, believed) ? null : writeSet(tx, prepared, plan.request);
}

/** Of a repeated key: keyed, so that it says nothing once the key of the tenant is destroyed. */
const makingWith = (digestKey: string): Making => ({
  idOf: digestUuid,
  digestOf: (operation) => keyedDigest(digestKey, sha256(payloadOf(operation))),
});

/**
 * Each operation sees what those before it did. They stay in memory until one makes other rows
 * fall, or derives from a range: then the database has to know of them.
 */
async function writeSet(
  tx: SqlSession,
  { set, digestKey }: Prepared,
  request: WriteRequest,
): Promise<Written> {
  const making = makingWith(digestKey);
  checkNewScopes(set);
  const { writer } = request;
  const counts = new Map<string, number>();
  const receipts: Receipt[] = [];
  for (const [index, operation] of request.operations.entries()) {
    set.begin(index);
    const flushed = (): Promise<void> => flush(tx, set, { writer, counts });
    const ranges = rangesOf(operation);
    if (ranges.length > 0 || operation.operation === 'UNDO') await flushed();
    if (ranges.length > 0) await loadRanges(tx, set, ranges);
    const undone = await undoneBy(tx, set, operation);
    const receipt = applyOperation(set, operation, { ...making, undone });
    receipts.push(receipt);
    const fallen = set.takeFallen(receipt);
    const isBack = undone !== undefined && receipt.outcome === 'stored';
    if (fallen === null && !isBack) continue;
    const copies = isBack ? copiesOf(set) : [];
    await flushed();
    if (fallen !== null) widen(await withdraw(tx, set, { ...fallen, writer }));
    if (isBack) await carryBack(tx, set, { facts: undone, receipt, copies, flushed });
  }
  await flush(tx, set, { writer, counts });
  await insertAudit(tx, request.tenant, request.audit ?? []);
  return {
    result: {
      receipts,
      counts: countsOf(receipts),
      position: [...set.written].map((scope) => ({ scope, head: set.lockOf(scope).head })),
    },
    rows: counts,
  };
}

async function undoneBy(
  tx: SqlSession,
  set: WorkingSet,
  operation: Operation,
): Promise<UndoFacts | undefined> {
  if (operation.operation !== 'UNDO') return undefined;
  const { facts, further } = await readUndo(tx, set, operation);
  widen(further);
  return facts;
}

interface BroughtBack {
  readonly facts: UndoFacts;
  readonly receipt: Receipt;
  /** Of the undo itself. */
  readonly copies: ReturnType<typeof copiesOf>;
  readonly flushed: () => Promise<void>;
}

async function carryBack(
  tx: SqlSession,
  set: WorkingSet,
  { facts, receipt, copies, flushed }: BroughtBack,
): Promise<void> {
  widen(await returnWithdrawn(tx, set, { facts, receipt, idOf: digestUuid }));
  const all = [...copies, ...copiesOf(set)];
  await flushed();
  await copyVectors(tx, set, all);
}

function widen(further: readonly Uuid[]): void {
  if (further.length > 0) throw new FurtherScopes(further);
}

const rangesOf = (operation: Operation): readonly SourceRange[] =>
  'sources' in operation ? (operation.sources ?? []).filter(isRange) : [];

/**
 * Locks every scope that the write touches, in one statement and in order, then reads under those
 * locks. A scope that is found only by reading (of a descendant, of an ancestor) is never locked
 * late: two writers that each held what the other wanted took a deadlock timeout for every pair
 * (measured: 3,511 writes in 20 s became 18).
 */
async function prepare(tx: SqlSession, plan: Plan): Promise<Prepared> {
  const { request } = plan;
  const wanted = wantedBy(request.operations);
  const { held, digestKey } = await lockScopes(tx, plan, wanted);
  const set = new WorkingSet(request, held);
  await load(tx, set, wanted);
  const further = [...set.versions.values()]
    .map(({ entry }) => entry.row.scope_uuid)
    .filter((scope) => !held.locks.has(scope));
  if (further.length > 0) throw new FurtherScopes(further);
  return { set, digestKey };
}

/** The journal takes entries of the principal alone that the transaction names here. */
const PRINCIPAL = "set_config('contextengine.principal', $5, true)";
/**
 * Asked after the locks: the columns of a row are worked out from left to right. A write without
 * keys asks nothing of them: each sealed function costs it a tenth of a millisecond and more.
 */
const TAKEN = `context_ops.taken_ids($1, $6::jsonb) as taken,
    case when $4::jsonb <> '[]' then context_ops.erased_operations($1, $4::jsonb)
      else '[]' end as erased,
    case when $4::jsonb <> '[]' then encode(context_ops.ensure_keys($1), 'hex') end as digest_key`;
const LOCK = `
  select context_ops.lock_scopes($1, $2::jsonb, $3::jsonb, $4::jsonb) as answer, ${PRINCIPAL},
  ${TAKEN}`;

/**
 * Locks the scopes of the sources with the others, in the same statement. They are read before any
 * lock is held, and row-level security shows them only once the tenant is set: `tenancy` is the
 * outer side of the join, so it comes first. A source that is missed here is found under the locks,
 * and the write begins again with its scope.
 */
const LOCK_WITH_SOURCES = `
  select context_ops.lock_scopes($1, $2::jsonb || named.scopes, $3::jsonb, $4::jsonb) as answer,
  ${PRINCIPAL},
    ${TAKEN}
  from (select set_config('contextengine.tenant', $1, true) as tenant,
               set_config('contextengine.scopes', '*', true) as scopes offset 0) tenancy
  cross join lateral (
    select coalesce(jsonb_agg(distinct r.scope_uuid), '[]') as scopes from (${TABLES.map(
      (table) => `
      select scope_uuid from context.${table} where tenancy.scopes = '*' and tenant_id = $1
        and uuid = any (array(select jsonb_array_elements_text($7::jsonb)::uuid))`,
    ).join(' union all ')}) r) named`;

async function lockScopes(
  tx: SqlSession,
  { request, scopes, ids }: Plan,
  { sources, sourceScopes }: Wanted,
): Promise<{ readonly held: Held; readonly digestKey: string }> {
  const fresh = [...new Set(request.operations.filter(isBirth).map(({ scope }) => scope))];
  const keys = request.operations.flatMap(({ scope, idempotency_key: key }) =>
    key === undefined ? [] : [{ scope, key }],
  );
  const asked = [
    request.tenant,
    JSON.stringify([...new Set([...scopes, ...sourceScopes])]),
    JSON.stringify(fresh),
    JSON.stringify(keys),
    request.writer.principal,
    JSON.stringify(askedIds(request, ids)),
  ];
  const rows =
    sources.length === 0
      ? await tx.query(LOCK, asked)
      : await tx.query(LOCK_WITH_SOURCES, [...asked, JSON.stringify(sources)]);
  const answer = asObject(rows[0]?.['answer']);
  const locks = new Map(
    asList(answer['heads']).map((entry): [Uuid, ScopeLock] => {
      const { scope, head, recorded_at } = asObject(entry);
      return [
        asText(scope) as Uuid,
        { head: Number(head), recordedAt: recorded_at === null ? null : toTime(recorded_at) },
      ]; // a uuid column
    }),
  );
  const known = [...asList(answer['known']), ...asList(rows[0]?.['erased'])].map(asObject);
  const taken = asList(rows[0]?.['taken']).map((uuid) => asText(uuid) as Uuid); // uuids as text
  const knownKeys = new Map(
    known.map((row) => [
      keyOf(asText(row['scope_uuid']) as Uuid, asText(row['idempotency_key'])),
      {
        digest: row['payload_digest'] === null ? null : asText(row['payload_digest']),
        receipt: toReceipt(row),
      },
    ]),
  );
  const digestKey = keys.length === 0 ? '' : asText(rows[0]?.['digest_key']);
  return { held: { locks, taken: new Set(taken), keys: knownKeys }, digestKey };
}

/**
 * A value, or a fact of a slot, that is no news and an update that conflicts insert nothing, and
 * are refused for their id first.
 */
const askedIds = ({ operations }: WriteRequest, asked: AskedIds): readonly Uuid[] =>
  operations.flatMap((operation) => {
    if (operation.operation !== 'ADD' && operation.operation !== 'UPDATE') return [];
    const isInserted =
      operation.operation === 'ADD' &&
      operation.table !== 'memory_schema_typed' &&
      operation.in_slot === undefined;
    return isInserted && asked === 'doubtful' ? [] : [operation.uuid];
  });

/** A journal row as the receipt it gave. The casts name what the table's checks hold. */
const toReceipt = (row: JsonObject): Receipt => ({
  operation_id: row['operation_id'] as Uuid,
  operation: row['operation'] as Receipt['operation'],
  table: row['table_name'] === null ? null : asTable(row['table_name']),
  outcome: row['outcome'] as Outcome,
  scope: row['scope_uuid'] as Uuid,
  uuid: row['uuid'] as Uuid | null,
  root_uuid: row['root_uuid'] as Uuid | null,
  seq: Number(row['seq']),
  embedding: row['embedding'] as Receipt['embedding'],
});
