/** The engine's approvals: what waits, and its review by another principal. */
import { ContextEngineError } from '../codes/errors.ts';
import { canonicalJson } from '../cxri/payload.ts';
import { checkFields, type FieldsOf } from '../model/fields.ts';
import { parseUuid, shown as printed, type Uuid } from '../model/ids.ts';
import { approvalMessage, PROPOSAL_STATES, type Proposal } from '../model/proposal.ts';
import { type Settling, settleProposal, visibleProposals } from '../write/settle.ts';
import type {
  ApprovalSignature,
  CallOptions,
  ContextEngine,
  ProposalListing,
} from './context-engine.ts';
import { type EngineParts, grantOf, signalOf } from './engine-parts.ts';

const LISTING: FieldsOf<ProposalListing> = { state: true, limit: true };
const SIGNATURE: FieldsOf<ApprovalSignature> = { key_id: true, signature: true };
const MAX_LISTED = 1000;

export function createApprovals(parts: EngineParts): Pick<ContextEngine, 'approvals'> {
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
        const { state, limit } = checkListing(asked ?? {});
        return visibleProposals({ state, limit }, await settling(options));
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
        return outage.watch(
          () => settleProposal({ proposal: id, decision: 'approve', signed: signature }, by),
          ({ state }) => state === 'approved',
        );
      }),
      reject: open(async (proposal, options) => {
        const id = parseUuid(proposal, 'proposal');
        const by = await settling(options);
        return settleProposal({ proposal: id, decision: 'reject', signed: null }, by);
      }),
    },
  };
}

async function shown(id: Uuid, by: Settling): Promise<Proposal> {
  const [found] = await visibleProposals({ id, state: null, limit: 1 }, by);
  if (found) return found;
  const entrance = { door: 'approvals.show', field: 'proposal' };
  await by.permission.tell(by.grant, { detail: id, tier: 'T3', key: 'approvals' }, entrance);
  throw new ContextEngineError('PERMISSION.PROPOSAL_NOT_FOUND', {
    message: `There is no proposal \`${id}\` that \`${by.grant.principal}\` may see.`,
    fix: 'List what waits with `approvals.list`.',
    where: { field: 'proposal' },
  });
}

function checkListing(asked: ProposalListing) {
  checkFields(asked, 'listing', LISTING);
  const { state = 'pending', limit = 100 } = asked;
  if (state !== null && !PROPOSAL_STATES.includes(state))
    throw invalid('state', state, `Use ${PROPOSAL_STATES.join(', ')}, or null for all.`);
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LISTED)
    throw invalid('limit', limit, `Pass a whole number from 1 to ${MAX_LISTED}.`);
  return { state, limit };
}

function checkSignature(signed: ApprovalSignature): ApprovalSignature {
  checkFields(signed, 'signed', SIGNATURE);
  const { key_id, signature } = signed;
  if (typeof key_id !== 'string' || !/^[0-9a-f]{64}$/.test(key_id))
    throw invalid('key_id', key_id, 'Pass the SHA-256 of the public key in hexadecimal digits.');
  if (typeof signature !== 'string' || !/^[0-9a-f]{128}$/.test(signature))
    throw invalid(
      'signature',
      signature,
      'Pass the 64 bytes of the signature in hexadecimal digits.',
    );
  return { key_id, signature };
}

const invalid = (field: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${field}\` is \`${printed(value)}\`.`,
    fix,
    where: { field },
  });
