/** Vectors: one typed table per space, filled after the ledger. */

import { ContextEngineError } from '../../../src/codes/errors.ts';
import type {
  EmbeddingRow,
  PendingEmbedding,
  StoredVector,
} from '../../../src/cxri/ports/vectors.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import { searchText } from '../../../src/text/search-text.ts';
import { inTenant, inTransaction } from '../driver/session.ts';
import { type Database, SqlError, type SqlSession } from '../driver/sql.ts';
import { toReadError } from '../refusals.ts';
import { asText, toVectorText } from '../rows.ts';
import { SEARCHED_COLUMNS, toSearchable } from '../searched-columns.ts';

export async function ensureSpace(
  database: Database,
  space: { readonly name: string; readonly dimensions: number },
): Promise<void> {
  await database
    .query('select context_ops.ensure_space($1, $2::integer, $3)', [
      space.name,
      space.dimensions,
      database.vectorType,
    ])
    .catch((error: unknown) => {
      throw toReadError(error);
    });
}

const OWNERS = [
  { table: 'blocks', where: ' and not r.is_scope', columns: SEARCHED_COLUMNS.blocks },
  { table: 'memory_open_set', where: '', columns: SEARCHED_COLUMNS.memory_open_set },
  { table: 'subtree_summaries', where: '', columns: SEARCHED_COLUMNS.subtree_summaries },
] as const;

/**
 * Believed rows without a vector, scope by scope in the order of writing. What is below a scope's
 * mark is known to be complete and is not looked at; the mark moves when nothing is pending up to
 * the head. Without it each call would join all rows with all vectors.
 */
export async function pendingEmbeddings(
  database: Database,
  tenant: TenantId,
  asked: { readonly space: string; readonly limit: number },
): Promise<readonly PendingEmbedding[]> {
  return inTenant(database, { tenant, scopes: '*' }, async (tx) => {
    const emb = await tableOf(tx, asked.space);
    const open = await tx.query(
      `select h.scope_uuid, h.head, coalesce(p.done_seq, 0) as done_seq
        from context_ops.scope_heads h
       left join context_ops.embedding_progress p on p.tenant_id = h.tenant_id and p.space = $2
       and p.scope_uuid = h.scope_uuid
       where h.tenant_id = $1 and h.head > coalesce(p.done_seq, 0) order by h.scope_uuid`,
      [tenant, asked.space],
    );
    const pending: PendingEmbedding[] = [];
    const done: { scope: unknown; seq: unknown }[] = [];
    for (const scope of open) {
      const found = await pendingOf(tx, emb, {
        tenant,
        scope: asText(scope['scope_uuid']),
        after: Number(scope['done_seq']),
        limit: asked.limit - pending.length,
      });
      pending.push(...found);
      if (found.length === 0) done.push({ scope: scope['scope_uuid'], seq: scope['head'] });
      if (pending.length >= asked.limit) break;
    }
    await markDone(tx, { tenant, space: asked.space }, done);
    return pending;
  });
}

async function pendingOf(
  tx: SqlSession,
  emb: string,
  by: {
    readonly tenant: TenantId;
    readonly scope: string;
    readonly after: number;
    readonly limit: number;
  },
): Promise<readonly PendingEmbedding[]> {
  const parts = OWNERS.map(
    ({
      table,
      where,
      columns,
    }) => `(select '${table}' as "table", r.uuid, r.content, r.recorded_seq, ${columns}
      from context.${table} r
      where r.tenant_id = $1 and r.scope_uuid = $2 and r.recorded_seq > $3 and r.status = 'live'
      and r.retired_seq is null and r.content <> ''${where}
      and not exists (select from context_ops.${emb} e where e.tenant_id = $1
        and e.owner_uuid = r.uuid and e.origin = 'content')
      order by r.recorded_seq, r.uuid limit $4)`,
  );
  const rows = await tx.query(
    `select * from (${parts.join(' union all ')}) p order by p.recorded_seq, p.uuid limit $4`,
    [by.tenant, by.scope, by.after, by.limit],
  );
  // Casts: a uuid column, and the names written above.
  return rows.map((row) => ({
    tenant: by.tenant,
    scope_uuid: by.scope as Uuid,
    table: row['table'] as PendingEmbedding['table'],
    uuid: row['uuid'] as Uuid,
    text: searchText(toSearchable(row)),
  }));
}

