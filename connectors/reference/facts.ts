/** Facts by page and their origins, by walking every version. */
import type {
  FactsAsked,
  FactsFound,
  FactsPort,
  OriginsAsked,
} from '../../src/cxri/ports/facts.ts';
import type { AnyRow, LinkRow } from '../../src/model/block.ts';
import {
  type AnyFact,
  FACT_TABLES,
  type FactOrigin,
  type FactSource,
  type FactTable,
} from '../../src/model/fact-record.ts';
import type { TenantId, Uuid } from '../../src/model/ids.ts';
import { factsAlike } from './facts-alike.ts';
import { compare } from './filter.ts';
import { readsIn } from './readable.ts';
import type { Slot, Store, TenantState } from './store.ts';

function listFacts(tenant: TenantState | undefined, asked: FactsAsked): FactsFound {
  const { after, limit } = asked;
  if (!tenant) return { facts: [], total: 0, hasMore: false };
  const isOf = readsIn(tenant, asked.scopes);
  const all = [...tenant.scopes.values()]
    .filter(({ uuid }) => isOf(uuid))
    .flatMap(({ slots }) => FACT_TABLES.flatMap((table) => slots[table]))
    .map(({ entry }) => entry as AnyFact) // the slots of the two tables
    .filter((fact) => isAsked(fact, asked, tenant))
    .sort(latestFirst);
  const rest = all.filter(({ row }) => after === null || byKey(after, row) < 0);
  return { facts: rest.slice(0, limit), total: all.length, hasMore: rest.length > limit };
}

type Key = Pick<AnyFact['row'], 'valid_from' | 'uuid'>;
const byKey = (a: Key, b: Key): number =>
  compare(b.valid_from, a.valid_from) || compare(b.uuid, a.uuid) || 0;
const latestFirst = (a: AnyFact, b: AnyFact): number => byKey(a.row, b.row);

function isAsked(fact: AnyFact, asked: FactsAsked, tenant: TenantState): boolean {
  const { subject, class: memory, tag, collection, property, extractor, source } = asked.filter;
  const { row, table } = fact;
  if (row.status !== 'live' || !isInState(fact, asked)) return false;
  if (asked.version !== undefined && row.uuid !== asked.version) return false;
  if (asked.root !== undefined && row.root_uuid !== asked.root) return false;
  if (subject !== undefined && row.subject !== subject) return false;
  if (extractor !== undefined) {
    const own = row.provenance.extractor;
    if (own !== extractor && !own?.startsWith(`${extractor}/`)) return false;
  }
  if (source !== undefined && !hasSource(fact, source, { asked, tenant })) return false;
  if (table === 'memory_open_set')
    return (
      memory !== 'typed' &&
      collection === undefined &&
      property === undefined &&
      (memory === undefined || row.class === memory) &&
      (tag === undefined || row.tags.includes(tag))
    );
  return (
    tag === undefined &&
    (memory === undefined || memory === 'typed') &&
    (collection === undefined || row.collection === collection) &&
    (property === undefined || row.property === property)
  );
}

function isInState({ row }: AnyFact, { state, at }: FactsAsked): boolean {
  const isOver = row.valid_until !== null && row.valid_until <= at;
  switch (state) {
    case 'all':
      return true;
    case 'retired':
      return row.retired_seq !== null;
    case 'past':
      return row.retired_seq === null && isOver;
    case 'current':
      return row.retired_seq === null && row.valid_from <= at && !isOver;
  }
}

/** The version and those that it was cut from, the first of them last. */
function cutsOf<T extends Originated>(fact: T, tenant: TenantState): readonly T[] {
  const before = fact.row.recut_of && tenant.versions.get(fact.row.recut_of);
  // a re-cut is of the table of what it was cut from
  return before ? [fact, ...cutsOf(before.entry as T, tenant)] : [fact];
}

const linksFrom = (uuid: Uuid, { lineage }: TenantState): readonly LinkRow[] =>
  lineage.flatMap(({ entry: { table, row } }) =>
    table === 'context_links' && row.from_uuid === uuid && row.status === 'live' ? [row] : [],
  );

