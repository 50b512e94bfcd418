/** The guard of whole scopes: an import is untrusted input, whoever hands it in. */
import { assertThat } from '../../codes/errors.ts';
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
  restoreScope: async (request) => {
    checkRestore(request);
    return port.restoreScope(request);
  },
});
