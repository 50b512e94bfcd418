/**
 * The closure of a scope with heads, stored rights and policy epoch, in one round trip; heads; the
 * scopes of a tenant.
 */
import type {
  ClosureEntry,
  DescribedScope,
  ResolvedScope,
  ResolveRequest,
} from '../../../src/cxri/ports/ledger.ts';
import type { BlockRow } from '../../../src/model/block.ts';
import type { Instant, TenantId, Uuid } from '../../../src/model/ids.ts';
import type { HeldScopes, StoredRights, TierTable } from '../../../src/model/permission.ts';
import { inTenant } from '../driver/session.ts';
import type { Database } from '../driver/sql.ts';
import { toReadError } from '../refusals.ts';
import { asList, asObject, asText, columnsOf, type JsonObject, toRow, toTime } from '../rows.ts';

const RESOLVE = 'select context.resolve($1, $2::jsonb) as answer';

export async function resolveScope(
  database: Database,
  request: ResolveRequest,
): Promise<ResolvedScope> {
  const { signal, ...asked } = request;
  const rows = await database
    .query(RESOLVE, [request.tenant, JSON.stringify(asked)], signal)
    .catch((error: unknown) => {
      throw toReadError(error);
    });
  const answer = asObject(rows[0]?.['answer']);
  return {
    closure: asList(answer['closure']).map((entry) => toClosureEntry(asObject(entry))),
    isCut: answer['is_cut'] === true,
    rights: toAllRights(answer),
    policy_epoch: Number(answer['policy_epoch']),
  };
}

/** No scope has it: the sealed function reads the rights beside a closure, which is empty then. */
const NO_SCOPE = '00000000-0000-0000-0000-000000000000';

export async function readRights(
  database: Database,
  tenant: TenantId,
  principals: readonly string[],
): Promise<ResolvedScope['rights']> {
  const asked = { tenant, scope: NO_SCOPE, principals, max_depth: 0, max_scopes: 1 };
  const rows = await database
    .query(RESOLVE, [tenant, JSON.stringify(asked)])
    .catch((error: unknown) => {
      throw toReadError(error);
    });
  return toAllRights(asObject(rows[0]?.['answer']));
}

const toAllRights = (answer: JsonObject): ResolvedScope['rights'] =>
  Object.fromEntries(
    Object.entries(asObject(answer['rights'])).map(([principal, stored]) => [
      principal,
      toRights(asObject(stored)),
    ]),
  );

/** A scope that was never written has no time. */
const toClosureEntry = (entry: JsonObject): ClosureEntry => {
  const scope = toBlock(entry['scope']);
  return {
    scope,
    depth: Number(entry['depth']),
    head: Number(entry['head']),
    usage_head: Number(entry['usage_head']),
    recorded_at: entry['recorded_at'] == null ? null : toTime(entry['recorded_at']),
  };
};

/** Narrowed by construction: the row was read as one of `blocks`. */
const toBlock = (json: unknown): BlockRow => toRow('blocks', json).row as BlockRow;

/** Kinds and tiers are checked by the table. */
const toRights = (stored: JsonObject): StoredRights => ({
  kind: stored['kind'] as StoredRights['kind'],
  tiers: asObject(stored['tiers']) as Partial<TierTable>,
  scopes: {
    all: stored['all'] === true,
    uuids: new Set(asList(stored['scopes']).map((uuid) => asText(uuid) as Uuid)),
  },
  isDisabled: stored['is_disabled'] === true,
});

export async function listScopes(
  database: Database,
  asked: { readonly tenant: TenantId; readonly held: HeldScopes; readonly now: Instant },
): Promise<readonly { readonly scope: BlockRow; readonly head: number }[]> {
  const { tenant, held, now } = asked;
  return inTenant(database, { tenant, scopes: held.all ? '*' : [...held.uuids] }, async (tx) => {
    const rows = await tx.query(
      `select (select row_to_json(x) from (select ${columnsOf('blocks')
        .map((column) => `r.${column}`)
        .join(', ')}) x) as scope, h.head
       from context.blocks r join context_ops.scope_heads h on h.tenant_id = r.tenant_id
       and h.scope_uuid = r.scope_uuid
       where r.tenant_id = $1 and r.is_scope and r.status = 'live' and r.retired_seq is null
       and r.valid_from <= $2 and (r.valid_until is null or r.valid_until > $2)
       order by r.valid_from, r.uuid`,
      [tenant, now],
    );
    return rows.map((row) => ({ scope: toBlock(row['scope']), head: Number(row['head']) }));
  });
}

/** The operation that made a scope is its first: it is found at the beginning of the journal. */
export async function describeScopes(
  database: Database,
  asked: { readonly tenant: TenantId; readonly scopes: readonly Uuid[]; readonly now: Instant },
): Promise<readonly DescribedScope[]> {
  const { tenant, scopes, now } = asked;
  return inTenant(database, { tenant, scopes }, async (tx) => {
    const rows = await tx.query(
      `select h.scope_uuid::text as scope,
         (select o.idempotency_key from context_ops.operations o where o.tenant_id = $1
           and o.scope_uuid = h.scope_uuid and o.uuid = h.scope_uuid
           order by o.seq, o.ordinal limit 1) as key,
         to_jsonb(array(select l.to_uuid::text from context.context_links l where l.tenant_id = $1
           and l.scope_uuid = h.scope_uuid and l.from_uuid = h.scope_uuid
           and l.link_type = 'inherits' and l.status = 'live' and l.retired_seq is null
           and l.valid_from <= $3 and (l.valid_until is null or l.valid_until > $3)
           order by l.ordinal, l.to_uuid)) as inherits
       from context_ops.scope_heads h where h.tenant_id = $1
         and h.scope_uuid = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))`,
      [tenant, JSON.stringify(scopes), now],
    );
    return rows.map((row) => ({
      scope: asText(row['scope']) as Uuid, // uuids as text
      key: row['key'] === null ? null : asText(row['key']),
      inherits: asList(row['inherits']).map((outer) => asText(outer) as Uuid),
    }));
  });
}
