/** The human that tests act as, stored on a server as an embedded folder has it. */
import type { Database } from '../../connectors/pgvector/driver/sql.ts';

export async function storeLocalHuman(
  owner: Pick<Database, 'query'>,
  tiers: Readonly<Record<string, string>> = {
    ...{ reads: 'T1', writes: 'T1', cross_scope: 'T1', deletes: 'T1' },
    ...{ grants: 'T1', redactions: 'T1', approvals: 'T1' },
  },
): Promise<void> {
  await owner.query(`select set_config('contextengine.tenant', 'local', false)`);
  await owner.query(
    `insert into context_ops.principal_rights (tenant_id, principal, kind, tiers, all_scopes)
     values ('local', 'local', 'human', $1::jsonb, true)`,
    [JSON.stringify(tiers)],
  );
}
