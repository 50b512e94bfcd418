/** The digest key of a tenant, by the sealed function that makes it. */
import type { KeysPort } from '../../../src/cxri/ports/keys.ts';
import type { Uuid } from '../../../src/model/ids.ts';
import { callInTenant, inTenant } from '../driver/session.ts';
import type { Database } from '../driver/sql.ts';
import { asList, asText } from '../rows.ts';

export const keysPort = (open: () => Database): KeysPort => ({
  digestKey: async (tenant) =>
    asText(
      await callInTenant(
        open(),
        { tenant, scopes: [] },
        { call: `encode(context_ops.ensure_keys($1), 'hex')`, params: [] },
      ),
    ),
  madeScopes: (tenant, scopes) =>
    inTenant(open(), { tenant, scopes: '*' }, async (tx) => {
      const rows = await tx.query(
        `select h.scope_uuid::text as scope,
           exists (select from context.blocks r where r.tenant_id = $1
             and r.scope_uuid = h.scope_uuid and r.root_uuid = h.scope_uuid and r.is_scope
             and r.status = 'live' and r.retired_seq is null) as is_standing,
           exists (select from context_ops.earlier_scopes e where e.tenant_id = $1
             and e.scope_uuid = h.scope_uuid) as is_earlier
         from context_ops.scope_heads h where h.tenant_id = $1
           and h.scope_uuid = any (array(select jsonb_array_elements_text($2::jsonb)::uuid))`,
        [tenant, JSON.stringify(scopes)],
      );
      return rows.map((row) => ({
        scope: asText(row['scope']) as Uuid, // uuids as text
        is_standing: row['is_standing'] === true,
        is_earlier: row['is_earlier'] === true,
      }));
    }),
  forgottenNames: (tenant, { scope, uuids, keys }) =>
    inTenant(open(), { tenant, scopes: [scope] }, async (tx) => {
      const asked = keys.map((key) => ({ scope, key }));
      const [row] = await tx.query(
        `select to_jsonb(array(select distinct d.uuid::text from context_ops.redacted d
             where d.tenant_id = $1 and d.scope_uuid = $2
               and d.uuid = any (array(select jsonb_array_elements_text($3::jsonb)::uuid)))) as uuids,
           to_jsonb(array(select o ->> 'idempotency_key'
             from jsonb_array_elements(context_ops.erased_operations($1, $4::jsonb)) o
             union select o.idempotency_key from jsonb_to_recordset($4::jsonb) k(key text)
               join context_ops.operations o on o.tenant_id = $1 and o.scope_uuid = $2
                 and o.idempotency_key = k.key
               where exists (select from context_ops.redacted d where d.tenant_id = $1
                 and d.scope_uuid = $2 and d.uuid = o.uuid))) as keys`,
        [tenant, scope, JSON.stringify(uuids), JSON.stringify(asked)],
      );
      return {
        uuids: asList(row?.['uuids']).map((uuid) => asText(uuid) as Uuid), // uuids as text
        keys: asList(row?.['keys']).map(asText),
      };
    }),
});
