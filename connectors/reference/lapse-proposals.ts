/** The end of proposals that nobody settled in their time, and of the words that they name. */
import type { Instant } from '../../src/model/ids.ts';
import { appendAudit } from './audit.ts';
import type { KeptProposal, TenantState } from './store.ts';

export function lapse(tenant: TenantState, kept: KeptProposal, at: Instant): void {
  const { action, proposal_uuid: detail } = kept.proposal;
  kept.proposal = { ...kept.proposal, state: 'expired', settled_at: at, target: null };
  const by = { principal: action.proposer, on_behalf_of: null, at, tier: action.tier, detail };
  const scope_uuid = action.scopes[0] ?? null;
  appendAudit(tenant, [{ ...by, scope_uuid, action: 'approvals.expire', decision: 'expired' }]);
}

export function lapseProposals(tenant: TenantState, at: Instant): number {
  const lapsed = [...tenant.proposals.values()].filter(
    ({ proposal: { state, target, action } }) =>
      state === 'pending' && target !== null && action.expires_at <= at,
  );
  for (const kept of lapsed) lapse(tenant, kept, at);
  return lapsed.length;
}
