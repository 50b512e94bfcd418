/** Rights of principals and their keys: changed by one sealed function, read by name. */
import type { RightsPort, StoredPrincipal } from '../../../src/cxri/ports/rights.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import { inTenant, setTenancy } from '../driver/session.ts';
import type { Database } from '../driver/sql.ts';
import { toWriteError } from '../refusals.ts';
import { asList, asObject, asText } from '../rows.ts';

export async function changeRights(
  database: Database,
  [tenant, change, by]: Parameters<RightsPort['changeRights']>,
): Promise<void> {
  await database
    .transaction(async (tx) => {
      await setTenancy(tx, { tenant, scopes: '*' });
      await tx.query('select context_ops.change_rights($1, $2::jsonb, $3::jsonb)', [
        tenant,
        JSON.stringify(change),
        JSON.stringify(by),
      ]);
    })
    .catch((error: unknown) => {
      throw toWriteError(error);
    });
}

export async function listPrincipals(
  database: Database,
  tenant: TenantId,
): Promise<readonly StoredPrincipal[]> {
  const rows = await inTenant(database, { tenant, scopes: [] }, (tx) =>
    tx.query(
      `select r.principal, r.kind, r.tiers, r.all_scopes, to_json(r.scopes) as scopes,
        r.is_disabled,
         (select coalesce(json_agg(json_build_object('key_id', k.key_id, 'is_revoked', k.is_revoked)
            order by k.key_id), '[]') from context_ops.principal_keys k
          where k.tenant_id = r.tenant_id and k.principal = r.principal) as keys
       from context_ops.principal_rights r where r.tenant_id = $1 order by r.principal collate "C"`,
      [tenant],
    ),
  );
  // The casts name what the checks of the table hold.
  return rows.map((row) => ({
    principal: asText(row['principal']),
    kind: row['kind'] as StoredPrincipal['kind'],
    tiers: asObject(row['tiers']) as StoredPrincipal['tiers'],
    scopes: {
      all: row['all_scopes'] === true,
      uuids: new Set(asList(row['scopes']).map((uuid) => asText(uuid) as Uuid)),
    },
    isDisabled: row['is_disabled'] === true,
    keys: asList(row['keys']).map((each) => {
      const key = asObject(each);
      return { key_id: asText(key['key_id']), is_revoked: key['is_revoked'] === true };
    }),
  }));
}
