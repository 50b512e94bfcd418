/** The end of proposals that nobody settled in time, or that have moved, and of their words. */
import type { ForgetRequest } from '../../src/model/erasure.ts';
import type { Instant } from '../../src/model/ids.ts';
import { appendAudit } from './audit.ts';
import { reachDigest } from './named.ts';
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

/** Proposals by words that reach other rows since something was forgotten. */
export function endMoved(
  tenant: TenantState,
  { at, principal, on_behalf_of }: Pick<ForgetRequest, 'at' | 'principal' | 'on_behalf_of'>,
): void {
  for (const kept of tenant.proposals.values()) {
    const { state, target, action, proposal_uuid: detail } = kept.proposal;
    const { redaction, tier } = action;
    if (state !== 'pending' || target === null || !redaction) continue;
    const named = { kind: redaction.kind, value: target, scopes: redaction.within };
    if (reachDigest(tenant, named) === redaction.reach?.digest) continue;
    kept.proposal = { ...kept.proposal, state: 'conflict', settled_at: at, target: null };
    const by = { principal, on_behalf_of, at, tier, detail, scope_uuid: action.scopes[0] ?? null };
    appendAudit(tenant, [{ ...by, action: 'approvals.conflict', decision: 'conflict' }]);
  }
}
