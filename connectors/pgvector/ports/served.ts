/** What was served: one row for each principal, session and root. */
import type { ServedPort } from '../../../src/cxri/ports/served.ts';
import type { Uuid } from '../../../src/model/ids.ts';
import { inTenant } from '../driver/session.ts';
import type { Database } from '../driver/sql.ts';
import { asText } from '../rows.ts';

/** In the order of the key: two that mark the same wait for each other, and never both. */
const SAVE = `
  insert into context_ops.served as s (tenant_id, principal, session_uuid, root_uuid, served_at)
  select $1, k.principal, k.session_uuid, k.root_uuid, max(k.served_at)
  from jsonb_to_recordset($2::jsonb)
    k(principal text, session_uuid uuid, root_uuid uuid, served_at timestamptz)
  group by 2, 3, 4 order by 2, 3, 4
  on conflict (tenant_id, principal, session_uuid, root_uuid) do update
  set served_at = greatest(s.served_at, excluded.served_at)`;

const SERVED = `
  select distinct root_uuid from context_ops.served
  where tenant_id = $1 and principal = $2 and session_uuid <> $3 and served_at > $4::timestamptz`;

export function servedPort(open: () => Database): ServedPort {
  return {
    saveServed: (tenant, marks, keptSince) =>
      inTenant(open(), { tenant, scopes: '*' }, async (tx) => {
        await tx.query(SAVE, [tenant, JSON.stringify(marks)]);
        // Whoever else is at it takes those rows.
        await tx.query(
          `delete from context_ops.served where (tenant_id, principal, session_uuid, root_uuid) in (
             select tenant_id, principal, session_uuid, root_uuid from context_ops.served
             where tenant_id = $1 and served_at < $2::timestamptz for update skip locked)`,
          [tenant, keptSince],
        );
      }),
    servedTo: async (tenant, { principal, except_session: session, after }, signal) => {
      const rows = await inTenant(open(), { tenant, scopes: '*', signal }, (tx) =>
        tx.query(SERVED, [tenant, principal, session, after]),
      );
      return rows.map((row) => asText(row['root_uuid']) as Uuid); // a uuid column
    },
  };
}
