/**
 * What waits for a second principal becomes a proposal: one text, whose digest is what is approved.
 */
import type { Authority } from '../cxri/authority.ts';
import { canonicalJson, payloadOf } from '../cxri/payload.ts';
import { type Instant, toEpochMs, toInstant, type Uuid } from '../model/ids.ts';
import type { Grant } from '../model/permission.ts';
import { PROPOSAL_LIFETIME_MS, type Proposal, type ProposedAction } from '../model/proposal.ts';

/** What differs from one proposal to the next; the rest is of the grant and the time. */
export type ProposalDraft = Pick<ProposedAction, 'kind' | 'key' | 'tier' | 'scopes' | 'writer'> &
  Partial<
    Pick<
      ProposedAction,
      | 'operations'
      | 'decisions'
      | 'must_be_new'
      | 'seed'
      | 'versions'
      | 'targets'
      | 'heads'
      | 'include_scopes'
      | 'change'
      | 'redaction'
      | 'bring_back'
    >
  > & {
    /** The words that `redaction.value` is the digest of. */
    readonly target?: string;
    /** What it says, where that alone makes it the same as another: whatever it was said in. */
    readonly saying?: string;
  };

export interface ProposingParts {
  readonly authority: Pick<Authority, 'propose' | 'databaseId'>;
  readonly digestOf: (text: string) => string;
  readonly now: () => Instant;
  readonly newId: () => Uuid;
}

/** The proposals that wait now, in order: new ones, or those that say the same already. */
export async function proposeActions(
  grant: Grant,
  drafts: readonly ProposalDraft[],
  parts: ProposingParts,
): Promise<readonly Proposal[]> {
  const database = await parts.authority.databaseId(grant.tenant);
  const proposals: Proposal[] = [];
  for (const draft of drafts)
    proposals.push(await proposeAction(grant, { draft, database }, parts));
  return proposals;
}

async function proposeAction(
  grant: Grant,
  { draft: given, database }: { readonly draft: ProposalDraft; readonly database: string },
  { authority, digestOf, now, newId }: ProposingParts,
): Promise<Proposal> {
  const at = now();
  const { target, saying, ...draft } = given;
  const action: ProposedAction = {
    version: 2,
    database,
    tenant: grant.tenant,
    proposal: newId(),
    proposer: grant.principal,
    on_behalf_of: grant.onBehalfOf,
    proposed_at: at,
    expires_at: toInstant(toEpochMs(at) + PROPOSAL_LIFETIME_MS),
    operations: [],
    decisions: [],
    must_be_new: [],
    seed: null,
    versions: [],
    targets: [],
    heads: [],
    include_scopes: [],
    change: null,
    ...draft,
  };
  const text = canonicalJson(action);
  const { kind, key, tier, proposer, on_behalf_of: behalf, scopes } = action;
  const { operations, include_scopes: included, change, redaction, bring_back: back } = action;
  const judged = [action.versions, action.targets, action.heads];
  const payloads = saying === undefined ? operations.map(payloadOf) : [saying];
  const forgets = redaction && [
    ...[redaction.kind, redaction.value, redaction.within],
    ...[redaction.is_now ?? false, redaction.reach?.digest ?? null],
  ];
  const returns = back && [back.redaction];
  const same = [
    ...[kind, key, tier, proposer, behalf, scopes, payloads, ...judged, included, change],
    ...(forgets ? [forgets] : []),
    ...(returns ? [returns] : []),
  ];
  return authority.propose(grant.tenant, {
    action: text,
    digest: digestOf(text),
    fingerprint: digestOf(canonicalJson(same)),
    ...(target !== undefined && { target }),
  });
}
