/** The engine's approvals: what waits, and its review by another principal. */
import { ContextEngineError } from '../../codes/errors.ts';
import { canonicalJson } from '../../cxri/payload.ts';
import { checkInput } from '../../inputs/check-input.ts';
import { parseUuid, type Uuid } from '../../model/ids.ts';
import type { Grant } from '../../model/permission.ts';
import { approvalMessage, type Proposal } from '../../model/proposal.ts';
import { type Settling, settleProposal, visibleProposals } from '../../write/settle.ts';
import type {
  ApprovalSignature,
  CallOptions,
  ContextEngine,
  ProposalListing,
} from '../context-engine.ts';
import { type EngineParts, grantOf, signalOf } from '../engine-parts.ts';
import { followForgetting } from '../follow-forgetting.ts';
import type { KeptVectors } from '../kept-vectors.ts';
import type { FollowedForgetting } from './forget-surface.ts';

interface Approving extends EngineParts {
  readonly keptVectors: KeptVectors;
}

export function createApprovals(parts: Approving): Pick<ContextEngine, 'approvals'> {
  const { open, authority, permission, embedder, outage, digestOf } = parts;
  const settling = async (options: CallOptions | undefined): Promise<Settling> => ({
    authority,
    permission,
    embedder,
    grant: await grantOf(parts, options, 'approvals'),
    now: parts.now(),
    ...signalOf(options),
  });
  return {
    approvals: {
      list: open(async (asked, options) => {
        return visibleProposals(checkListing(asked ?? {}), await settling(options));
      }),
      show: open(async (proposal, options) => {
        const id = parseUuid(proposal, 'proposal');
        return shown(id, await settling(options));
      }),
      message: open(async (proposal, options) => {
        const id = parseUuid(proposal, 'proposal');
        const { digest, action } = await shown(id, await settling(options));
        if (digestOf(canonicalJson(action)) === digest && action.proposal === id)
          return approvalMessage(digest);
        throw new ContextEngineError('PERMISSION.SIGNATURE_INVALID', {
          message: `The proposal \`${id}\` does not say what its digest \`${digest}\` is of.`,
          fix: 'Do not approve it: the database was changed. Run `contextengine audit verify`.',
        });
      }),
      approve: open(async (proposal, signed, options) => {
        const id = parseUuid(proposal, 'proposal');
        const signature = signed ? checkSignature(signed) : null;
        const by = await settling(options);
        const { tenant } = by.grant;
        const drop = () => parts.keptVectors.drop(tenant);
        // What it may forget: receipts on their way are written first, so that they are found.
        await parts.settled();
        const settled = await outage.watch(
          () =>
            settleProposal(
              { proposal: id, decision: 'approve', signed: signature },
              { ...by, drop },
            ),
          ({ state }) => state === 'approved',
        );
        if (settled.state === 'approved' && settled.result === null)
          await drop().catch(() => undefined);
        const { forgotten, ...answer } = settled;
        if (!forgotten) return answer;
        const followed = await follow(
          { redaction: forgotten.redaction_uuid, grant: by.grant },
          parts,
          options,
        );
        return { ...answer, forgotten: { ...forgotten, followed } };
      }),
      reject: open(async (proposal, options) => {
        const id = parseUuid(proposal, 'proposal');
        const by = await settling(options);
        const { state, result } = await settleProposal(
          { proposal: id, decision: 'reject', signed: null },
          by,
        );
        return { state, result };
      }),
    },
  };
}

/** By the rights of whoever approved it. */
async function follow(
  { redaction, grant }: { readonly redaction: Uuid; readonly grant: Grant },
  parts: EngineParts,
  options: CallOptions | undefined,
): Promise<FollowedForgetting> {
  const [kept] = await parts.authority.listRedactions(grant.tenant, { limit: 1, id: redaction });
  // What is not there any more went with all of the tenant.
  const kind = kept?.target_kind ?? 'tenant';
  return followForgetting({ redaction, kind, grant }, parts, options);
}

async function shown(id: Uuid, by: Settling): Promise<Proposal> {
  const [found] = await visibleProposals({ id, state: null, limit: 1 }, by);
  if (found) return found;
  const entrance = { door: 'approvals.show', field: 'proposal' };
  await by.permission.auditRefusal(
    by.grant,
    { detail: id, tier: 'T3', key: 'approvals' },
    entrance,
  );
  throw new ContextEngineError('PERMISSION.PROPOSAL_NOT_FOUND', {
    message: `There is no proposal \`${id}\` that \`${by.grant.principal}\` may see.`,
    fix: 'List what waits with `approvals.list`.',
    where: { field: 'proposal' },
  });
}

function checkListing(asked: ProposalListing) {
  checkInput('proposal_listing', asked);
  const { state = 'pending', limit = 100, after } = asked;
  return { state, limit, ...(after !== undefined && { after: parseUuid(after, 'after') }) };
}

function checkSignature(signed: ApprovalSignature): ApprovalSignature {
  checkInput('approval_signature', signed);
  return signed;
}
