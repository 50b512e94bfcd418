/** Facts by page and their origins: plain statements under row-level security. */
import type {
  FactsAsked,
  FactsFound,
  FactsPort,
  OriginsAsked,
} from '../../../src/cxri/ports/facts.ts';
import {
  type AnyFact,
  FACT_TABLES,
  type FactOrigin,
  type FactSource,
  type FactState,
  type FactTable,
} from '../../../src/model/fact-record.ts';
import type { Instant, TenantId, Uuid } from '../../../src/model/ids.ts';
import { inTenant } from '../driver/session.ts';
import type { Database, SqlParam, SqlRow } from '../driver/sql.ts';
import { asList, asObject, asTable, asText, columnsOf, toRow, toTime } from '../rows.ts';
import { factsAlike } from './facts-alike.ts';
import { heldOf, isNone, listOf, type Place, within } from './readable.ts';

/** Values of a statement; gives the place of each. */
const placesIn =
  (values: SqlParam[]) =>
  (value: SqlParam): string =>
    `$${values.push(value)}`;

/** What is asked of a table `r` alone; null = none of this table. */
function ownConditions(
  table: FactTable,
  { filter }: FactsAsked,
  place: Place,
): readonly string[] | null {
  const { subject, class: memory, tag, collection, property } = filter;
  const isTyped = table === 'memory_schema_typed';
  const isOther = isTyped
    ? tag !== undefined || (memory !== undefined && memory !== 'typed')
    : memory === 'typed' || collection !== undefined || property !== undefined;
  if (isOther) return null;
  const equal = (column: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [`${column} = ${place(value)}`];
  const ofBoth = equal('r.subject', subject);
  if (isTyped)
    return [...ofBoth, ...equal('r.collection', collection), ...equal('r.property', property)];
  return [
    ...ofBoth,
    ...equal('r.class', memory),
    ...(tag === undefined ? [] : [`${place(tag)} = any(r.tags)`]),
  ];
}

function sharedConditions(asked: FactsAsked, place: Place): readonly string[] {
  const { state, at, filter, version, root } = asked;
  const { extractor, source } = filter;
  return [
    `r.tenant_id = $1 and r.status = 'live' and ${within(asked.scopes, place)('r.scope_uuid')}`,
    ...(version === undefined ? [] : [`r.uuid = ${place(version)}::uuid`]),
    ...(root === undefined ? [] : [`r.root_uuid = ${place(root)}::uuid`]),
    ...(state === 'all' ? [] : [stateCondition(state, at, place)]),
    ...(extractor === undefined ? [] : [extractorCondition(place(extractor))]),
    ...(source === undefined
      ? []
      : [sourceCondition(place(source), within(asked.readable, place))]),
  ];
}

function stateCondition(state: Exclude<FactState, 'all'>, at: Instant, place: Place): string {
  if (state === 'retired') return 'r.retired_seq is not null';
  const instant = `${place(at)}::timestamptz`;
  return state === 'past'
    ? `r.retired_seq is null and r.valid_until <= ${instant}`
    : `r.retired_seq is null and r.valid_from <= ${instant}
       and (r.valid_until is null or r.valid_until > ${instant})`;
}

const extractorCondition = (extractor: string): string =>
  `(r.provenance ->> 'extractor' = ${extractor}
    or starts_with(r.provenance ->> 'extractor', ${extractor} || '/'))`;

/** A version that was cut anew shares the lineage of the one that it was cut from. */
const sourceCondition = (
  source: string,
  isReadable: (column: string) => string,
): string => `exists (
    with recursive cut (uuid) as (
      select r.uuid
      union select i.recut_of from cut c join context_ops.row_ids i
        on i.tenant_id = $1 and i.uuid = c.uuid where i.recut_of is not null)
    select from cut c
      join context.context_links l on l.tenant_id = $1 and l.from_uuid = c.uuid
        and l.link_type = 'derived_from' and l.status = 'live'
      join context.blocks b on b.tenant_id = $1 and b.uuid = l.to_uuid and b.status = 'live'
    where (b.uuid = ${source}::uuid or b.scope_uuid = ${source}::uuid)
      and ${isReadable('b.scope_uuid')})`;

const rowOf = (table: FactTable): string => `(select row_to_json(x) from (
    select ${columnsOf(table)
      .map((column) => `r.${column}`)
      .join(', ')} from context.${table} r where r.tenant_id = $1 and r.uuid = p.uuid) x)`;

async function listFacts(
  database: Database,
  tenant: TenantId,
  asked: FactsAsked,
): Promise<FactsFound> {
  const { scopes, readable, limit, after } = asked;
  if (isNone(scopes)) return { facts: [], total: 0, hasMore: false };
  const values: SqlParam[] = [tenant];
  const place = placesIn(values);
  const shared = sharedConditions(asked, place);
  const parts = FACT_TABLES.flatMap((table) => {
    const own = ownConditions(table, asked, place);
    if (own === null) return [];
    return `select '${table}' as "table", r.uuid, r.valid_from from context.${table} r
      where ${[...shared, ...own].join(' and ')}`;
  });
  if (parts.length === 0) return { facts: [], total: 0, hasMore: false };
  const begins =
    after === null
      ? ''
      : `where (f.valid_from, f.uuid) < (${place(after.valid_from)}::timestamptz, ${place(after.uuid)}::uuid)`;
  const text = `with found as materialized (${parts.join(' union all ')}),
    page as (select * from found f ${begins}
      order by f.valid_from desc, f.uuid desc limit ${place(limit + 1)})
    select (select count(*) from found) as total, p."table",
      case p."table" when 'memory_open_set' then ${rowOf('memory_open_set')}
        else ${rowOf('memory_schema_typed')} end as row
    from (select) one left join page p on true order by p.valid_from desc, p.uuid desc`;
  const rows = await inTenant(database, { tenant, scopes: heldOf(readable) }, (tx) =>
    tx.query(text, values),
  );
  const found = rows.flatMap(
    // of the two tables it reads
    ({ table, row }) => (table === null ? [] : [toRow(asTable(table), row) as AnyFact]),
  );
  return {
    facts: found.slice(0, limit),
    total: Number(rows[0]?.['total'] ?? 0),
    hasMore: found.length > limit,
  };
}

const VERSIONS = [...FACT_TABLES, 'blocks']
  .map(
    (table) => `select r.uuid, r.recut_of, r.scope_uuid, r.recorded_seq, r.provenance
    from context.${table} r where r.tenant_id = $1 and r.status = 'live'`,
  )
  .join(' union all ');

/**
 * The version that an interval was first written with, its journal entry, sources and approval: of
 * a proposal that names no scope beyond those that are read.
 */
const originsOf = (isReadable: (column: string) => string): string => `with recursive chain as (
    select v.uuid as asked, v.* from (${VERSIONS}) v
      where v.uuid = any($2::uuid[]) and ${isReadable('v.scope_uuid')}
    union all
    select c.asked, v.* from chain c join (${VERSIONS}) v on v.uuid = c.recut_of),
  first as (select * from chain c where c.recut_of is null or not exists (
    select from chain d where d.asked = c.asked and d.uuid = c.recut_of))
  select f.asked, o.recorded_at, o.principal, o.on_behalf_of, o.writer, o.decision,
    case when o.uuid = f.uuid and o.operation in ('ADD', 'UPDATE') then o.operation_id end
      as operation_id,
    f.provenance ->> 'extractor' as extractor,
    (select jsonb_build_object('proposal_uuid', p.proposal_uuid, 'approved_by', p.settled_by,
        'approved_at', p.settled_at)
      from context_ops.proposals p where p.tenant_id = $1 and p.state = 'approved'
        and p.kind = 'write' and f.scope_uuid = any(p.scopes)
        and not exists (select from unnest(p.scopes) o(scope) where not ${isReadable('o.scope')})
        and strpos(p.action, f.uuid::text) > 0
        and exists (select from jsonb_array_elements(p.action::jsonb -> 'operations') e
          where e ->> 'uuid' = f.uuid::text) limit 1) as approval,
    (select coalesce(jsonb_agg(s.source order by s.ordinal, s.place), '[]') from (
      select l.ordinal, l.to_uuid as place, case when l.from_seq is null
          then jsonb_build_object('uuid', t.uuid, 'scope_uuid', t.scope_uuid)
          else jsonb_build_object('scope_uuid', l.to_uuid, 'from_seq', l.from_seq,
            'to_seq', l.to_seq) end as source
      from context.context_links l
      left join lateral (
        select r.uuid, r.scope_uuid from context.blocks r
          where r.tenant_id = $1 and r.uuid = l.to_uuid and r.status = 'live'
        union all select r.uuid, r.scope_uuid from context.subtree_summaries r
          where r.tenant_id = $1 and r.uuid = l.to_uuid and r.status = 'live'
        union all select r.uuid, r.scope_uuid from context.memory_open_set r
          where r.tenant_id = $1 and r.uuid = l.to_uuid and r.status = 'live'
        union all select r.uuid, r.scope_uuid from context.memory_schema_typed r
          where r.tenant_id = $1 and r.uuid = l.to_uuid and r.status = 'live') t
        on l.from_seq is null
      where l.tenant_id = $1 and l.from_uuid = f.uuid and l.link_type = 'derived_from'
        and l.status = 'live'
        and case when l.from_seq is null then t.uuid is not null and ${isReadable('t.scope_uuid')}
          else ${isReadable('l.to_uuid')} end) s) as sources
  from first f cross join lateral (
    select * from context_ops.operations o where o.tenant_id = $1 and o.scope_uuid = f.scope_uuid
      and o.seq = f.recorded_seq order by (o.uuid = f.uuid) desc nulls last, o.ordinal limit 1) o`;

async function factOrigins(
  database: Database,
  tenant: TenantId,
  { uuids, readable }: OriginsAsked,
): Promise<ReadonlyMap<Uuid, FactOrigin>> {
  if (uuids.length === 0 || isNone(readable)) return new Map();
  const values: SqlParam[] = [tenant, listOf(uuids)];
  const text = originsOf(within(readable, placesIn(values)));
  const rows = await inTenant(database, { tenant, scopes: heldOf(readable) }, (tx) =>
    tx.query(text, values),
  );
  return new Map(rows.map((row) => [asText(row['asked']) as Uuid, toOrigin(row)])); // a uuid column
}

/** The casts name what the statement built of uuid columns and numbers. */
const toOrigin = (row: SqlRow): FactOrigin => ({
  recorded_at: toTime(row['recorded_at']),
  principal: asText(row['principal']),
  on_behalf_of: row['on_behalf_of'] as string | null,
  writer: asText(row['writer']),
  operation_id: row['operation_id'] as Uuid | null,
  tier: asText(row['decision']),
  extractor: row['extractor'] as string | null,
  approval: row['approval'] === null ? null : toApproval(asObject(row['approval'])),
  sources: asList(row['sources']) as readonly FactSource[],
});

const toApproval = (
  approval: Readonly<Record<string, unknown>>,
): NonNullable<FactOrigin['approval']> => ({
  proposal_uuid: asText(approval['proposal_uuid']) as Uuid, // a uuid column
  approved_by: asText(approval['approved_by']),
  approved_at: toTime(approval['approved_at']),
});

export const factsPort = (open: () => Database): FactsPort => ({
  listFacts: async (tenant, asked) => listFacts(open(), tenant, asked),
  factOrigins: async (tenant, asked) => factOrigins(open(), tenant, asked),
  factsAlike: async (tenant, asked) => factsAlike(open(), tenant, asked),
});
