/**
 * Proposals in memory: what the sealed functions of a database check, written a second time in
 * another
 * language.
 */
import { createPublicKey, verify } from 'node:crypto';
import { ContextEngineError, type ErrorCode } from '../../src/codes/errors.ts';
import type {
  NewProposal,
  ProposalsAsked,
  Settled,
  SettleRequest,
  Settler,
  UseRequest,
} from '../../src/cxri/ports/proposals.ts';
import {
  hasMoved,
  proposedErasure,
  proposedForget,
  proposedReturn,
  proposedWrite,
} from '../../src/cxri/proposed-write.ts';
import type { AuditEntry } from '../../src/model/audit.ts';
import type { AnyRow } from '../../src/model/block.ts';
import type { Instant, TenantId, Uuid } from '../../src/model/ids.ts';
import { type HeldScopes, holds } from '../../src/model/permission.ts';
import {
  approvalMessage,
  type JudgedVersions,
  MAX_WAITING_PROPOSALS,
  type Proposal,
  type ProposedAction,
} from '../../src/model/proposal.ts';
import { appendAudit } from './audit.ts';
import { bringBack } from './bring-back.ts';
import { checkForgotten } from './check-forgotten.ts';
import { checkRedaction } from './check-redaction.ts';
import { erase } from './erase.ts';
import { forget } from './erasure.ts';
import { sha256 } from './ids.ts';
import { lapse, lapseProposals } from './lapse-proposals.ts';
import { reachDigest } from './named.ts';
import { reachOfRedaction } from './reach.ts';
import { applyRights, holdsWhatChanges } from './rights.ts';
import {
  isBelieved,
  type KeptProposal,
  type Store,
  type TenantState,
  tenantOf,
  typedKey,
} from './store.ts';
import { writeWhole } from './write.ts';

const refused = (code: ErrorCode, message: string, fix: string): ContextEngineError =>
  new ContextEngineError(code, { message, fix });

/** An entry about a proposal. */
const entryOf = (
  { action, proposal_uuid: detail }: Proposal,
  of: Pick<AuditEntry, 'principal' | 'on_behalf_of' | 'action' | 'decision' | 'at'>,
): AuditEntry => ({ ...of, scope_uuid: action.scopes[0] ?? null, tier: action.tier, detail });

export function propose(store: Store, tenant: TenantId, given: NewProposal): Proposal {
  const state = tenantOf(store, tenant);
  const action = JSON.parse(given.action) as ProposedAction; // made by the engine
  const at = action.proposed_at;
  checkRedaction(state, given, action);
  checkForgotten(state, action.operations);
  lapseProposals(state, at);
  for (const kept of state.proposals.values()) {
    if (kept.fingerprint !== given.fingerprint || kept.proposal.state !== 'pending') continue;
    if (kept.proposal.action.expires_at > at) return kept.proposal;
    lapse(state, kept, at);
  }
  const waiting = [...state.proposals.values()].filter(
    ({ proposal: { state: now, action: own } }) =>
      now === 'pending' &&
      own.proposer === action.proposer &&
      own.scopes[0] === action.scopes[0] &&
      own.expires_at > at,
  );
  if (waiting.length >= MAX_WAITING_PROPOSALS)
    throw refused(
      'PERMISSION.TOO_MANY_PROPOSALS',
      `\`${MAX_WAITING_PROPOSALS}\` proposals of \`${action.proposer}\` wait for this scope.`,
      'Let some of them be settled first, or take them back with `approvals.reject`.',
    );
  const proposal: Proposal = {
    proposal_uuid: action.proposal,
    state: 'pending',
    digest: given.digest,
    action,
    settled_at: null,
    settled_by: null,
    target: given.target ?? null,
  };
  state.proposals.set(action.proposal, { proposal, fingerprint: given.fingerprint });
  const by = { principal: action.proposer, on_behalf_of: action.on_behalf_of, at };
  const named = `${action.kind}.${action.key}`;
  appendAudit(state, [entryOf(proposal, { ...by, action: named, decision: 'proposed' })]);
  return proposal;
}

export const databaseId = ({ number }: Pick<Store, 'number'>): string =>
  sha256(`reference:${number}`);

export function listProposals(
  store: Store,
  tenant: TenantId,
  asked: ProposalsAsked & { readonly id?: Uuid; readonly held: HeldScopes },
): readonly Proposal[] {
  const { state, limit, id, after, of, held } = asked;
  const listed = [...(store.tenants.get(tenant)?.proposals.values() ?? [])]
    .map(({ proposal }) => proposal)
    .filter((proposal) => state === null || proposal.state === state)
    .filter((proposal) => id === undefined || proposal.proposal_uuid === id)
    .filter(({ action }) => holdsAll(held, action.scopes))
    .filter(
      ({ action }) =>
        of === undefined ||
        (action.proposer === of.proposer && action.on_behalf_of === of.on_behalf_of),
    )
    .sort(byTime);
  const from = after && store.tenants.get(tenant)?.proposals.get(after)?.proposal;
  if (after !== undefined && !from) return [];
  return listed.filter((each) => !from || byTime(from, each) < 0).slice(0, limit);
}

