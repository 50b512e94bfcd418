/** The guard of the audit port: an entry names its tenant, its scope and its time. */

import { assertThat } from '../../codes/errors.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { AuditPort } from '../ports/audit.ts';

export const guardAudit = (port: AuditPort): AuditPort => ({
  audit: async (tenant, entries) => {
    checkTenant(tenant);
    for (const entry of entries) checkRequest('audit_entry', entry);
    return port.audit(tenant, entries);
  },
  readAudit: async (request) => {
    checkRequest('audit_page', request);
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
