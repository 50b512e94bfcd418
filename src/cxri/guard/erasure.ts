/** The guard of the erasure port: a redaction names its tenant, its target and its times. */
import { isStoredInstant } from '../../model/ids.ts';
import { checkTenant, checkUuids } from '../check-query.ts';
import type { ErasurePort } from '../ports/erasure.ts';
import { invalidRequest } from '../refuse.ts';

export const guardErasure = (port: ErasurePort): ErasurePort => ({
  forget: async (request) => {
    checkTenant(request.tenant);
    checkUuids([request.redaction, ...(request.scopes ?? [])], 'redaction');
    if (UUID_KINDS.has(request.kind)) checkUuids([request.value], 'value');
    for (const field of ['at', 'erase_after'] as const)
      if (!isStoredInstant(request[field]))
        throw invalidRequest(field, request[field], 'Pass a time in UTC with milliseconds.');
    return port.forget(request);
  },
  listRedactions: async (tenant, asked) => {
    checkTenant(tenant);
    return port.listRedactions(tenant, asked);
  },
});

const UUID_KINDS: ReadonlySet<string> = new Set(['version', 'root', 'block', 'scope']);
