/** The journal and the outcomes of a scope, page by page, as an export reads them. */
import type { JournaledOperation, JournalRequest } from '../../../src/cxri/ports/history.ts';
import type { OutcomeRecord, OutcomesRequest } from '../../../src/cxri/ports/usage.ts';
import { FACT_TABLES } from '../../../src/model/fact-record.ts';
import type { Instant, TenantId, Uuid } from '../../../src/model/ids.ts';
import type { JournalRecord } from '../../../src/model/journal.ts';
import { type HeldScopes, holds } from '../../../src/model/permission.ts';
import type { UndoPlan } from '../../../src/model/undo.ts';
import { inTenant } from '../driver/session.ts';
import type { Database, SqlRow } from '../driver/sql.ts';
import { loadUndo } from '../ledger/load-undo.ts';
import { toUsage } from '../query.ts';
import { asList, asTable, asText, toTime } from '../rows.ts';

export async function readJournal(
  database: Database,
  { tenant, scope, after, head, limit }: JournalRequest,
): Promise<readonly JournalRecord[]> {
  const rows = await inTenant(database, { tenant, scopes: [scope] }, (tx) =>
    tx.query(
      `select o.seq, o.ordinal, o.operation_id, o.operation, o.table_name, o.uuid, o.root_uuid,
         o.outcome, o.embedding, o.reason, o.principal, o.on_behalf_of, o.writer, o.manifest_digest,
         o.decision, o.idempotency_key, o.caused_by, o.said_again_from,
         to_jsonb(o.said_again_in) as said_again_in, o.recorded_at,
         exists (select from context_ops.redacted d where d.tenant_id = o.tenant_id
           and d.copy = o.table_name and d.uuid = coalesce(o.uuid, o.root_uuid))
         or o.outcome = 'duplicate' and exists (
           select from unnest(o.said_again_in || ${KEYED_SOURCE}) s (uuid)
           join context_ops.redacted d on d.tenant_id = o.tenant_id and d.uuid = s.uuid
             and d.copy in (${SOURCE_TABLES})) as is_gone
       from context_ops.operations o
       where o.tenant_id = $1 and o.scope_uuid = $2 and (o.seq, o.ordinal) > ($3::bigint,
       $4::integer)
         and o.seq <= $5
       order by o.seq, o.ordinal limit $6`,
      [tenant, scope, after.seq, after.ordinal, head, limit],
    ),
  );
  return rows.map((row) => (row['is_gone'] === true ? gone(toRecord(row)) : toRecord(row)));
}

/** A turn that said something again is in its key as well. */
const KEYED_SOURCE = `(substring(o.idempotency_key from
  '^capture/.*/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/[0-9]+$'))::uuid`;
const SOURCE_TABLES = [...FACT_TABLES, 'blocks'].map((table) => `'${table}'`).join(', ');

/** An entry keeps its number; what it was about was forgotten. */
const gone = ({ said_again: _said, ...record }: JournalRecord): JournalRecord => ({
  ...record,
  operation: 'NOOP',
  table: null,
  uuid: null,
  root_uuid: null,
  outcome: 'stored',
  embedding: 'none',
  reason: 'forgotten',
  idempotency_key: null,
  caused_by: null,
});

/** The casts name what the columns' types and checks hold. */
const toRecord = (row: SqlRow): JournalRecord => ({
  seq: Number(row['seq']),
  ordinal: Number(row['ordinal']),
  operation_id: row['operation_id'] as Uuid,
  operation: row['operation'] as JournalRecord['operation'],
  table: row['table_name'] === null ? null : asTable(row['table_name']),
  uuid: row['uuid'] as Uuid | null,
  root_uuid: row['root_uuid'] as Uuid | null,
  outcome: row['outcome'] as JournalRecord['outcome'],
  embedding: row['embedding'] as JournalRecord['embedding'],
  reason: row['reason'] as string | null,
  principal: asText(row['principal']),
  on_behalf_of: row['on_behalf_of'] as string | null,
  writer: asText(row['writer']),
  manifest_digest: row['manifest_digest'] as string | null,
  decision: asText(row['decision']),
  idempotency_key: row['idempotency_key'] as string | null,
  // Under the key of this tenant: elsewhere it would be compared with nothing.
  payload_digest: null,
  caused_by: row['caused_by'] as Uuid | null,
  recorded_at: toTime(row['recorded_at']),
  ...(row['said_again_from'] !== null && {
    said_again: {
      from: toTime(row['said_again_from']),
      sources: asList(row['said_again_in']) as readonly Uuid[],
    },
  }),
});

export async function readUndo(
  database: Database,
  tenant: TenantId,
  asked: { readonly operation: Uuid; readonly held: HeldScopes },
): Promise<UndoPlan | null> {
  const facts = await inTenant(database, { tenant, scopes: '*' }, (tx) =>
    loadUndo(tx, { tenant, target: asked.operation }),
  );
  if (!facts || !holds({ scopes: asked.held }, facts.scope)) return null;
  const { scope, root_uuid, undone_by, effects, touched, built_on } = facts;
  return { scope, root_uuid, undone_by, effects, touched, built_on };
}

export async function operationNamed(
  database: Database,
  tenant: TenantId,
  asked: { readonly operation: Uuid; readonly held: HeldScopes },
): Promise<JournaledOperation | null> {
  const [row] = await inTenant(database, { tenant, scopes: '*' }, (tx) =>
    tx.query(
      `select operation, scope_uuid, outcome, root_uuid from context_ops.operations
       where tenant_id = $1 and operation_id = $2 order by seq limit 1`,
      [tenant, asked.operation],
    ),
  );
  if (!row) return null;
  const scope = asText(row['scope_uuid']) as Uuid; // uuid columns
  if (!holds({ scopes: asked.held }, scope)) return null;
  return {
    operation_id: asked.operation,
    operation: row['operation'] as JournaledOperation['operation'],
    scope,
    outcome: row['outcome'] as JournaledOperation['outcome'],
    root_uuid: row['root_uuid'] as Uuid | null,
  };
}

export async function readOutcomes(
  database: Database,
  { tenant, scope, after, head, limit }: OutcomesRequest,
): Promise<readonly OutcomeRecord[]> {
  const rows = await inTenant(database, { tenant, scopes: [scope] }, (tx) =>
    tx.query(
      `select u.usage_seq, u.root_uuid, u.composition_id, u.kind, u.at, u.state, u.recorded_at
       from context_ops.usage_events u
       where u.tenant_id = $1 and u.scope_uuid = $2 and u.usage_seq > $3 and u.usage_seq <= $4
       order by u.usage_seq limit $5`,
      [tenant, scope, after, head, limit],
    ),
  );
  return rows.map(
    (row): OutcomeRecord => ({
      usage_seq: Number(row['usage_seq']),
      root_uuid: row['root_uuid'] as Uuid,
      composition_id: row['composition_id'] as Uuid,
      kind: row['kind'] as OutcomeRecord['kind'],
      at: toTime(row['at']) satisfies Instant,
      state: toUsage(row['state']),
      recorded_at: toTime(row['recorded_at']),
    }),
  );
}
