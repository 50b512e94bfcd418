/** The guard of the rights port: a change names its tenant and its time. */
import { checkRequest, checkTenant } from '../check-request.ts';
import type { RightsPort } from '../ports/rights.ts';

export const guardRights = (port: RightsPort): RightsPort => ({
  changeRights: async (tenant, change, by) => {
    checkTenant(tenant);
    checkRequest('rights_change', by);
    return port.changeRights(tenant, change, by);
  },
  listPrincipals: async (tenant) => {
    checkTenant(tenant);
    return port.listPrincipals(tenant);
  },
});
