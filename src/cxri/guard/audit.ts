/** The guard of the audit port: an entry names its tenant, its scope and its time. */

import { assertThat } from '../../codes/errors.ts';
import { isStoredInstant } from '../../model/ids.ts';
import { checkTenant, checkUuids } from '../check-query.ts';
import type { AuditPort } from '../ports/audit.ts';
import { invalidRequest } from '../refuse.ts';

export const guardAudit = (port: AuditPort): AuditPort => ({
  audit: async (tenant, entries) => {
    checkTenant(tenant);
    for (const { scope_uuid: scope, at } of entries) {
      if (scope !== null) checkUuids([scope], 'scope_uuid');
      if (!isStoredInstant(at))
        throw invalidRequest('at', at, 'Pass a time in UTC with milliseconds.');
    }
    return port.audit(tenant, entries);
  },
  readAudit: async (request) => {
    checkTenant(request.tenant);
    for (const field of ['after', 'limit'] as const)
      if (!Number.isSafeInteger(request[field]) || request[field] < 0)
        throw invalidRequest(field, request[field], 'Pass a number of an entry.');
    const records = await port.readAudit(request);
    assertThat(records.length <= request.limit, 'a page of the audit keeps its limit');
    assertThat(
      records.every(({ seq }) => seq > request.after),
      'a page of the audit begins after its number',
    );
    return records;
  },
  auditHead: async (tenant) => {
    checkTenant(tenant);
    return port.auditHead(tenant);
  },
});
