/** A scope as lines of JSON: a header, then every version of every row, sequence numbers included, so that `as_of` works after an import. */
import type { Authority } from '../cxri/authority.ts';
import { ContextEngineError } from '../errors.ts';
import { TABLES } from '../model/block.ts';
import type { TenantId, Uuid } from '../model/ids.ts';

export const EXPORT_FORMAT = 'contextengine.scope/1';
const PAGE = 500;

/** The exported scope at the head it had when the export began. */
export async function* exportRows({
  authority,
  tenant,
  scope,
}: {
  readonly authority: Authority;
  readonly tenant: TenantId;
  readonly scope: Uuid;
}): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const { position } = await authority.heads(tenant, [scope]);
  const [own] = position;
  if (!own)
    throw new ContextEngineError('SCOPE.NOT_FOUND', {
      message: `There is no scope \`${scope}\` in tenant \`${tenant}\`.`,
      fix: 'List what there is with `contextengine scope list`.',
      where: { field: 'scope' },
    });
  yield { format: EXPORT_FORMAT, scope_block_uuid: scope, head: own.head };
  for (const table of TABLES) {
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<Authority['read']>> = await authority.read({
        kind: 'scan',
        tenant,
        table,
        position,
        limit: PAGE,
        ...(cursor !== null && { cursor }),
      });
      for (const item of page.rows) yield { table: item.table, row: item.row };
      cursor = page.cursor;
    } while (cursor !== null);
  }
}
