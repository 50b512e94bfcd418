/** The guard of the rights port: a change names its tenant and its time. */
import { assertThat } from '../../codes/errors.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { RightsPort } from '../ports/rights.ts';

export const guardRights = (port: RightsPort): RightsPort => ({
  changeRights: async (tenant, change, by) => {
    checkTenant(tenant);
    checkRequest('rights_change', by);
    return port.changeRights(tenant, change, by);
  },
  readRights: async (tenant, principals) => {
    checkTenant(tenant);
    const rights = await port.readRights(tenant, principals);
    assertThat(
      Object.keys(rights).every((principal) => principals.includes(principal)),
      'rights are of the principals that were asked for',
    );
    return rights;
  },
  listPrincipals: async (tenant) => {
    checkTenant(tenant);
    return port.listPrincipals(tenant);
  },
});
