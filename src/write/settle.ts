/**
 * A proposal is approved or rejected: who may is judged, and what it says is written with the
 * decision.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { Settled, SettleRequest } from '../cxri/ports/proposals.ts';
import type { Embedder } from '../inference/embedder.ts';
import type { ErasureCertificate, Redaction } from '../model/erasure.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { WriteResult } from '../model/operation.ts';
import { type Grant, type PermissionKey, strictest, type Tier } from '../model/permission.ts';
import type { Proposal, ProposedAction } from '../model/proposal.ts';
import type { Entrance, PermissionDoor } from '../permission/door.ts';
import { embedReceipts } from './6-embed.ts';
import { embedPending } from './embed-rows.ts';
import { isOwnWord } from './own-word.ts';

export interface Settling {
  readonly authority: Authority;
  readonly permission: PermissionDoor;
  readonly embedder: Embedder | null;
  readonly grant: Grant;
  readonly now: Instant;
  readonly signal?: AbortSignal;
  /** Drops vectors that are kept beside the database, before anything is erased. */
  readonly drop?: () => Promise<void>;
}

export interface SettledProposal {
  /** `conflict`: what it was judged against had moved, and nothing was written. */
  readonly state: 'approved' | 'rejected' | 'conflict';
  /** Of an approved write. */
  readonly result: WriteResult | null;
  /** Of what was forgotten; the certificate where it was erased with it. */
  readonly forgotten?: {
    readonly redaction_uuid: Uuid;
    readonly certificate: ErasureCertificate | null;
  };
  /** Of what came back. */
  readonly brought_back?: Redaction;
}

/** The least that is read at once. */
const LEAST_PAGE = 100;

/**
 * Proposals that the grant may see: all of its scopes for people and services, its own for an
 * agent. Read page by page until as many are found as were asked for: what the grant may not see
 * pushes out nothing. One whose time is over is expired, and its words are not told.
 */
export async function visibleProposals(
  asked: Parameters<Authority['listProposals']>[1],
  by: Pick<Settling, 'authority' | 'permission' | 'grant' | 'now'>,
): Promise<readonly Proposal[]> {
  const { authority, permission, grant, now } = by;
  const isReviewer = seesProposals(grant);
  const own = { proposer: grant.principal, on_behalf_of: grant.onBehalfOf };
  const visible: Proposal[] = [];
  const limit = Math.max(asked.limit, LEAST_PAGE);
  // Whose time is over may be kept as one that waits.
  const state = asked.state === 'expired' ? null : asked.state;
  let after = asked.after;
  for (;;) {
    const page = await authority.listProposals(
      grant.tenant,
      { ...asked, state, limit, ...(after && { after }), ...(!isReviewer && { of: own }) },
      grant.scopes,
    );
    const blocks = await permission.blocksOf(
      grant,
      isReviewer ? page.flatMap(({ action }) => action.scopes) : [],
    );
    // A scope that is only proposed has no manifest yet that could restrict it.
    const isReadable = (scope: Uuid, action: ProposedAction): boolean =>
      permission.mayReadHeld(grant, blocks.get(scope)) ||
      (!blocks.has(scope) && bornScopes(action).some(({ uuid }) => uuid === scope));
    visible.push(
      ...page
        .filter(
          ({ action }) =>
            isOwn(action, grant) ||
            (isReviewer && action.scopes.every((scope) => isReadable(scope, action))),
        )
        .map((proposal) => asOf(proposal, now))
        .filter((proposal) => asked.state === null || proposal.state === asked.state),
    );
    after = page.at(-1)?.proposal_uuid;
    if (visible.length >= asked.limit || page.length < limit) return visible.slice(0, asked.limit);
  }
}

/** Whether the grant sees proposals of others, as far as it reads their scopes. */
export const seesProposals = ({ kind, tiers }: Grant): boolean =>
  kind !== 'agent' && tiers.approvals !== 'excluded' && tiers.reads === 'T1';

/** It waits no longer once its time is over, whether or not that was written down. */
const asOf = (proposal: Proposal, now: Instant): Proposal =>
  proposal.state === 'pending' && proposal.action.expires_at <= now
    ? { ...proposal, state: 'expired', target: null }
    : proposal;

