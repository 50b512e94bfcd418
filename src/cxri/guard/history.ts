/** The guard of whole scopes: an import is untrusted input, whoever hands it in. */
import { assertThat } from '../../codes/errors.ts';
import { holds } from '../../model/permission.ts';
import { checkRequest } from '../check-request.ts';
import { checkRestore } from '../check-restore.ts';
import type { HistoryPort } from '../ports/history.ts';

export const guardHistory = (port: HistoryPort): HistoryPort => ({
  readJournal: async (request) => {
    checkRequest('scope_page', request);
    const entries = await port.readJournal(request);
    for (const { seq } of entries)
      assertThat(seq <= request.head, 'a journal is read up to the head that was asked for');
    return entries;
  },
  readUndo: async (tenant, operation, held) => {
    checkRequest('undo_plan', { tenant, operation });
    const plan = await port.readUndo(tenant, operation, held);
    assertThat(
      plan === null || holds({ scopes: held }, plan.scope),
      'an undo is read of a scope that is held',
    );
    return plan;
  },
  operationNamed: async (tenant, operation, held) => {
    checkRequest('undo_plan', { tenant, operation });
    const found = await port.operationNamed(tenant, operation, held);
    assertThat(
      found === null || (found.operation_id === operation && holds({ scopes: held }, found.scope)),
      'an operation is the one that was asked for, of a scope that is held',
    );
    return found;
  },
  restoreScope: async (request) => {
    checkRestore(request);
    return port.restoreScope(request);
  },
});