async function markDone(
  tx: SqlSession,
  of: { readonly tenant: TenantId; readonly space: string },
  done: readonly object[],
): Promise<void> {
  if (done.length === 0) return;
  await tx.query(
    `insert into context_ops.embedding_progress as p (tenant_id, space, scope_uuid, done_seq)
     select $1, $2, k.scope, k.seq from jsonb_to_recordset($3::jsonb) k(scope uuid, seq bigint)
     on conflict (tenant_id, space, scope_uuid)
     do update set done_seq = greatest(p.done_seq, excluded.done_seq)`,
    [of.tenant, of.space, JSON.stringify(done)],
  );
}

/**
 * A vector of a row that was forgotten meanwhile is not stored. Writing the same vector again is
 * free: what an owner has under an origin and ordinal stays. Gives the rows by table.
 */
export async function storeEmbeddings(
  database: Database,
  space: string,
  rows: readonly EmbeddingRow[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const tenant of new Set(rows.map((row) => row.tenant))) {
    const own = rows
      .filter((row) => row.tenant === tenant)
      .map(({ scope_uuid, table, uuid, ordinal, origin, values }) => ({
        scope_uuid,
        owner_table: table,
        owner_uuid: uuid,
        ordinal,
        origin,
        embedding: toVectorText(values),
      }));
    const table = await storeOf(database, { tenant, space, rows: own });
    counts.set(table, (counts.get(table) ?? 0) + own.length);
  }
  return counts;
}

/** The table that they went to. The function sets the tenancy itself, which saves a round trip. */
async function storeOf(
  database: Database,
  of: { readonly tenant: TenantId; readonly space: string; readonly rows: readonly object[] },
): Promise<string> {
  const [row] = await inTransaction(database, (tx) =>
    tx
      .query('select context_ops.store_vectors($1, $2, $3::jsonb) as stored_in', [
        of.tenant,
        of.space,
        JSON.stringify(of.rows),
      ])
      .catch((error: unknown) => {
        throw error instanceof SqlError && error.sqlstate === '22000'
          ? wrongSpace(of.space, error.message)
          : error;
      }),
  );
  if (row?.['stored_in'] === null) throw neverMade(of.space);
  return asText(row?.['stored_in']);
}

/** The vectors of these versions, as they were stored. */
export async function readEmbeddings(
  database: Database,
  space: string,
  { tenant, uuids }: { readonly tenant: TenantId; readonly uuids: readonly Uuid[] },
): Promise<readonly StoredVector[]> {
  if (uuids.length === 0) return [];
  const rows = await inTenant(database, { tenant, scopes: '*' }, async (tx) => {
    const emb = await tableOf(tx, space);
    return tx.query(
      `select e.owner_uuid, e.origin, e.ordinal, e.embedding::text as embedding
       from context_ops.${emb} e where e.tenant_id = $1 and e.owner_uuid = any ($2::uuid[])`,
      [tenant, `{${[...new Set(uuids)].join(',')}}`],
    );
  });
  // Casts: a uuid column, and one whose values the schema lists.
  return rows.map((row) => ({
    uuid: row['owner_uuid'] as Uuid,
    origin: row['origin'] as StoredVector['origin'],
    ordinal: Number(row['ordinal']),
    values: JSON.parse(asText(row['embedding'])),
  }));
}

/**
 * The table of a space. Its name is a digest, so it is safe in a statement. Throws
 * `INFERENCE.DIMENSIONS` where there is none.
 */
async function tableOf(tx: SqlSession, space: string): Promise<string> {
  const [row] = await tx.query(
    `select t.name, to_regclass('context_ops.' || t.name) is not null as exists
     from (select context_ops.space_table($1) as name) t`,
    [space],
  );
  if (row?.['exists'] !== true) throw neverMade(space);
  return asText(row['name']);
}

const neverMade = (space: string): ContextEngineError => wrongSpace(space, 'it was never made');

const wrongSpace = (space: string, why: string): ContextEngineError =>
  new ContextEngineError('INFERENCE.DIMENSIONS', {
    message: `The embedding space \`${space}\` does not take these vectors: ${why}.`,
    fix:
      'Use the embedder that the store was filled with, or embed the store again in the new ' +
      'space.',
  });