const isOwn = ({ proposer, on_behalf_of: behalf }: ProposedAction, grant: Grant): boolean =>
  proposer === grant.principal && behalf === grant.onBehalfOf;

/**
 * `PERMISSION.PROPOSAL_NOT_FOUND`, `.PROPOSAL_SETTLED`, `.SIGNATURE_INVALID`, `.DENIED`; each
 * refusal is audited before it is thrown. What the write itself is refused with leaves the proposal
 * waiting.
 */
export async function settleProposal(
  asked: Pick<SettleRequest, 'proposal' | 'decision' | 'signed'>,
  by: Settling,
): Promise<SettledProposal> {
  const { authority, permission, grant, now } = by;
  const entrance: Entrance = { door: `approvals.${asked.decision}`, field: 'proposal' };
  try {
    const proposal = await proposalOf(asked.proposal, by);
    await assertSettles(proposal, { asked, by, entrance });
    // A level that does not answer is not certified as empty: the proposal waits on.
    const isErasing = proposal.action.redaction?.is_now === true;
    if (isErasing && asked.decision === 'approve') await by.drop?.();
    const settled = await authority.settleProposal({
      ...asked,
      tenant: grant.tenant,
      by: {
        principal: grant.principal,
        kind: grant.kind,
        on_behalf_of: grant.onBehalfOf,
        is_owner: grant.isOwner,
      },
      at: now,
    });
    return await followed(settled, proposal, by);
  } catch (error) {
    // It may be refused because its time is over: then no word of it is kept.
    if (error instanceof ContextEngineError && error.code === 'PERMISSION.PROPOSAL_SETTLED')
      await authority.lapseProposals(grant.tenant, now);
    if (error instanceof ContextEngineError && TOLD.has(error.code))
      await permission.auditRefusal(
        grant,
        { detail: asked.proposal, tier: 'T3', key: 'approvals' },
        entrance,
      );
    throw error;
  }
}

/** What follows on it: vectors, which no transaction waits for. */
async function followed(
  { state, result, certificate, brought_back }: Settled,
  proposal: Proposal,
  by: Settling,
): Promise<SettledProposal> {
  const { authority, embedder, signal } = by;
  const { redaction, tenant } = proposal.action;
  if (result) return { state, result: await embedded(result, proposal, by) };
  if (brought_back) {
    if (embedder) await embedPending(tenant, { authority, embedder, ...(signal && { signal }) });
    return { state, result, brought_back };
  }
  if (state !== 'approved' || !redaction) return { state, result };
  const { redaction: redaction_uuid } = redaction;
  return { state, result, forgotten: { redaction_uuid, certificate: certificate ?? null } };
}

/** Refusals of a settlement. A denial by the door is in the audit already. */
const TOLD: ReadonlySet<string> = new Set([
  'PERMISSION.PROPOSAL_NOT_FOUND',
  'PERMISSION.PROPOSAL_SETTLED',
  'PERMISSION.SIGNATURE_INVALID',
  'PERMISSION.DENIED',
]);

async function proposalOf(id: Uuid, by: Settling): Promise<Proposal> {
  const [proposal] = await visibleProposals({ id, state: null, limit: 1 }, by);
  if (proposal) return proposal;
  throw new ContextEngineError('PERMISSION.PROPOSAL_NOT_FOUND', {
    message:
      `There is no proposal \`${id}\` in tenant \`${by.grant.tenant}\` that ` +
      `\`${by.grant.principal}\` may see.`,
    fix: 'List what waits with `approvals.list` or `contextengine approvals list`.',
    where: { field: 'proposal' },
  });
}

interface Asked {
  readonly asked: Pick<SettleRequest, 'decision' | 'signed'>;
  readonly by: Settling;
  readonly entrance: Entrance;
}

