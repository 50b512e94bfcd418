/** The guard of what was served: marks name a principal, and the answer names roots once. */
import { assertThat } from '../../codes/errors.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { ServedPort } from '../ports/served.ts';

export const guardServed = (port: ServedPort): ServedPort => ({
  saveServed: async (tenant, marks, keptSince) => {
    checkTenant(tenant);
    checkRequest('served_marks', { marks, kept_since: keptSince });
    return port.saveServed(tenant, marks, keptSince);
  },
  servedTo: async (tenant, asked, signal) => {
    checkTenant(tenant);
    checkRequest('served_question', asked);
    const roots = await port.servedTo(tenant, asked, signal);
    assertThat(new Set(roots).size === roots.length, 'a root that was served is named once');
    return roots;
  },
});
