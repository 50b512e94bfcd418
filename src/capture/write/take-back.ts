/**
 * What waits is taken back before something is proposed in its place. Somebody may have settled it
 * since that was planned.
 */
import { ContextEngineError } from '../../codes/errors.ts';
import type { Authority } from '../../cxri/authority.ts';
import type { Instant, TenantId } from '../../model/ids.ts';
import { type Operation, rootOf } from '../../model/operation.ts';
import type { Grant, PermissionProfile } from '../../model/permission.ts';
import type { Proposal } from '../../model/proposal.ts';
import type { Instead, PlannedWrite } from '../state.ts';
import { isFact } from './waiting.ts';

export interface TakenBack {
  readonly planned: PlannedWrite;
  /** Proposed with it, before it. */
  readonly before: readonly Operation[];
}

export interface TakingBack {
  readonly authority: Pick<Authority, 'settleProposal' | 'listProposals'>;
  readonly tenant: TenantId;
  readonly proposer: PermissionProfile;
  readonly scopes: Grant['scopes'];
  readonly now: Instant;
}

/** null = what it ends was rejected: there is nothing to do. */
export async function takeBack(planned: PlannedWrite, by: TakingBack): Promise<TakenBack | null> {
  const { instead } = planned;
  if (!instead) return { planned, before: [] };
  const { before = [] } = instead;
  const settled = await withdraw(instead, by);
  // Who goes on with a plan finds what it has taken back itself.
  if (settled === null || isWithdrawn(settled, by.proposer)) return { planned, before };
  if (settled.state === 'approved') return { planned: afterApproved(planned, instead), before: [] };
  return afterRejected(planned, before);
}

/** null = it is taken back now; else as somebody settled it. */
export async function withdraw(
  { proposal }: Pick<Instead, 'proposal'>,
  { authority, tenant, proposer, scopes, now }: TakingBack,
): Promise<Pick<Proposal, 'state' | 'settled_by'> | null> {
  try {
    await authority.settleProposal({
      ...{ tenant, proposal, decision: 'reject', at: now, signed: null },
      by: {
        principal: proposer.principal,
        kind: proposer.kind,
        on_behalf_of: proposer.on_behalf_of?.principal ?? null,
        is_owner: false,
      },
    });
    return null;
  } catch (error) {
    if (!(error instanceof ContextEngineError) || !GONE.has(error.code)) throw error;
  }
  const asked = { id: proposal, state: null, limit: 1 };
  const [settled] = await authority.listProposals(tenant, asked, scopes);
  return settled ?? { state: 'expired', settled_by: null };
}
const GONE: ReadonlySet<string> = new Set([
  'PERMISSION.PROPOSAL_SETTLED',
  'PERMISSION.PROPOSAL_NOT_FOUND',
]);

const isWithdrawn = (
  { state, settled_by: by }: Pick<Proposal, 'state' | 'settled_by'>,
  { principal }: PermissionProfile,
): boolean => state === 'rejected' && by === principal;

/** What it corrects is written now; what it tells of since goes on from there. */
function afterApproved(planned: PlannedWrite, { root, isLater }: Instead): PlannedWrite {
  const { operation } = planned;
  if (isLater || !isFact(operation)) return planned;
  const { operation: _was, ...version } = operation;
  const cause = { operation: 'UPDATE', root_uuid: root, cause: 'correction' } as const;
  return { ...planned, operation: { ...version, ...cause, reason: planned.why } };
}

/** Where the root itself was rejected, it is the first of a root of its own. */
function afterRejected(planned: PlannedWrite, before: readonly Operation[]): TakenBack | null {
  const { operation } = planned;
  const root = rootOf(operation);
  const isStored = !before.some((each) => each.operation === 'ADD' && each.uuid === root);
  if (isStored) return { planned, before: [] };
  const first = asFirst(planned);
  return first && { planned: first, before: [] };
}

/** As the first of its root; null = it takes the place of nothing. */
export function asFirst(planned: PlannedWrite): PlannedWrite | null {
  const { operation } = planned;
  if (operation.operation !== 'UPDATE' || operation.table !== 'memory_open_set') return null;
  const { root_uuid: _root, cause: _cause, expected_version: _version, ...version } = operation;
  return { ...planned, operation: { ...version, operation: 'ADD' }, why: 'new' };
}
