/** The guard of the erasure port: a redaction names its tenant, its target and its times. */
import { assertThat } from '../../codes/errors.ts';
import type { Redaction } from '../../model/erasure.ts';
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
    const { limit, due_by: dueBy } = asked;
    const listed = await port.listRedactions(tenant, asked);
    assertThat(listed.length <= limit, 'a page has no more than was asked for');
    const isDue = ({ state, erase_after: after }: Redaction): boolean =>
      state === 'suppressed' && after <= (dueBy ?? after);
    assertThat(dueBy === undefined || listed.every(isDue), 'what is listed as due is due');
    return listed;
  },
  erase: async (request) => {
    checkRequest('erasing', request);
    const certificate = await port.erase(request);
    assertThat(isSigned(certificate), 'a certificate is signed');
    return certificate;
  },
  bringBack: async (request) => {
    checkRequest('bringing_back', request);
    const redaction = await port.bringBack(request);
    assertThat(
      redaction.redaction_uuid === request.redaction && redaction.state === 'brought_back',
      'what was brought back is what was asked for',
    );
    return redaction;
  },
  readReturned: async (tenant, asked) => {
    checkTenant(tenant);
    checkRequest('returned_page', asked);
    const versions = await port.readReturned(tenant, asked);
    assertThat(versions.length <= asked.limit, 'a page has no more than was asked for');
    return versions;
  },
});

const UUID_KINDS: ReadonlySet<string> = new Set(['version', 'root', 'block', 'scope']);
