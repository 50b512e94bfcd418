/** The guard of the erasure port: a redaction names its tenant, its target and its times. */
import { assertThat } from '../../codes/errors.ts';
import { isSigned } from '../certificate.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { ErasurePort } from '../ports/erasure.ts';

export const guardErasure = (port: ErasurePort): ErasurePort => ({
  forget: async (request) => {
    checkRequest('forgetting', request);
    if (UUID_KINDS.has(request.kind)) checkRequest('forgetting_of_rows', request);
    return port.forget(request);
  },
  listRedactions: async (tenant, asked) => {
    checkTenant(tenant);
    return port.listRedactions(tenant, asked);
  },
  erase: async (request) => {
    checkRequest('erasing', request);
    const certificate = await port.erase(request);
    assertThat(isSigned(certificate), 'a certificate is signed');
    return certificate;
  },
});

const UUID_KINDS: ReadonlySet<string> = new Set(['version', 'root', 'block', 'scope']);
