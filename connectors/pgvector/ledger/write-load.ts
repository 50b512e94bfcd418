/**
 * Reads into the working set what the operations may touch: the versions of their roots and keys,
 * their sources, and the lineage of both.
 */
import { type LinkRow, TABLES } from '../../../src/model/block.ts';
import type { Uuid } from '../../../src/model/ids.ts';
import type { Operation } from '../../../src/model/operation.ts';
import type { SqlSession } from '../driver/sql.ts';
import { asTable, asText, columnsOf, toRow } from '../rows.ts';
import { typedKeyOf, type WriteSet } from './write-set.ts';

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
  /** Versions that something derives from. */
  readonly sources: readonly Uuid[];
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
  return {
    roots: unique(
      operations.flatMap((operation) =>
        operation.operation === 'UPDATE' || operation.operation === 'DELETE'
          ? [operation.root_uuid]
          : [],
      ),
    ),
    keys: [...typed.values()],
    sources: unique(
      operations.flatMap((operation) => ('sources' in operation ? (operation.sources ?? []) : [])),
    ),
    edges: unique(edges).filter((from) => !scopes.has(from)),
  };
}

const unique = (uuids: readonly Uuid[]): readonly Uuid[] => [...new Set(uuids)];

export async function load(tx: SqlSession, set: WriteSet, wanted: Wanted): Promise<void> {
  const tenant = set.request.tenant;
  if (wanted.keys.length > 0) {
    const rows = await tx.query(
      `select ${jsonOf('memory_schema_typed')} as row from jsonb_to_recordset($2::jsonb) k(scope uuid, subject text, collection text, property text)
       join context.memory_schema_typed r on r.tenant_id = $1 and r.scope_uuid = k.scope and r.collection = k.collection and r.subject = k.subject and r.property = k.property`,
      [tenant, JSON.stringify(wanted.keys)],
    );
    for (const { row } of rows) set.add(toRow('memory_schema_typed', row), 'stored');
  }
  await loadPlaces(tx, set, wanted.edges);
  // Only these can retire: what derives from a source alone stays as it is, however much there is
  // of it.
  const changing = [...set.versions.values()].map(({ entry }) => entry.row.root_uuid);
  await loadVersions(tx, set, { roots: wanted.roots, uuids: wanted.sources });
  const roots = unique([...changing, ...wanted.roots]);
  if (roots.length > 0) await loadDescendants(tx, set, roots);
  // A row that is new has no descendants, so it cannot come to derive from itself.
  const isNew = roots.length === 0;
  if (wanted.sources.length > 0 && !isNew)
    await loadAncestors(tx, set, unique(wanted.sources.flatMap((uuid) => rootOf(set, uuid) ?? [])));
}

const rootOf = (set: WriteSet, uuid: Uuid): Uuid | undefined =>
  set.versions.get(uuid)?.entry.row.root_uuid;

const jsonOf = (table: (typeof TABLES)[number]): string =>
  `(select row_to_json(x) from (select ${columnsOf(table)
    .map((column) => `r.${column}`)
    .join(', ')}) x)`;

/** In which scope each root is. Neither its versions nor its lineage matter to an edge. */
async function loadPlaces(tx: SqlSession, set: WriteSet, roots: readonly Uuid[]): Promise<void> {
  if (roots.length === 0) return;
  const parts = TABLES.map(
    (table) => `select r.root_uuid, r.scope_uuid from context.${table} r
    where r.tenant_id = $1 and r.root_uuid = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))`,
  );
  const rows = await tx.query(parts.join(' union '), [set.request.tenant, JSON.stringify(roots)]);
  // uuid columns
  for (const row of rows)
    set.places.set(asText(row['root_uuid']) as Uuid, asText(row['scope_uuid']) as Uuid);
}

/** Rows by root (all versions) or by uuid, of whatever table. */
async function loadVersions(
  tx: SqlSession,
  set: WriteSet,
  by: { readonly roots: readonly Uuid[]; readonly uuids: readonly Uuid[] },
): Promise<void> {
  if (by.roots.length === 0 && by.uuids.length === 0) return;
  const parts = TABLES.map(
    (table) => `select '${table}' as "table", ${jsonOf(table)} as row from context.${table} r
    where r.tenant_id = $1 and (r.root_uuid = any (array(select jsonb_array_elements_text($2::jsonb)::uuid)) or r.uuid = any (array(select jsonb_array_elements_text($3::jsonb)::uuid)))`,
  );
  const rows = await tx.query(parts.join(' union all '), [
    set.request.tenant,
    JSON.stringify(by.roots),
    JSON.stringify(by.uuids),
  ]);
  for (const { table, row } of rows) set.add(toRow(asTable(table), row), 'stored');
}

/** Down: what derives from any version of the roots, and from that, with all their versions. */
async function loadDescendants(
  tx: SqlSession,
  set: WriteSet,
  roots: readonly Uuid[],
): Promise<void> {
  let frontier = roots;
  const seen = new Set(roots);
  while (frontier.length > 0) {
    const versions = frontier.flatMap((root) =>
      set.versionsOf(root).map(({ entry }) => entry.row.uuid),
    );
    const links = await loadLinks(tx, set, { end: 'to_uuid', uuids: versions });
    frontier = unique(links.map((link) => link.from_uuid)).filter((root) => !seen.has(root));
    for (const root of frontier) seen.add(root);
    await loadVersions(tx, set, { roots: frontier, uuids: [] });
  }
}

/** Up: what the roots derive from, so that no row comes to derive from itself. */
async function loadAncestors(tx: SqlSession, set: WriteSet, roots: readonly Uuid[]): Promise<void> {
  let frontier = roots;
  const seen = new Set(roots);
  while (frontier.length > 0) {
    const links = await loadLinks(tx, set, { end: 'from_uuid', uuids: frontier });
    await loadVersions(tx, set, {
      roots: [],
      uuids: unique(links.map((link) => link.to_uuid)).filter((uuid) => !set.versions.has(uuid)),
    });
    frontier = unique(
      links.flatMap((link) => set.versions.get(link.to_uuid)?.entry.row.root_uuid ?? []),
    ).filter((root) => !seen.has(root));
    for (const root of frontier) seen.add(root);
  }
}

async function loadLinks(
  tx: SqlSession,
  set: WriteSet,
  by: { readonly end: 'from_uuid' | 'to_uuid'; readonly uuids: readonly Uuid[] },
): Promise<readonly LinkRow[]> {
  const rows = await tx.query(
    `select ${jsonOf('context_links')} as row from context.context_links r where r.tenant_id = $1 and r.link_type = 'derived_from' and r.status = 'live' and r.retired_seq is null
     and r.${by.end} = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))`,
    [set.request.tenant, JSON.stringify(by.uuids)],
  );
  return rows.flatMap(({ row }) => {
    const { entry } = set.add(toRow('context_links', row), 'stored');
    return entry.table === 'context_links' ? [entry.row] : [];
  });
}