function hasSource(
  fact: AnyFact,
  source: Uuid,
  { asked, tenant }: { readonly asked: FactsAsked; readonly tenant: TenantState },
): boolean {
  const isReadable = readsIn(tenant, asked.readable);
  const isMeant = (slot: Slot | undefined): boolean => {
    if (slot?.entry.table !== 'blocks') return false;
    const { uuid, scope_uuid: scope, status } = slot.entry.row;
    return status === 'live' && isReadable(scope) && (uuid === source || scope === source);
  };
  return cutsOf(fact, tenant).some(({ row }) =>
    linksFrom(row.uuid, tenant).some(({ to_uuid: to }) => isMeant(tenant.versions.get(to))),
  );
}

type Originated = Extract<AnyRow, { readonly table: FactTable | 'blocks' }>;

const HAVE_ORIGINS: ReadonlySet<AnyRow['table']> = new Set([
  'memory_open_set',
  'memory_schema_typed',
  'blocks',
]);

function originOf(
  fact: Originated,
  isReadable: (scope: Uuid) => boolean,
  tenant: TenantState,
): FactOrigin | undefined {
  const first = cutsOf(fact, tenant).at(-1)?.row ?? fact.row;
  const { uuid, scope_uuid: scope, recorded_seq: seq } = first;
  const entries = tenant.scopes.get(scope)?.journal.filter((entry) => entry.seq === seq) ?? [];
  const entry = entries.find((each) => each.uuid === uuid) ?? entries[0];
  if (!entry) return undefined;
  const approved = [...tenant.proposals.values()].find(
    ({ proposal: { state, action } }) =>
      state === 'approved' &&
      action.operations.some((operation) => 'uuid' in operation && operation.uuid === uuid),
  )?.proposal;
  const { recorded_at, principal, on_behalf_of, writer, decision } = entry;
  const isBrought = entry.operation === 'ADD' || entry.operation === 'UPDATE';
  return {
    recorded_at,
    principal,
    on_behalf_of,
    writer,
    operation_id: isBrought && entry.uuid === uuid ? entry.operation_id : null,
    tier: decision,
    extractor: first.provenance.extractor ?? null,
    approval:
      approved?.settled_at && approved.settled_by !== null
        ? {
            proposal_uuid: approved.proposal_uuid,
            approved_by: approved.settled_by,
            approved_at: approved.settled_at,
          }
        : null,
    sources: sourcesOf(uuid, isReadable, tenant),
  };
}

const sourcesOf = (
  uuid: Uuid,
  isReadable: (scope: Uuid) => boolean,
  tenant: TenantState,
): readonly FactSource[] =>
  [...linksFrom(uuid, tenant)]
    .sort((a, b) => a.ordinal - b.ordinal || compare(a.to_uuid, b.to_uuid) || 0)
    .flatMap(({ to_uuid: to, from_seq, to_seq }): readonly FactSource[] => {
      if (from_seq !== null && to_seq !== null)
        return isReadable(to) ? [{ scope_uuid: to, from_seq, to_seq }] : [];
      const row = tenant.versions.get(to)?.entry.row;
      if (row?.status !== 'live' || !isReadable(row.scope_uuid)) return [];
      return [{ uuid: row.uuid, scope_uuid: row.scope_uuid }];
    });

function factOrigins(
  tenant: TenantState | undefined,
  { uuids, readable }: OriginsAsked,
): ReadonlyMap<Uuid, FactOrigin> {
  const origins = new Map<Uuid, FactOrigin>();
  if (!tenant) return origins;
  const isReadable = readsIn(tenant, readable);
  for (const uuid of uuids) {
    const entry = tenant.versions.get(uuid)?.entry;
    if (!entry || !isReadable(entry.row.scope_uuid)) continue;
    if (entry.row.status !== 'live') continue;
    if (!HAVE_ORIGINS.has(entry.table)) continue;
    // one of those tables
    const origin = originOf(entry as Originated, isReadable, tenant);
    if (origin) origins.set(uuid, origin);
  }
  return origins;
}

const stateOf = (store: Store, tenant: TenantId): TenantState | undefined =>
  store.tenants.get(tenant);

export const factsPort = (store: Store): FactsPort => ({
  listFacts: async (tenant, asked) => structuredClone(listFacts(stateOf(store, tenant), asked)),
  factOrigins: async (tenant, asked) => factOrigins(stateOf(store, tenant), asked),
  factsAlike: async (tenant, asked) => factsAlike(store, tenant, asked),
});
