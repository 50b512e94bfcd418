/** An exported scope comes back as it stood. */
import type { Authority } from '../../src/cxri/authority.ts';
import { ContextEngineError } from '../../src/errors.ts';
import { emptyScope, insert, type Store, tenantOf, toEntry, Undo } from './store.ts';

export type RestoreRequest = Parameters<Authority['restoreScope']>[0];

const refused = (message: string, fix: string): ContextEngineError => new ContextEngineError('WRITE.INVALID', { message, fix });

export function restoreScope(store: Store, request: RestoreRequest): void {
  const tenant = tenantOf(store, request.tenant);
  if (tenant.scopes.has(request.scope))
    throw refused(`The tenant \`${request.tenant}\` has the scope \`${request.scope}\` already.`, 'Import it into another tenant.');
  const rows = [...request.rows].sort((a, b) => a.row.recorded_seq - b.row.recorded_seq);
  const undo = new Undo();
  const scope = emptyScope(request.scope);
  tenant.scopes.set(scope.uuid, scope);
  undo.push(() => tenant.scopes.delete(scope.uuid));
  try {
    for (const { table, row } of rows) {
      if (row.scope_uuid !== request.scope || row.recorded_seq > request.head)
        throw refused(
          `The row \`${row.uuid}\` is not of scope \`${request.scope}\` up to its head \`${request.head}\`.`,
          'Import an export as it is.',
        );
      if (tenant.versions.has(row.uuid)) throw refused(`The uuid \`${row.uuid}\` is taken.`, 'Import each scope once.');
      insert(tenant, toEntry(table, { ...row, tenant_id: request.tenant }), undo);
      scope.journal.push({
        scope: scope.uuid,
        seq: row.recorded_seq,
        operation: 'RESTORE',
        table,
        uuid: row.uuid,
        root_uuid: row.root_uuid,
        recordedAt: request.recorded_at,
        writer: request.writer,
        receipt: null,
      });
    }
    scope.head = request.head;
  } catch (error) {
    undo.run();
    throw error;
  }
}
