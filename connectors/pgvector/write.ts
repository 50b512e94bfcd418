/** Write: all operations or none, under the locks of their scopes, so that sequence order is commit order. */
import type { WriteRequest } from '../../src/cxri/contract.ts';
import type { Uuid } from '../../src/model/ids.ts';
import type { Outcome, Receipt, WriteResult } from '../../src/model/operation.ts';
import { isConflict, throwIfAborted, toWriteError } from './refusals.ts';
import { asList, asObject, asTable, asText, type JsonObject, toTime } from './rows.ts';
import type { Database, SqlSession } from './sql.ts';
import { applyOperation } from './write-apply.ts';
import { flush } from './write-flush.ts';
import { load, wantedBy } from './write-load.ts';
import { isBirth, type KnownKey, keyOf, type ScopeLock, WriteSet } from './write-set.ts';

/** Writers that cascade may lock scopes in different orders; one of a deadlocked pair then goes again. */
const ATTEMPTS = 6;

/** The result, and how many rows went to each table. */
export interface Written {
  readonly result: WriteResult;
  readonly rows: ReadonlyMap<string, number>;
}

export async function write(database: Database, request: WriteRequest): Promise<Written> {
  throwIfAborted(request.signal);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction((tx) => writeOnce(tx, request));
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw toWriteError(error);
      throwIfAborted(request.signal);
    }
  }
}

async function writeOnce(tx: SqlSession, request: WriteRequest): Promise<Written> {
  if (request.operations.length === 0) return { result: { receipts: [], counts: countsOf([]), position: [] }, rows: new Map() };
  const set = await prepare(tx, request);
  const receipts = request.operations.map((operation) => applyOperation(set, operation));
  const rows = await flush(tx, set);
  return {
    result: { receipts, counts: countsOf(receipts), position: [...set.written].map((scope) => ({ scope, head: set.lockOf(scope).head })) },
    rows,
  };
}

/** Locks the scopes of the operations, reads what they touch, and locks the scopes of that as well; what was read before its lock is read again. */
async function prepare(tx: SqlSession, request: WriteRequest): Promise<WriteSet> {
  const wanted = wantedBy(request.operations);
  const needed = new Set<Uuid>(request.operations.map(({ scope }) => scope));
  for (;;) {
    const held = await lockScopes(tx, request, needed);
    const set = new WriteSet(request, held.locks, held.keys);
    await load(tx, set, wanted);
    const further = [...set.versions.values()].map(({ entry }) => entry.row.scope_uuid).filter((scope) => !needed.has(scope));
    if (further.length === 0) return set;
    for (const scope of further) needed.add(scope);
  }
}

interface Held {
  readonly locks: ReadonlyMap<Uuid, ScopeLock>;
  readonly keys: Map<string, KnownKey>;
}

async function lockScopes(tx: SqlSession, request: WriteRequest, scopes: ReadonlySet<Uuid>): Promise<Held> {
  const fresh = [...new Set(request.operations.filter(isBirth).map(({ scope }) => scope))];
  const keys = request.operations.flatMap(({ scope, idempotency_key: key }) => (key === undefined ? [] : [{ scope, key }]));
  const rows = await tx.query('select context_ops.lock_scopes($1, $2::jsonb, $3::jsonb, $4::jsonb) as answer', [
    request.tenant,
    JSON.stringify([...scopes]),
    JSON.stringify(fresh),
    JSON.stringify(keys),
  ]);
  const answer = asObject(rows[0]?.['answer']);
  const locks = new Map(
    asList(answer['heads']).map((entry): [Uuid, ScopeLock] => {
      const { scope, head, recorded_at } = asObject(entry);
      return [asText(scope) as Uuid, { head: Number(head), recordedAt: recorded_at === null ? null : toTime(recorded_at) }]; // a uuid column
    }),
  );
  const known = asList(answer['known']).map(asObject);
  return {
    locks,
    keys: new Map(
      known.map((row) => [
        keyOf(asText(row['scope_uuid']) as Uuid, asText(row['idempotency_key'])),
        { digest: asText(row['payload_digest']), receipt: toReceipt(row) },
      ]),
    ),
  };
}

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

export function countsOf(receipts: readonly Receipt[]): WriteResult['counts'] {
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
