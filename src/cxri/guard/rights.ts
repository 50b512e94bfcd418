/** The guard of the rights port: a change names its tenant and its time. */
import { isStoredInstant } from '../../model/ids.ts';
import { checkTenant } from '../check-query.ts';
import type { RightsPort } from '../ports/rights.ts';
import { invalidRequest } from '../refuse.ts';

export const guardRights = (port: RightsPort): RightsPort => ({
  changeRights: async (tenant, change, by) => {
    checkTenant(tenant);
    if (!isStoredInstant(by.at))
      throw invalidRequest('at', by.at, 'Pass a time in UTC with milliseconds.');
    return port.changeRights(tenant, change, by);
  },
  listPrincipals: async (tenant) => {
    checkTenant(tenant);
    return port.listPrincipals(tenant);
  },
});
