/** The guard of the audit port: an entry names its tenant, its scope and its time. */
import { checkTenant, checkUuids } from '../check-query.ts';
import type { AuditPort } from '../ports/audit.ts';
import { invalidRequest, isInstant } from '../refuse.ts';

export const guardAudit = (port: AuditPort): AuditPort => ({
  audit: async (tenant, entries) => {
    checkTenant(tenant);
    for (const { scope_uuid: scope, at } of entries) {
      if (scope !== null) checkUuids([scope], 'scope_uuid');
      if (!isInstant(at)) throw invalidRequest('at', at, 'Pass a time in UTC with milliseconds.');
    }
    return port.audit(tenant, entries);
  },
});
