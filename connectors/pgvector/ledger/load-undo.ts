/**
 * Reads what an undo is about: the operation, the versions that it touched, and what builds on it
 * (migrations/0029_undo.sql). The same for the permission stage, before any lock, and for the
 * write.
 */
import type { UndoFacts } from '../../../src/ledger/apply-undo.ts';
import { effectsOf, endedRoots, placeUndo, touchedBy } from '../../../src/ledger/undoing.ts';
import type { AnyRow, Table } from '../../../src/model/block.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import type { JournalRecord } from '../../../src/model/journal.ts';
import type { NamedOperation } from '../../../src/model/undo.ts';
import type { SqlSession } from '../driver/sql.ts';
import { asList, asObject, asTable, asText, columnsOf, toRow } from '../rows.ts';

interface Entry {
  readonly id: Uuid;
  readonly operation: JournalRecord['operation'];
  readonly scope: Uuid;
  readonly seq: number;
  readonly table: Table;
  readonly root: Uuid;
}

interface Asked {
  readonly tenant: TenantId;
  readonly target: Uuid;
}

/** Null = there is no such operation in sight, or it changed nothing. */
export async function loadUndo(tx: SqlSession, asked: Asked): Promise<UndoFacts | null> {
  const given = await entryOf(tx, asked);
  if (!given) return null;
  const { entry, undoneBy } = await followUndos(tx, asked.tenant, given);
  const rows = await versionsAround(tx, asked.tenant, entry);
  const undoing = placeUndo(rows, entry);
  const effects = effectsOf(rows, undoing);
  const brought = rows.filter(({ row }) => row.recorded_seq === entry.seq);
  const places = [
    ...undoing.builtAt.map((seq) => ({ scope: entry.scope, seq })),
    ...(undoneBy === null
      ? await placesBuilt(tx, asked.tenant, { entry, brought, ended: endedRoots(effects) })
      : []),
  ];
  return {
    scope: entry.scope,
    root_uuid: entry.root,
    table: entry.table,
    undone_by: undoneBy,
    undoes: entry.id,
    undoing,
    rows,
    effects,
    touched: touchedBy(undoing),
    built_on: await operationsAt(tx, asked.tenant, places),
    ...(await foundedOf(tx, asked.tenant, undoing)),
  };
}

/** Whether nothing of the sources of what comes back is lost. */
async function foundedOf(
  tx: SqlSession,
  tenant: TenantId,
  { append }: UndoFacts['undoing'],
): Promise<Pick<UndoFacts, 'isFounded' | 'sourceScopes'>> {
  const versions = append.map(({ copy_of: of }) => of);
  if (versions.length === 0) return { isFounded: true, sourceScopes: [] };
  const [row] = await tx.query(
    `select context_ops.standing_among($1,
       array(select jsonb_array_elements_text($2::jsonb)::uuid)) as answer`,
    [tenant, JSON.stringify(versions)],
  );
  const { standing, scopes } = asObject(row?.['answer']);
  return {
    isFounded: asList(standing).length === versions.length,
    sourceScopes: asList(scopes).map((scope) => asText(scope) as Uuid), // of uuid columns
  };
}

const STORED = `outcome in ('stored', 'superseded')
  and operation in ('ADD', 'UPDATE', 'DELETE', 'UNDO')`;

async function entryOf(tx: SqlSession, { tenant, target }: Asked): Promise<Entry | null> {
  const [row] = await tx.query(
    `select operation_id, operation, scope_uuid, seq, table_name, root_uuid
     from context_ops.operations
     where tenant_id = $1 and operation_id = $2 and ${STORED} order by seq limit 1`,
    [tenant, target],
  );
  if (!row) return null;
  return {
    id: asText(row['operation_id']) as Uuid, // uuid columns
    operation: row['operation'] as Entry['operation'], // one of STORED
    scope: asText(row['scope_uuid']) as Uuid,
    seq: Number(row['seq']),
    table: asTable(row['table_name']),
    root: asText(row['root_uuid']) as Uuid,
  };
}

