/** The words of all tenants after a migration: what was written under older rules is read again. */
import type { TenantId } from '../../../src/model/ids.ts';
import { rebuildWords } from '../ports/words.ts';
import type { OwnerDatabase } from './sql.ts';

/** About a second on PGlite; each batch is a transaction of its own. */
const BATCH = 1000;

/**
 * Only a role that sees the rows of every tenant can do it; under another the words are made tenant
 * by tenant, by `embedPending`. Gives how many rows were read.
 */
export async function rebuildAllWords(owner: OwnerDatabase): Promise<number> {
  const [place] = await owner.query(
    `select to_regclass('context_ops.word_backlog') is not null as is_there, (select r.rolsuper
       or r.rolbypassrls from pg_catalog.pg_roles r where r.rolname = current_user) as sees_all`,
  );
  if (place?.['is_there'] !== true || place['sees_all'] !== true) return 0;
  const waiting = await owner.query(
    'select distinct tenant_id from context_ops.word_backlog where done_seq < until_seq order by 1',
  );
  let rebuilt = 0;
  for (const { tenant_id: tenant } of waiting)
    for (;;) {
      // Cast: a tenant_id column.
      const rows = await rebuildWords(owner, String(tenant) as TenantId, BATCH);
      if (rows === 0) break;
      rebuilt += rows;
    }
  return rebuilt;
}
