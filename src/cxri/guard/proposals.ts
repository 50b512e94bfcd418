/** The guard of the proposals port: what is settled is named, and what is shown is held. */

import { assertThat } from '../../codes/errors.ts';
import { holds } from '../../model/permission.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { ProposalsPort } from '../ports/proposals.ts';

export const guardProposals = (port: ProposalsPort): ProposalsPort => ({
  databaseId: async (tenant) => {
    checkTenant(tenant);
    return port.databaseId(tenant);
  },
  propose: async (tenant, proposal) => {
    checkTenant(tenant);
    const kept = await port.propose(tenant, proposal);
    assertThat(kept.action.tenant === tenant, 'a proposal is of its tenant');
    return kept;
  },
  listProposals: async (tenant, asked, held) => {
    checkTenant(tenant);
    checkRequest('proposals_page', asked);
    const proposals = await port.listProposals(tenant, asked, held);
    for (const { action } of proposals) {
      assertThat(action.tenant === tenant, 'a proposal is of its tenant');
      assertThat(
        held.all ||
          (action.scopes.length > 0 &&
            action.scopes.every((each) => holds({ scopes: held }, each))),
        'the scopes of a proposal that is shown are held',
      );
    }
    return proposals;
  },
  settleProposal: async (request) => {
    checkRequest('settlement', request);
    return port.settleProposal(request);
  },
  useApproval: async (request) => {
    checkRequest('approval_use', request);
    return port.useApproval(request);
  },
});