/** What claim and manifests say; what is stored, and the signature, the authority checks itself. */
async function assertSettles(proposal: Proposal, { asked, by }: Asked): Promise<void> {
  const { action } = proposal;
  const { grant, permission } = by;
  if (asked.decision === 'reject' && isOwn(action, grant)) return;
  const { types, isWhole } = await scopeTypes(action, by);
  const manifests = (key: PermissionKey): Tier =>
    strictest(
      isWhole ? permission.policy.strictestOf(key) : 'T1',
      ...types.map((type) => permission.policy.tierOf(type, key) ?? 'T1'),
    );
  const approvals = strictest(grant.tiers.approvals, manifests('approvals'));
  const isPerson = grant.kind !== 'agent' && grant.onBehalfOf === null;
  if (!isPerson || approvals === 'excluded' || manifests(action.key) === 'excluded')
    throw new ContextEngineError('PERMISSION.DENIED', {
      message:
        `\`${grant.principal}\` does not hold \`approvals\` for the proposal ` +
        `\`${proposal.proposal_uuid}\`.`,
      fix: 'Let a person or a service settle it that holds `approvals` in its scopes.',
      where: { field: 'proposal' },
    });
  const holdsWrites = strictest(grant.tiers.writes, manifests('writes')) === 'T1';
  // The one human of an embedded folder has nobody else to ask.
  const mayAlone =
    holdsWrites || (grant.isOwner && grant.tiers.writes === 'T1' && manifests('writes') === 'T2');
  if (asked.decision === 'approve' && !mayAlone && (await isOwnWord(action, by)))
    throw new ContextEngineError('PERMISSION.DENIED', {
      message:
        `\`${grant.principal}\` appended what the proposal \`${proposal.proposal_uuid}\` is ` +
        'made of, and may not write it by themselves.',
      fix:
        'Let another person or service review it: `contextengine principals add NAME --kind human ' +
        '--tier approvals=T1`, then approve with `--profile` of NAME.',
      where: { field: 'proposal' },
    });
  // A manifest may have become stricter since it was proposed.
  const isSigned = asked.signed !== null || (approvals === 'T1' && manifests(action.key) !== 'T3');
  if (asked.decision === 'approve' && !isSigned)
    throw new ContextEngineError('PERMISSION.SIGNATURE_INVALID', {
      message:
        `\`approvals\` is \`${approvals}\` for \`${grant.principal}\`, \`${action.key}\` is ` +
        `\`${strictest(action.tier, manifests(action.key))}\`: it takes a signature.`,
      fix:
        'Sign the digest of the proposal with a registered key: `contextengine approvals ' +
        'approve ID --key FILE`.',
      where: { field: 'signed' },
    });
}

/** Scopes that the proposal itself creates: their manifests judge it like those of any scope. */
const bornScopes = ({ operations }: ProposedAction): readonly { uuid: Uuid; type: string }[] =>
  operations.flatMap((operation) =>
    operation.operation === 'ADD' && operation.table === 'blocks' && operation.content.is_scope
      ? [{ uuid: operation.uuid, type: operation.content.block_type }]
      : [],
  );

/**
 * The types whose manifests judge it; `isWhole`: those of all do. What lies in a scope that was
 * forgotten is not read to find its type.
 */
async function scopeTypes(
  action: ProposedAction,
  { grant, permission }: Settling,
): Promise<{ readonly types: readonly string[]; readonly isWhole: boolean }> {
  const { scopes, kind } = action;
  const blocks = await permission.blocksOf(grant, scopes);
  const born = bornScopes(action);
  const isKnown = (scope: Uuid): boolean =>
    blocks.has(scope) || born.some(({ uuid }) => uuid === scope);
  return {
    types: [...[...blocks.values()].map((block) => block.block_type), ...born.map((b) => b.type)],
    isWhole: (scopes.length === 0 && kind !== 'rights') || !scopes.every(isKnown),
  };
}

async function embedded(
  written: WriteResult,
  { action }: Proposal,
  { authority, embedder, signal }: Settling,
): Promise<WriteResult> {
  const { operations, tenant } = action;
  const rows = { written, operations, grant: { tenant }, ...(signal && { signal }) };
  const done = await embedReceipts(rows, { authority, embedder });
  return {
    ...written,
    receipts: written.receipts.map((receipt) =>
      receipt.uuid !== null && done.has(receipt.uuid)
        ? { ...receipt, embedding: 'done' as const }
        : receipt,
    ),
  };
}
