/** The guard of the erasure port: a redaction names its tenant, its target and its times. */
import { assertThat } from '../../codes/errors.ts';
import { isStoredInstant } from '../../model/ids.ts';
import { isSigned } from '../certificate.ts';
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
  erase: async (request) => {
    checkTenant(request.tenant);
    checkUuids([request.redaction], 'redaction');
    if (!isStoredInstant(request.at))
      throw invalidRequest('at', request.at, 'Pass a time in UTC with milliseconds.');
    const certificate = await port.erase(request);
    assertThat(isSigned(certificate), 'a certificate is signed');
    return certificate;
  },
});

const UUID_KINDS: ReadonlySet<string> = new Set(['version', 'root', 'block', 'scope']);