/** An undo that was undone put the operation back: what takes effect now is the last of them. */
async function followUndos(
  tx: SqlSession,
  tenant: TenantId,
  given: Entry,
): Promise<{ readonly entry: Entry; readonly undoneBy: Uuid | null }> {
  let entry = given;
  for (;;) {
    const undo = await undoOf(tx, tenant, entry.id);
    if (undo === null) return { entry, undoneBy: null };
    const again = await undoOf(tx, tenant, undo);
    const next = again === null ? null : await entryOf(tx, { tenant, target: again });
    if (!next) return { entry, undoneBy: undo };
    entry = next;
  }
}

async function undoOf(tx: SqlSession, tenant: TenantId, operation: Uuid): Promise<Uuid | null> {
  const [row] = await tx.query(
    `select operation_id from context_ops.operations where tenant_id = $1 and caused_by = $2
       and operation = 'UNDO' and outcome = 'stored'`,
    [tenant, operation],
  );
  return row ? (asText(row['operation_id']) as Uuid) : null; // a uuid column
}

const rowOf = (table: Table): string =>
  `(select row_to_json(x) from (select ${columnsOf(table)
    .map((column) => `r.${column}`)
    .join(', ')}) x) as row`;

/** All versions of the root; of a typed value, all of its key. */
async function versionsAround(
  tx: SqlSession,
  tenant: TenantId,
  { table, root, scope }: Entry,
): Promise<readonly AnyRow[]> {
  const which =
    table === 'memory_schema_typed'
      ? `(r.collection, r.subject, r.property) in (select k.collection, k.subject, k.property
           from context.memory_schema_typed k where k.tenant_id = $1 and k.root_uuid = $3)`
      : 'r.root_uuid = $3';
  const rows = await tx.query(
    `select ${rowOf(table)} from context.${table} r
     where r.tenant_id = $1 and r.scope_uuid = $2 and ${which} order by r.recorded_seq, r.uuid`,
    [tenant, scope, root],
  );
  return rows.map(({ row }) => toRow(table, row));
}

interface Place {
  readonly scope: Uuid;
  readonly seq: number;
}

const toPlaces = (answer: unknown): readonly Place[] =>
  asList(answer)
    .map(asObject)
    .map((place) => ({ scope: asText(place['scope']) as Uuid, seq: Number(place['seq']) }));

/** Where something derives from what the operation brought, or stands on a root that it ends. */
async function placesBuilt(
  tx: SqlSession,
  tenant: TenantId,
  of: {
    readonly entry: Entry;
    readonly brought: readonly AnyRow[];
    readonly ended: readonly Uuid[];
  },
): Promise<readonly Place[]> {
  const [row] = await tx.query(
    `select context_ops.built_from($1, $2::jsonb || (select coalesce(jsonb_agg(o.uuid), '[]')
         from context_ops.operations o where o.tenant_id = $1 and o.caused_by = $3
           and o.operation = 'RETURN')) as derived,
       context_ops.leaning_on($1, $4::jsonb) as leaning`,
    [
      tenant,
      JSON.stringify(of.brought.map(({ row: { uuid } }) => uuid)),
      of.entry.id,
      JSON.stringify(of.ended),
    ],
  );
  return [...toPlaces(row?.['derived']), ...toPlaces(row?.['leaning'])];
}

/** What wrote there; of what fell or came back with another operation, that one. */
export async function operationsAt(
  tx: SqlSession,
  tenant: TenantId,
  places: readonly Place[],
): Promise<readonly NamedOperation[]> {
  if (places.length === 0) return [];
  const rows = await tx.query(
    `select distinct coalesce(c.operation_id, o.operation_id) as operation_id,
       coalesce(c.scope_uuid, o.scope_uuid) as scope_uuid
     from jsonb_to_recordset($2::jsonb) p(scope uuid, seq bigint)
     join context_ops.operations o on o.tenant_id = $1 and o.scope_uuid = p.scope and o.seq = p.seq
       and o.ordinal = 0
     left join context_ops.operations c on o.operation in ('CASCADE', 'RETURN')
       and c.tenant_id = $1 and c.operation_id = o.caused_by
       and c.outcome in ('stored', 'superseded')
       and c.operation in ('ADD', 'UPDATE', 'DELETE', 'UNDO')
     order by 1, 2`,
    [tenant, JSON.stringify(places)],
  );
  return rows.map((row) => ({
    operation_id: asText(row['operation_id']) as Uuid, // uuid columns
    scope: asText(row['scope_uuid']) as Uuid,
  }));
}