/** Newest first. */
const byTime = (a: Proposal, b: Proposal): number =>
  compare(b.action.proposed_at, a.action.proposed_at) || compare(a.proposal_uuid, b.proposal_uuid);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const holdsAll = (held: HeldScopes, scopes: readonly Uuid[]): boolean =>
  held.all || (scopes.length > 0 && scopes.every((scope) => holds({ scopes: held }, scope)));

export function settleProposal(store: Store, request: SettleRequest): Settled {
  const { tenant, proposal: id, by, at, decision } = request;
  const state = tenantOf(store, tenant);
  const kept = state.proposals.get(id);
  if (!kept)
    throw refused(
      'PERMISSION.PROPOSAL_NOT_FOUND',
      `There is no proposal \`${id}\` in tenant \`${tenant}\`.`,
      'List what waits with `approvals.list`.',
    );
  const { proposal } = kept;
  if (proposal.state !== 'pending')
    throw settled(`The proposal \`${id}\` is \`${proposal.state}\`.`);
  const isWithdrawn =
    decision === 'reject' &&
    by.principal === proposal.action.proposer &&
    by.on_behalf_of === proposal.action.on_behalf_of;
  if (!isWithdrawn) checkApproval(state, proposal, { ...request, database: databaseId(store) });
  // Settled, it has no words that what it forgets could be found by.
  kept.proposal = { ...proposal, target: null };
  const ended = decision === 'reject' ? REJECTED : carriedOut(store, { kept, proposal, at, by });
  const { state: becomes } = ended;
  const settledBy = { settled_at: at, settled_by: by.principal, target: null };
  kept.proposal = { ...proposal, state: becomes, ...settledBy };
  const { principal, on_behalf_of } = by;
  const action = `approvals.${decision}`;
  appendAudit(state, [
    entryOf(proposal, { principal, on_behalf_of, action, decision: becomes, at }),
  ]);
  return ended;
}

/** What it is refused with leaves it waiting. */
function carriedOut(
  store: Store,
  of: { readonly kept: KeptProposal; readonly proposal: Proposal } & Pick<
    SettleRequest,
    'at' | 'by'
  >,
): Settled {
  try {
    return carryOut(store, of.proposal, of);
  } catch (error) {
    of.kept.proposal = of.proposal;
    throw error;
  }
}

const REJECTED = { state: 'rejected', result: null } as const;
const APPROVED = { state: 'approved', result: null } as const;
const CONFLICT = { state: 'conflict', result: null } as const;
const settled = (message: string): ContextEngineError =>
  refused('PERMISSION.PROPOSAL_SETTLED', message, 'Propose it again, if it is still wanted.');

function carryOut(
  store: Store,
  proposal: Proposal,
  { at, by }: Pick<SettleRequest, 'at' | 'by'>,
): Settled {
  const { action } = proposal;
  const tenant = tenantOf(store, action.tenant);
  if (hasMovedElsewhere(tenant, action)) return CONFLICT;
  if (action.change) applyRights(tenant, action.change);
  if (action.redaction) return carryOutForget(store, proposal, at);
  const returning = proposedReturn(action, at);
  if (returning) {
    const reach = reachOfRedaction(store, returning);
    if (reach?.digest !== action.bring_back?.reach.digest) return CONFLICT;
    return { ...APPROVED, brought_back: bringBack(store, returning) };
  }
  if (action.kind !== 'write') return APPROVED;
  const believed = ({ scope, table, root_uuid: root, key }: JudgedVersions): readonly AnyRow[] => {
    const slots =
      root !== null ? tenant.roots.get(root) : key ? tenant.typed.get(typedKey(scope, key)) : [];
    return (slots ?? [])
      .filter((slot) => isBelieved(slot) && slot.entry.table === table)
      .map(({ entry }) => entry);
  };
  if (hasMoved(action.versions, believed)) return CONFLICT;
  const result = writeWhole(store, proposedWrite(action, { at, by }));
  return result ? { state: 'approved', result } : CONFLICT;
}

function carryOutForget(store: Store, proposal: Proposal, at: Instant): Settled {
  const { action } = proposal;
  const forgotten = proposedForget(proposal, at);
  if (!forgotten) return APPROVED;
  const { judged } = forgotten;
  if (judged !== null && judged !== reachDigest(tenantOf(store, action.tenant), forgotten))
    return CONFLICT;
  forget(store, forgotten);
  const erasing = proposedErasure(action, at);
  return erasing ? { ...APPROVED, certificate: erase(store, erasing) } : APPROVED;
}

/** What its links lead from or to, or a scope that it ends. */
function hasMovedElsewhere(
  { roots, scopes }: TenantState,
  { targets, heads }: ProposedAction,
): boolean {
  const standing = (root: Uuid): readonly Uuid[] =>
    (roots.get(root) ?? [])
      .filter((slot) => isBelieved(slot) && slot.entry.row.closed_seq === null)
      .map(({ entry }) => entry.row.uuid)
      .sort();
  return (
    targets.some(({ root_uuid: root, versions }) => standing(root).join() !== versions.join()) ||
    heads.some(({ scope, head }) => scopes.get(scope)?.head !== head)
  );
}

