/**
 * Words of rows that an earlier version wrote: made again from the ledger, in batches that can be
 * stopped between any two.
 */
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import { WORD_RULES } from '../../../src/text/bm25.ts';
import { setTenancy } from '../driver/session.ts';
import type { Database, SqlSession } from '../driver/sql.ts';
import { type PostedText, postedText } from '../postings.ts';
import { toReadError } from '../refusals.ts';
import { asText, type JsonObject } from '../rows.ts';
import { SEARCHED_COLUMNS, toSearchable } from '../searched-columns.ts';

type Transactions = Pick<Database, 'transaction'>;

/**
 * One batch of one scope, in one transaction under the lock of its head: what is rebuilt is noted
 * in it, so a rebuild that was stopped goes on where it was. Gives how many rows were read.
 */
export async function rebuildWords(
  database: Transactions,
  tenant: TenantId,
  limit: number,
): Promise<number> {
  for (;;) {
    const batch = await database
      .transaction((tx) => rebuildBatch(tx, tenant, limit))
      .catch((error: unknown) => {
        throw toReadError(error);
      });
    if (batch === null) return 0;
    if (batch > 0) return batch;
  }
}

/** null = no scope waits; 0 = the scope had no rows left to read. */
async function rebuildBatch(
  tx: SqlSession,
  tenant: TenantId,
  limit: number,
): Promise<number | null> {
  await setTenancy(tx, { tenant, scopes: '*' });
  const [waiting] = await tx.query(
    `select h.scope_uuid from context_ops.scope_heads h where h.tenant_id = $1 and h.scope_uuid = (
       select b.scope_uuid from context_ops.word_backlog b
       where b.tenant_id = $1 and b.done_seq < b.until_seq order by b.scope_uuid limit 1)
     for update`,
    [tenant],
  );
  if (!waiting) return null;
  const scope = asText(waiting['scope_uuid']);
  // Read again under the lock: another rebuild may have gone on meanwhile.
  const [place] = await tx.query(
    `select b.done_seq, b.until_seq from context_ops.word_backlog b
     where b.tenant_id = $1 and b.scope_uuid = $2 and b.done_seq < b.until_seq`,
    [tenant, scope],
  );
  if (!place) return 0;
  const done = Number(place['done_seq']);
  const until = Number(place['until_seq']);
  const high = await endOfBatch(tx, { tenant, scope, done, until, limit });
  const rows = await tx.query(
    `${unionOf(
      (table) =>
        `select '${table}' as "table", r.uuid, r.recorded_seq, r.content, ` +
        `${SEARCHED_COLUMNS[table]}`,
    )}
     order by recorded_seq, uuid`,
    [tenant, scope, done, high],
  );
  await tx.query('select context_ops.rebuild_postings($1, $2, $3::bigint[], $4::jsonb, $5)', [
    tenant,
    scope,
    `{${done},${high}}`,
    JSON.stringify(textsOf(rows, scope)),
    WORD_RULES,
  ]);
  return rows.length;
}

const TABLES = ['blocks', 'memory_open_set', 'subtree_summaries'] as const;

/** $1 tenant, $2 scope, after $3 up to $4. */
const unionOf = (select: (table: (typeof TABLES)[number]) => string): string =>
  TABLES.map(
    (table) =>
      `(${select(table)} from context.${table} r where r.tenant_id = $1 and r.scope_uuid = $2
        and r.recorded_seq > $3 and r.recorded_seq <= $4 and r.status = 'live')`,
  ).join(' union all ');

interface Batch {
  readonly tenant: TenantId;
  readonly scope: string;
  readonly done: number;
  readonly until: number;
  readonly limit: number;
}

/** Rows of one number stay together. */
async function endOfBatch(tx: SqlSession, batch: Batch): Promise<number> {
  const { tenant, scope, done, until, limit } = batch;
  const [last] = await tx.query(
    `select recorded_seq from (${unionOf(() => 'select r.recorded_seq')}) r
     order by recorded_seq offset $5 limit 1`,
    [tenant, scope, done, until, limit - 1],
  );
  return last ? Number(last['recorded_seq']) : until;
}

function textsOf(
  rows: readonly JsonObject[],
  scope: string,
): Readonly<Record<string, readonly PostedText[]>> {
  const texts: Record<string, PostedText[]> = {};
  for (const row of rows) {
    const table = asText(row['table']);
    // Casts: uuid columns.
    const [posted] = postedText({
      ...toSearchable(row),
      scope_uuid: scope as Uuid,
      uuid: asText(row['uuid']) as Uuid,
    });
    if (!posted) continue;
    texts[table] ??= [];
    texts[table].push(posted);
  }
  return texts;
}
