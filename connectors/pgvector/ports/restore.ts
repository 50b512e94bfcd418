/** Exported scopes come back as they stood: rows, journal and outcomes, in one transaction. */

import { ContextEngineError } from '../../../src/codes/errors.ts';
import { textsForgotten, wordsOfRow } from '../../../src/cxri/forgotten-texts.ts';
import { keyedDigest } from '../../../src/cxri/keyed-digest.ts';
import {
  type RestoredScope,
  type RestoreRequest,
  restoredBy,
} from '../../../src/cxri/ports/history.ts';
import { checkEnds, endsOf, externalEnds } from '../../../src/ledger/external-ends.ts';
import { type AnyRow, TABLES } from '../../../src/model/block.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import type { JournalRecord } from '../../../src/model/journal.ts';
import { setTenancy } from '../driver/session.ts';
import { type Database, SqlError, type SqlSession } from '../driver/sql.ts';
import {
  insertJournalRows,
  insertRows,
  type JournalColumns,
  saidColumns,
} from '../ledger/write-flush.ts';
import { insertPostings } from '../postings.ts';
import { toWriteError } from '../refusals.ts';
import { asTable, asText, columnsOf, toRow } from '../rows.ts';
import { insertAudit } from './audit.ts';
import { insertOutcomes } from './usage.ts';

/** Rows that travel in one statement. */
const CHUNK = 2000;

export async function restoreScope(database: Database, request: RestoreRequest): Promise<void> {
  await database
    .transaction((tx) => restoreOnce(tx, request))
    .catch((error: unknown) => {
      if (error instanceof SqlError && error.sqlstate === '23505')
        throw idsTaken(request.history.scope);
      throw toWriteError(error);
    });
}

/** One error for both: which ids a tenant has stays unknown. */
const idsTaken = (scope: Uuid): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', {
    message: `The scope \`${scope}\` or an id of it is taken in this tenant. Nothing was written.`,
    fix: 'Import each scope once, or into another tenant.',
  });

/** Invariant: a head is made in the transaction that writes the rows below it. */
async function restoreOnce(tx: SqlSession, request: RestoreRequest): Promise<void> {
  const { tenant } = request;
  const all = restoredBy(request);
  await setTenancy(tx, { tenant, scopes: '*' });
  // Two imports of the same scopes wait for each other in one order.
  const inOrder = all.toSorted((a, b) => (a.history.scope < b.history.scope ? -1 : 1));
  for (const each of inOrder) await makeHead(tx, each, request);
  await checkExternalEnds(tx, request);
  const digestKey = await digestKeyOf(tx, tenant);
  for (const each of all) await insertScope(tx, each, { tenant, digestKey });
  await insertAudit(
    tx,
    tenant,
    all.map(({ audit }) => audit),
  );
}

async function makeHead(
  tx: SqlSession,
  { history: { scope, head, journal }, outcomes }: RestoredScope,
  { tenant, recorded_at: now }: Pick<RestoreRequest, 'tenant' | 'recorded_at'>,
): Promise<void> {
  const made = await tx.query(
    `insert into context_ops.scope_heads (tenant_id, scope_uuid, head, usage_head, recorded_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing returning head`,
    [tenant, scope, head, outcomes.length, journal.at(-1)?.recorded_at ?? now],
  );
  if (made.length === 0) throw idsTaken(scope);
}

async function insertScope(
  tx: SqlSession,
  { history, outcomes }: RestoredScope,
  { tenant, digestKey }: { readonly tenant: TenantId; readonly digestKey: string },
): Promise<void> {
  const { scope, journal } = history;
  await checkTexts(tx, { tenant, history });
  const rows = [...history.rows].sort((a, b) => a.row.recorded_seq - b.row.recorded_seq);
  for (const table of TABLES) {
    const own = rows.flatMap((entry) => (entry.table === table ? [entry.row] : []));
    for (const chunk of chunksOf(own)) {
      await insertRows(tx, table, chunk);
      await insertPostings(tx, table, { tenant, rows: chunk });
    }
  }
  for (const chunk of chunksOf(journal))
    await insertJournalRows(
      tx,
      chunk.map((entry) => toColumns(entry, { tenant, scope, digestKey })),
    );
  for (const chunk of chunksOf(outcomes))
    await insertOutcomes(
      tx,
      chunk.map((outcome) => ({ ...outcome, tenant_id: tenant, scope_uuid: scope })),
    );
}

function* chunksOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += CHUNK) yield all.slice(from, from + CHUNK);
}

const toColumns = (
  { table, payload_digest: digest, said_again: said, ...entry }: JournalRecord,
  by: { readonly tenant: TenantId; readonly scope: Uuid; readonly digestKey: string },
): JournalColumns => ({
  ...entry,
  ...saidColumns(said),
  // Exports of before keys were used have digests without one.
  payload_digest: digest === null ? null : keyedDigest(by.digestKey, digest),
  table_name: table,
  tenant_id: by.tenant,
  scope_uuid: by.scope,
});

async function digestKeyOf(tx: SqlSession, tenant: TenantId): Promise<string> {
  const [row] = await tx.query(`select encode(context_ops.ensure_keys($1), 'hex') as key`, [
    tenant,
  ]);
  return asText(row?.['key']);
}

/** What was forgotten does not come back under other ids. Short texts are known by ids alone. */
async function checkTexts(
  tx: SqlSession,
  { tenant, history }: Pick<RestoreRequest, 'tenant' | 'history'>,
): Promise<void> {
  for (const chunk of chunksOf(history.rows)) {
    const [row] = await tx.query('select context_ops.forgotten_texts($1, $2::jsonb) as texts', [
      tenant,
      JSON.stringify(chunk.map(wordsOfRow)),
    ]);
    if (Number(row?.['texts']) > 0) throw textsForgotten(history.scope);
  }
}

/** Sources elsewhere are judged under the locks of their scopes, taken in order. */
async function checkExternalEnds(tx: SqlSession, request: RestoreRequest): Promise<void> {
  const { tenant, held, recorded_at: now } = request;
  const histories = restoredBy(request).map(({ history }) => history);
  const coming = histories.flatMap(({ rows }) => rows);
  const journal = histories.flatMap((history) => history.journal);
  const ends = externalEnds({ rows: coming, journal }, now);
  const uuids = endsOf(ends);
  if (uuids.length === 0) return;
  const scopes = new Set((await rowsWith(tx, tenant, uuids)).map(({ row }) => row.scope_uuid));
  await tx.query(
    `select h.head from context_ops.scope_heads h where h.tenant_id = $1
       and h.scope_uuid = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))
     order by h.scope_uuid for update`,
    [tenant, JSON.stringify([...scopes])],
  );
  checkEnds(ends, { found: [...(await rowsWith(tx, tenant, uuids)), ...coming], held });
}

/** Rows that have one of the ids, as version or as root. */
async function rowsWith(
  tx: SqlSession,
  tenant: TenantId,
  uuids: readonly Uuid[],
): Promise<readonly AnyRow[]> {
  const parts = TABLES.map((table) => {
    const columns = columnsOf(table).map((column) => `r.${column}`);
    const asked = '(array(select jsonb_array_elements_text($2::jsonb)::uuid))';
    return `select '${table}' as "table",
      (select row_to_json(x) from (select ${columns.join(', ')}) x) as row
      from context.${table} r
      where r.tenant_id = $1 and (r.uuid = any ${asked} or r.root_uuid = any ${asked})`;
  });
  const rows = await tx.query(parts.join(' union all '), [tenant, JSON.stringify(uuids)]);
  return rows.map(({ table, row }) => toRow(asTable(asText(table)), row));
}
