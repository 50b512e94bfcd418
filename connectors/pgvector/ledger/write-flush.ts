/**
 * Carries the working set over to the database: one statement for heads and journal, one per table
 * that changed, one for its postings. The heads come first: a row is accepted only with a sequence
 * number that its own transaction has drawn, and a head moves only in the statement that journals
 * its numbers.
 */
import type { JournalRow, Version, WorkingSet } from '../../../src/ledger/working-set.ts';
import { TABLES, type Table } from '../../../src/model/block.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import type { SaidAgain } from '../../../src/model/journal.ts';
import type { Writer } from '../../../src/model/operation.ts';
import type { SqlSession } from '../driver/sql.ts';
import { insertPostings } from '../postings.ts';
import { columnsOf } from '../rows.ts';

/** How many rows went to each table. */
export type RowCounts = Map<string, number>;

/** Adds how many rows went to each table. */
export async function flush(
  tx: SqlSession,
  set: WorkingSet,
  { writer, counts }: { readonly writer: Writer; readonly counts: RowCounts },
): Promise<void> {
  if (set.journal.length === 0) return;
  const count = (name: string, rows: number) => counts.set(name, (counts.get(name) ?? 0) + rows);
  await moveHeads(tx, set, writer);
  for (const table of TABLES) {
    const own = [...set.versions.values()].filter(
      ({ entry, state }) => entry.table === table && state !== 'stored',
    );
    await settleRows(tx, set, { table, versions: own.filter(({ state }) => state === 'settled') });
    const rows = own.filter(({ state }) => state === 'new').map(({ entry }) => entry.row);
    await insertRows(tx, table, rows);
    count('postings', await insertPostings(tx, table, { tenant: set.request.tenant, rows }));
    count(table, rows.length);
  }
  set.carriedOver();
}

/** Only the columns that may be set once; the trigger refuses anything else. */
async function settleRows(
  tx: SqlSession,
  set: WorkingSet,
  change: { readonly table: Table; readonly versions: readonly Version[] },
): Promise<void> {
  if (change.versions.length === 0) return;
  const rows = change.versions.map(({ entry: { row } }) => ({
    uuid: row.uuid,
    valid_until: row.valid_until,
    closed_seq: row.closed_seq,
    retired_seq: row.retired_seq,
    superseded_by: row.superseded_by,
    cause: row.cause,
  }));
  await tx.query(
    `update context.${change.table} r set valid_until = k.valid_until, closed_seq = k.closed_seq,
      retired_seq = k.retired_seq, superseded_by = k.superseded_by, cause = k.cause
     from jsonb_to_recordset($2::jsonb) k(uuid uuid, valid_until timestamptz, closed_seq bigint,
     retired_seq bigint, superseded_by uuid, cause text)
     where r.tenant_id = $1 and r.uuid = k.uuid`,
    [set.request.tenant, JSON.stringify(rows)],
  );
}

export async function insertRows(
  tx: SqlSession,
  table: Table,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(table).join(', ');
  await tx.query(
    `insert into context.${table} (${columns}) select ${columns} from ` +
      `jsonb_populate_recordset(null::context.${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
}

const JOURNAL_COLUMNS = [
  'tenant_id',
  'scope_uuid',
  'seq',
  'ordinal',
  'operation_id',
  'operation',
  'table_name',
  'uuid',
  'root_uuid',
  'outcome',
  'embedding',
  'reason',
  'principal',
  'on_behalf_of',
  'writer',
  'manifest_digest',
  'decision',
  'idempotency_key',
  'payload_digest',
  'caused_by',
  'recorded_at',
  'said_again_from',
  'said_again_in',
] as const;
export type JournalColumns = Readonly<
  Record<(typeof JOURNAL_COLUMNS)[number], string | number | readonly Uuid[] | null>
>;

export const saidColumns = (said: SaidAgain | undefined) => ({
  said_again_from: said?.from ?? null,
  said_again_in: said?.sources ?? null,
});

export async function insertJournalRows(
  tx: SqlSession,
  rows: readonly JournalColumns[],
): Promise<void> {
  const columns = JOURNAL_COLUMNS.join(', ');
  await tx.query(
    `insert into context_ops.operations (${columns}) select ${columns} from ` +
      'jsonb_populate_recordset(null::context_ops.operations, $1::jsonb)',
    [JSON.stringify(rows)],
  );
}

async function moveHeads(tx: SqlSession, set: WorkingSet, writer: Writer): Promise<void> {
  const heads = [...set.written].map((scope) => ({
    scope,
    head: set.lockOf(scope).head,
    recorded_at: set.timeOf(scope),
  }));
  const columns = JOURNAL_COLUMNS.join(', ');
  await tx.query(
    `with moved as (
       update context_ops.scope_heads h set head = k.head, recorded_at = k.recorded_at
       from jsonb_to_recordset($2::jsonb) k(scope uuid, head bigint, recorded_at timestamptz)
       where h.tenant_id = $1 and h.scope_uuid = k.scope)
     insert into context_ops.operations (${columns})
     select ${columns} from jsonb_populate_recordset(null::context_ops.operations, $3::jsonb)`,
    [set.request.tenant, JSON.stringify(heads), JSON.stringify(journalOf(set, writer))],
  );
}

function journalOf(set: WorkingSet, writer: Writer): readonly JournalColumns[] {
  const { tenant } = set.request;
  return set.journal.map((row) => toColumns(row, { tenant, writer, at: set.timeOf(row.scope) }));
}

const toColumns = (
  { scope, seq, receipt, decision, key, kind, ordinal, causedBy, saidAgain }: JournalRow,
  by: { readonly tenant: TenantId; readonly writer: Writer; readonly at: string },
): JournalColumns => ({
  tenant_id: by.tenant,
  scope_uuid: scope,
  seq,
  ordinal: ordinal ?? 0,
  operation_id: receipt.operation_id,
  operation: kind ?? receipt.operation,
  table_name: receipt.table,
  uuid: receipt.uuid,
  root_uuid: receipt.root_uuid,
  outcome: receipt.outcome,
  embedding: receipt.embedding,
  reason: receipt.reason ?? null,
  principal: by.writer.principal,
  on_behalf_of: by.writer.on_behalf_of,
  writer: by.writer.writer,
  manifest_digest: decision.manifest_digest,
  decision: decision.decision,
  idempotency_key: key?.key ?? null,
  payload_digest: key?.digest ?? null,
  caused_by: causedBy ?? null,
  recorded_at: by.at,
  ...saidColumns(saidAgain),
});