function checkApproval(
  tenant: TenantState,
  proposal: Proposal,
  { by, at, signed, decision, database }: SettleRequest & { readonly database: string },
): void {
  const { action } = proposal;
  if (action.expires_at <= at) throw settled('The proposal has expired.');
  const isOwn =
    by.principal === action.proposer ||
    by.principal === action.on_behalf_of ||
    by.principal === action.change?.principal;
  if (isOwn || by.on_behalf_of !== null || by.kind === 'agent') throw notTheirs();
  for (const principal of [action.proposer, action.on_behalf_of])
    if (principal !== null && tenant.rights.get(principal)?.isDisabled) throw notTheirs();
  const mayReview = reviews(tenant, action, by);
  const isOwner = by.is_owner && !tenant.rights.has(by.principal);
  if (decision === 'reject') {
    if (!mayReview && !isOwner) throw notTheirs();
    return;
  }
  if (hasLost(tenant, action)) throw notTheirs();
  if (signed === null && action.tier === 'T2' && action.kind !== 'rights') {
    const approvals = tenant.rights.get(by.principal)?.tiers.approvals;
    if (!(mayReview && approvals === 'T1') && !isOwner) throw notTheirs();
    return;
  }
  if (!mayReview) throw notTheirs();
  if (action.change && !holdsWhatChanges(tenant, action.change, by.principal)) throw notTheirs();
  if (action.database !== database)
    throw refused(
      'PERMISSION.SIGNATURE_INVALID',
      'The proposal was made in another database.',
      'Propose it again here.',
    );
  const key = signed && tenant.keys.get(signed.key_id);
  const isSigned =
    signed &&
    key?.principal === by.principal &&
    !key.isRevoked &&
    isSignature(signed.signature, { publicKey: key.publicKey, digest: proposal.digest });
  if (!isSigned)
    throw refused(
      'PERMISSION.SIGNATURE_INVALID',
      'There is no signature of a registered key over this proposal.',
      'Sign the digest of the proposal with a key that is registered for the approver.',
    );
}

/** What is read, forgotten or brought back takes who holds it, to the end. */
const HELD_STILL: ReadonlySet<ProposedAction['kind']> = new Set(['read', 'redaction', 'return']);

/** What the proposer has lost since, nobody gives back by approving it. */
const hasLost = (tenant: TenantState, action: ProposedAction): boolean =>
  [action.proposer, action.on_behalf_of].some((principal) => {
    const stored = principal === null ? undefined : tenant.rights.get(principal);
    if (stored === undefined) return false;
    const isOut = HELD_STILL.has(action.kind) && !holdsAll(stored.scopes, action.scopes);
    return stored.tiers[action.key] === 'excluded' || isOut;
  });

function reviews(tenant: TenantState, { scopes, kind }: ProposedAction, by: Settler): boolean {
  const stored = tenant.rights.get(by.principal);
  return (
    stored !== undefined &&
    !stored.isDisabled &&
    stored.kind !== 'agent' &&
    stored.tiers.approvals !== 'excluded' &&
    (kind === 'rights' ? stored.scopes.all : holdsAll(stored.scopes, scopes))
  );
}

const notTheirs = (): ContextEngineError =>
  refused(
    'PERMISSION.DENIED',
    'The proposal is not theirs to approve.',
    'Let another person or service that holds `approvals` there approve it.',
  );

/** The header of an ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const SPKI = '302a300506032b6570032100';

function isSignature(
  signature: string,
  by: { readonly publicKey: string; readonly digest: string },
): boolean {
  if (!/^[0-9a-f]{128}$/.test(signature)) return false;
  const der = Buffer.from(SPKI + by.publicKey, 'hex');
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const message = Buffer.from(approvalMessage(by.digest), 'utf8');
  return verify(null, message, key, Buffer.from(signature, 'hex'));
}

export function useApproval(store: Store, request: UseRequest): boolean {
  const { tenant, proposal: id, principal, on_behalf_of, scope, include_scopes, at } = request;
  const state = tenantOf(store, tenant);
  const kept = state.proposals.get(id);
  const action = kept?.proposal.action;
  const isIt =
    kept?.proposal.state === 'approved' &&
    action?.kind === 'read' &&
    action.proposer === principal &&
    action.on_behalf_of === on_behalf_of &&
    action.scopes[0] === scope &&
    action.expires_at > at &&
    (request.tier === 'T2' || action.tier === 'T3') &&
    action.include_scopes.join() === include_scopes.join();
  if (!kept || !isIt) return false;
  kept.proposal = { ...kept.proposal, state: 'used' };
  const by = { principal, on_behalf_of, at };
  const used = { ...by, action: 'compose.cross_scope', decision: 'allowed' } as const;
  appendAudit(state, [entryOf(kept.proposal, used)]);
  return true;
}
