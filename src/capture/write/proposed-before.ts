/**
 * What a plan that was begun has proposed already, whatever became of it: it is not proposed again,
 * also where a reviewer has settled it in between.
 */
import type { Authority } from '../../cxri/authority.ts';
import type { Instant, Uuid } from '../../model/ids.ts';
import type { Grant, PermissionProfile } from '../../model/permission.ts';

/** The proposal of an operation, by its idempotency key. */
export type ProposedBefore = ReadonlyMap<string, Uuid>;

const PAGE = 1000;

export async function proposedBefore(
  planned: { readonly planned_at: Instant },
  { grant, proposer }: { readonly grant: Grant; readonly proposer: PermissionProfile },
  authority: Pick<Authority, 'listProposals'>,
): Promise<ProposedBefore> {
  const found = new Map<string, Uuid>();
  const of = {
    proposer: proposer.principal,
    on_behalf_of: proposer.on_behalf_of?.principal ?? null,
  };
  let after: Uuid | undefined;
  for (;;) {
    const asked = { state: null, limit: PAGE, of, ...(after && { after }) };
    const page = await authority.listProposals(grant.tenant, asked, grant.scopes);
    for (const { proposal_uuid: proposal, action } of page)
      for (const { idempotency_key: key } of action.operations)
        if (key !== undefined) found.set(key, proposal);
    const last = page.at(-1);
    // The newest are listed first.
    if (page.length < PAGE || !last || last.action.proposed_at < planned.planned_at) return found;
    after = last.proposal_uuid;
  }
}
