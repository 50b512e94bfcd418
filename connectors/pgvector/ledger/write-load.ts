/**
 * Reads into the working set what the operations may touch: the versions of their roots and keys,
 * and their sources.
 */
import { WITHDRAWING } from '../../../src/ledger/withdrawal.ts';
import { isBelieved, typedKeyOf, type WorkingSet } from '../../../src/ledger/working-set.ts';
import { type AnyRow, TABLES } from '../../../src/model/block.ts';
import { type FactSlot, isSlotted, SLOT, slotOf } from '../../../src/model/fact-slot.ts';
import type { Uuid } from '../../../src/model/ids.ts';
import { isRange, type Operation } from '../../../src/model/operation.ts';
import type { SqlSession } from '../driver/sql.ts';
import { asTable, asText, columnsOf, toRow, toTime } from '../rows.ts';
import { loadAbove, loadDerived } from './write-lineage.ts';

/** What the operations name. Empty for plain appends, which then read nothing. */
export interface Wanted {
  /** Roots of UPDATE and DELETE. */
  readonly roots: readonly Uuid[];
  readonly keys: readonly {
    readonly scope: Uuid;
    readonly subject: string;
    readonly collection: string;
    readonly property: string;
  }[];
  /** Of facts that take their place in one. */
  readonly slots: readonly FactSlot[];
  /** Versions that something is to derive from, and the scopes of ranges. */
  readonly sources: readonly Uuid[];
  readonly sourceScopes: readonly Uuid[];
  /** Roots that links lead from, but for the scopes themselves. */
  readonly edges: readonly Uuid[];
}

export function wantedBy(operations: readonly Operation[]): Wanted {
  const typed = new Map(
    operations.flatMap((operation) => {
      if (operation.operation !== 'ADD' || operation.table !== 'memory_schema_typed') return [];
      const { subject, collection, property } = operation.content;
      return [
        [
          typedKeyOf(operation.scope, operation.content),
          { scope: operation.scope, subject, collection, property },
        ] as const,
      ];
    }),
  );
  const edges = operations.flatMap((operation) =>
    'content' in operation && operation.table === 'context_links'
      ? [operation.content.from_uuid]
      : [],
  );
  const scopes = new Set(operations.map(({ scope }) => scope));
  const sources = operations.flatMap((operation) =>
    'sources' in operation ? (operation.sources ?? []) : [],
  );
  return {
    roots: unique(
      operations.flatMap((operation) =>
        operation.operation === 'UPDATE' || operation.operation === 'DELETE'
          ? [operation.root_uuid]
          : [],
      ),
    ),
    keys: [...typed.values()],
    slots: operations.filter(isSlotted).map(slotOf),
    sources: unique(sources.flatMap((source) => (isRange(source) ? [] : [source]))),
    sourceScopes: unique(sources.flatMap((source) => (isRange(source) ? [source.scope] : []))),
    edges: unique(edges).filter((from) => !scopes.has(from)),
  };
}

const unique = (uuids: readonly Uuid[]): readonly Uuid[] => [...new Set(uuids)];

/** All values of the keys. */
async function loadValues(tx: SqlSession, set: WorkingSet, keys: Wanted['keys']): Promise<void> {
  if (keys.length === 0) return;
  const rows = await tx.query(
    `select ${jsonOf('memory_schema_typed')} as row
     from jsonb_to_recordset($2::jsonb)
       k(scope uuid, subject text, collection text, property text)
     join context.memory_schema_typed r on r.tenant_id = $1 and r.scope_uuid = k.scope
       and r.collection = k.collection and r.subject = k.subject and r.property = k.property`,
    [set.request.tenant, JSON.stringify(keys)],
  );
  for (const { row } of rows) set.add(toRow('memory_schema_typed', row), 'stored');
}

/** All versions of the roots that have a fact of the slots. */
async function loadSlots(tx: SqlSession, set: WorkingSet, slots: Wanted['slots']): Promise<void> {
  if (slots.length === 0) return;
  const rows = await tx.query(
    `select distinct r.root_uuid
     from jsonb_to_recordset($2::jsonb) s(scope uuid, subject text, name text)
     join context.memory_open_set r on r.tenant_id = $1 and r.scope_uuid = s.scope
       and r.subject is not distinct from s.subject
       and r.metadata @> jsonb_build_object($3::text, s.name)
       and r.retired_seq is null and r.status = 'live'`,
    [set.request.tenant, JSON.stringify(slots), SLOT],
  );
  const roots = rows.map((row) => asText(row['root_uuid']) as Uuid); // uuid columns
  await loadVersions(tx, set, { roots, uuids: [] });
}

