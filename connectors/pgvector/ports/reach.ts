/** What a redaction reaches: looked up by a sealed function, and read of one that is there. */
import type { ReachPort } from '../../../src/cxri/ports/reach.ts';
import type { RedactionReach } from '../../../src/model/erasure.ts';
import type { Instant, TenantId, Uuid } from '../../../src/model/ids.ts';
import { inTenant, setTenancy } from '../driver/session.ts';
import type { Database, SqlSession } from '../driver/sql.ts';
import { toWriteError } from '../refusals.ts';
import { asList, asObject, asText } from '../rows.ts';

export const reachPort = (open: () => Database): ReachPort => ({
  reachOf: async ({ tenant, ...asked }) =>
    toReach(await called(open(), tenant, ['reach_of($1, $2::jsonb)', JSON.stringify(asked)])),
  reachOfRedaction: (tenant, redaction) =>
    inTenant(open(), { tenant, scopes: '*' }, (tx) =>
      reachOfRedaction(tx, { tenant, redaction, at: null }),
    ),
  lapseProposals: async (tenant, at) =>
    Number(await called(open(), tenant, ['lapse_proposals($1, $2::timestamptz)', at])),
});

async function called(
  database: Database,
  tenant: TenantId,
  [call, given]: readonly [string, string],
): Promise<unknown> {
  const rows = await database
    .transaction(async (tx) => {
      await setTenancy(tx, { tenant, scopes: '*' });
      return tx.query(`select context_ops.${call} as answer`, [tenant, given]);
    })
    .catch((error: unknown) => {
      throw toWriteError(error);
    });
  return rows[0]?.['answer'];
}

interface AskedRedaction {
  readonly tenant: TenantId;
  readonly redaction: Uuid;
  readonly at: Instant | null;
}

/** `at`: null where it is due by then. */
export async function reachOfRedaction(
  tx: SqlSession,
  { tenant, redaction, at }: AskedRedaction,
): Promise<RedactionReach | null> {
  const [row] = await tx.query(
    `with gone as materialized (select d.copy, d.uuid, d.scope_uuid from context_ops.redacted d
         where d.tenant_id = $1 and d.redaction_uuid = $2)
     select jsonb_build_object(
       'digest', encode(sha256(convert_to(coalesce((select string_agg(g.uuid::text, ','
           order by g.uuid) from gone g where g.copy not in ('receipts', 'proposals', 'artifacts',
           'operations')), ''), 'UTF8')), 'hex'),
       'counts', (select coalesce(jsonb_object_agg(c.copy, c.count), '{}') from (
         select g.copy, count(*) as count from gone g group by g.copy) c),
       'scopes', to_jsonb(array(select distinct g.scope_uuid from gone g
         where g.scope_uuid is not null order by g.scope_uuid)),
       'is_whole', r.target_kind = 'tenant' or exists (select from gone g
         where g.scope_uuid is null)) as reach
     from context_ops.redactions r where r.tenant_id = $1 and r.redaction_uuid = $2
       and r.state = 'suppressed' and ($3::timestamptz is null or r.erase_after > $3::timestamptz)`,
    [tenant, redaction, at],
  );
  return row === undefined ? null : toReach(row['reach']);
}

/** The casts name what the functions give. */
function toReach(given: unknown): RedactionReach {
  const { scopes, is_whole: isWhole, counts, digest } = asObject(given);
  return {
    scopes: isWhole === true ? [] : asList(scopes).map((scope) => asText(scope) as Uuid),
    is_whole: isWhole === true,
    counts: asObject(counts) as RedactionReach['counts'],
    digest: asText(digest),
  };
}
