/** The guard of the proposals port: what is settled is named, and what is shown is held. */

import { assertThat } from '../../codes/errors.ts';
import { isStoredInstant } from '../../model/ids.ts';
import { holds } from '../../model/permission.ts';
import { checkTenant, checkUuids } from '../check-query.ts';
import type { ProposalsPort } from '../ports/proposals.ts';
import { invalidRequest } from '../refuse.ts';

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
    if (asked.id !== undefined) checkUuids([asked.id], 'id');
    if (asked.after !== undefined) checkUuids([asked.after], 'after');
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
    checkTenant(request.tenant);
    checkUuids([request.proposal], 'proposal');
    if (!isStoredInstant(request.at))
      throw invalidRequest('at', request.at, 'Pass a time in UTC with milliseconds.');
    return port.settleProposal(request);
  },
  useApproval: async (request) => {
    checkTenant(request.tenant);
    checkUuids([request.proposal, request.scope, ...request.include_scopes], 'proposal');
    return port.useApproval(request);
  },
});