/** A fact without a slot has no other value that could give way. */
const isOfValues = ({ table, row }: AnyRow): boolean =>
  table === 'memory_schema_typed' ||
  (table === 'memory_open_set' && row.metadata[SLOT] !== undefined);

/**
 * What was said again of the values and facts read so far, by statements whose sources stand. Only
 * a version that is believed gives way.
 */
async function loadSaidAgain(
  tx: SqlSession,
  set: WorkingSet,
  roots: readonly Uuid[],
): Promise<void> {
  const versions = unique(roots)
    .flatMap((root) => set.versionsOf(root))
    .filter(({ entry }) => isOfValues(entry));
  if (!versions.some(isBelieved)) return;
  const rows = await tx.query(
    `select o.uuid, o.said_again_from as at from context_ops.operations o
     where o.tenant_id = $1 and o.said_again_from is not null
       and o.uuid = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))
       and not exists (select from unnest(o.said_again_in) s (uuid) where not (${TABLES.map(
         (table) => `exists (select from context.${table} r where r.tenant_id = $1
           and r.uuid = s.uuid and r.status = 'live'
           and (r.retired_seq is null
             or r.cause <> all (array(select jsonb_array_elements_text($3::jsonb)))))`,
       ).join(' or ')}))`,
    [
      set.request.tenant,
      JSON.stringify(versions.map(({ entry }) => entry.row.uuid)),
      JSON.stringify([...WITHDRAWING]),
    ],
  );
  // A uuid column.
  for (const { uuid, at } of rows) set.setSaidAgain(asText(uuid) as Uuid, toTime(at));
}

export async function load(tx: SqlSession, set: WorkingSet, wanted: Wanted): Promise<void> {
  await loadValues(tx, set, wanted.keys);
  await loadSlots(tx, set, wanted.slots);
  await loadPlaces(tx, set, wanted.edges);
  const valued = [...set.versions.values()].map(({ entry }) => entry.row.root_uuid);
  await loadVersions(tx, set, { roots: wanted.roots, uuids: wanted.sources });
  await loadSaidAgain(tx, set, [...valued, ...wanted.roots]);
  // Only these can retire or come to derive from themselves: a row that is new does neither.
  const changing = unique([...valued, ...wanted.roots]).flatMap((root) =>
    set.versionsOf(root).map(({ entry }) => entry.row.uuid),
  );
  if (changing.length === 0) return;
  await loadDerived(tx, set, changing);
  await loadAbove(tx, set, { sources: wanted.sources, changing });
}

const jsonOf = (table: (typeof TABLES)[number]): string =>
  `(select row_to_json(x) from (select ${columnsOf(table)
    .map((column) => `r.${column}`)
    .join(', ')}) x)`;

/** In which scope each root is. Neither its versions nor its lineage matter to an edge. */
async function loadPlaces(tx: SqlSession, set: WorkingSet, roots: readonly Uuid[]): Promise<void> {
  if (roots.length === 0) return;
  const parts = TABLES.map(
    (table) => `select r.root_uuid, r.scope_uuid from context.${table} r
    where r.tenant_id = $1
    and r.root_uuid = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))`,
  );
  const rows = await tx.query(parts.join(' union '), [set.request.tenant, JSON.stringify(roots)]);
  // uuid columns
  for (const row of rows)
    set.places.set(asText(row['root_uuid']) as Uuid, asText(row['scope_uuid']) as Uuid);
}

/** The values of the same keys as these versions, where they are values. */
export async function loadKeysOf(
  tx: SqlSession,
  set: WorkingSet,
  versions: readonly Uuid[],
): Promise<void> {
  const keys = versions.flatMap((uuid) => {
    const { table, row } = set.versionOf(uuid).entry;
    if (table !== 'memory_schema_typed') return [];
    const { scope_uuid: scope, subject, collection, property } = row;
    return [{ scope, subject, collection, property }];
  });
  await loadValues(tx, set, keys);
}

/** Rows by root (all versions) or by uuid, of whatever table. */
export async function loadVersions(
  tx: SqlSession,
  set: WorkingSet,
  by: { readonly roots: readonly Uuid[]; readonly uuids: readonly Uuid[] },
): Promise<void> {
  if (by.roots.length === 0 && by.uuids.length === 0) return;
  const parts = TABLES.map(
    (table) => `select '${table}' as "table", ${jsonOf(table)} as row from context.${table} r
    where r.tenant_id = $1
    and (r.root_uuid = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))
      or r.uuid = any (array(select jsonb_array_elements_text($3::jsonb)::uuid)))`,
  );
  const rows = await tx.query(parts.join(' union all '), [
    set.request.tenant,
    JSON.stringify(by.roots),
    JSON.stringify(by.uuids),
  ]);
  for (const { table, row } of rows) set.add(toRow(asTable(table), row), 'stored');
}
