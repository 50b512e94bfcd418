/**
 * What waits for a review already. A statement that corrects one of capture's own proposals takes
 * its place: a reviewer who met both would decide by the order of their answers which one holds.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { Instant, TenantId, Uuid } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';
import type { Grant, PermissionProfile } from '../model/permission.ts';
import { SLOT } from './5-judge.ts';
import type { PlannedWrite } from './state.ts';

export type FactOperation = Extract<Operation, { table: 'memory_open_set'; content: unknown }>;

export interface WaitingFact {
  readonly proposal: Uuid;
  readonly operation: FactOperation;
}
export interface WaitingFacts {
  /** By scope, of all who propose. */
  readonly texts: ReadonlyMap<Uuid, readonly string[]>;
  /** Of the proposer, the newest first. */
  readonly own: readonly WaitingFact[];
}
export const NOTHING_WAITS: WaitingFacts = { texts: new Map(), own: [] };

/** As many as are listed at once; beyond them a reviewer has other worries. */
const MOST_WAITING = 1000;

export async function readWaiting(
  {
    grant,
    proposer,
    now,
  }: {
    readonly grant: Grant;
    readonly proposer: PermissionProfile;
    readonly now: Instant;
  },
  authority: Pick<Authority, 'listProposals'>,
): Promise<WaitingFacts> {
  const asked = { state: 'pending', limit: MOST_WAITING } as const;
  const proposals = await authority.listProposals(grant.tenant, asked, grant.scopes);
  const texts = new Map<Uuid, string[]>();
  const own: WaitingFact[] = [];
  for (const { proposal_uuid: proposal, action } of proposals) {
    const facts = action.operations.filter(isFact);
    for (const { scope, content } of facts)
      texts.set(scope, [...(texts.get(scope) ?? []), content.content]);
    const [operation] = facts;
    const isOwn =
      action.proposer === proposer.principal &&
      action.on_behalf_of === (proposer.on_behalf_of?.principal ?? null);
    if (isOwn && operation && action.operations.length === 1 && action.expires_at > now)
      own.push({ proposal, operation });
  }
  return { texts, own };
}

export const isFact = (operation: Operation): operation is FactOperation =>
  'content' in operation && operation.table === 'memory_open_set';

/** Whether both are said of the same slot of the same subject. */
export const isOfSameSlot = (said: Operation, meant: Operation): boolean =>
  isFact(said) &&
  isFact(meant) &&
  meant.scope === said.scope &&
  meant.content.subject === said.content.subject &&
  said.content.metadata?.[SLOT] !== undefined &&
  meant.content.metadata?.[SLOT] === said.content.metadata[SLOT];

/** The correction does what the words that it corrects were going to do, with its own content. */
export function inPlaceOf(meant: Operation, said: PlannedWrite): PlannedWrite {
  if (!isFact(meant) || !isFact(said.operation)) return said;
  const { idempotency_key = '', uuid, content, sources = [] } = said.operation;
  const own = { idempotency_key, uuid, content, sources };
  return { ...said, operation: { ...meant, ...own } };
}

/** As `inPlaceOf`; what waits is taken back before this is proposed. */
export const inPlaceOfWaiting = (
  { proposal, operation }: WaitingFact,
  said: PlannedWrite,
): PlannedWrite => {
  const root = operation.operation === 'UPDATE' ? operation.root_uuid : operation.uuid;
  return { ...inPlaceOf(operation, said), instead: { proposal, root } };
};

/**
 * Takes back what it was planned in place of. Where somebody approved that meanwhile, it corrects
 * what was written.
 */
export async function takeBack(
  planned: PlannedWrite,
  by: {
    readonly authority: Pick<Authority, 'settleProposal' | 'listProposals'>;
    readonly tenant: TenantId;
    readonly proposer: PermissionProfile;
    readonly scopes: Grant['scopes'];
    readonly now: Instant;
  },
): Promise<PlannedWrite> {
  const { instead, operation } = planned;
  if (!instead || !isFact(operation)) return planned;
  const { authority, tenant, proposer, scopes, now } = by;
  const { proposal, root } = instead;
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
    return planned;
  } catch (error) {
    if (!(error instanceof ContextEngineError) || !GONE.has(error.code)) throw error;
  }
  const asked = { id: proposal, state: null, limit: 1 };
  const [settled] = await authority.listProposals(tenant, asked, scopes);
  if (settled?.state !== 'approved') return planned;
  const { operation: _was, ...version } = operation;
  const cause = { operation: 'UPDATE', root_uuid: root, cause: 'correction' } as const;
  return { ...planned, operation: { ...version, ...cause, reason: planned.why } };
}
const GONE: ReadonlySet<string> = new Set([
  'PERMISSION.PROPOSAL_SETTLED',
  'PERMISSION.PROPOSAL_NOT_FOUND',
]);
