/** Proposals: kept and settled by sealed functions, in the transaction of what they do. */
import { ContextEngineError } from '../../../src/codes/errors.ts';
import type {
  NewProposal,
  ProposalsAsked,
  Settled,
  SettleRequest,
  UseRequest,
} from '../../../src/cxri/ports/proposals.ts';
import {
  type JudgedForget,
  proposedErasure,
  proposedForget,
  proposedReturn,
  proposedWrite,
} from '../../../src/cxri/proposed-write.ts';
import type { BringBackRequest } from '../../../src/model/erasure.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import type { HeldScopes } from '../../../src/model/permission.ts';
import type { Proposal, ProposedAction } from '../../../src/model/proposal.ts';
import { inTenant, setTenancy } from '../driver/session.ts';
import { type Database, SqlError, type SqlSession } from '../driver/sql.ts';
import { inWrite, type Written, writeJudged } from '../ledger/write.ts';
import { toWriteError } from '../refusals.ts';
import { asObject, asText, type JsonObject, toTime } from '../rows.ts';
import { bringBackIn } from './bring-back.ts';
import { becomeEraser, eraseIn, forgetIn } from './erasure.ts';
import { reachOfRedaction } from './reach.ts';

export async function propose(
  database: Database,
  tenant: TenantId,
  proposal: NewProposal,
): Promise<Proposal> {
  const rows = await database
    .transaction(async (tx) => {
      await setTenancy(tx, { tenant, scopes: '*' });
      return tx.query('select context_ops.propose($1, $2::jsonb) as kept', [
        tenant,
        JSON.stringify(proposal),
      ]);
    })
    .catch((error: unknown) => {
      throw toWriteError(error);
    });
  return toProposal(asObject(rows[0]?.['kept']));
}

export async function databaseId(database: Database, tenant: TenantId): Promise<string> {
  const rows = await inTenant(database, { tenant, scopes: [] }, (tx) =>
    tx.query('select context_ops.database_id($1) as id', [tenant]),
  );
  return asText(rows[0]?.['id']);
}

/** The casts name what the checks of the table hold. */
const toProposal = (row: JsonObject): Proposal => ({
  proposal_uuid: row['proposal_uuid'] as Uuid,
  state: row['state'] as Proposal['state'],
  digest: asText(row['digest']),
  action: JSON.parse(asText(row['action'])) as ProposedAction,
  settled_at: row['settled_at'] === null ? null : toTime(row['settled_at']),
  settled_by: row['settled_by'] as string | null,
  target: row['target'] as string | null,
});

export async function listProposals(
  database: Database,
  tenant: TenantId,
  {
    state,
    limit,
    id,
    after,
    of,
    held,
  }: ProposalsAsked & { readonly id?: Uuid; readonly held: HeldScopes },
): Promise<readonly Proposal[]> {
  const scopes = held.all ? '*' : [...held.uuids];
  const rows = await inTenant(database, { tenant, scopes }, (tx) =>
    tx.query(
      `select to_jsonb(p) as kept from context_ops.proposals p where p.tenant_id = $1
         and ($2::text is null or p.state = $2) and ($3::uuid is null or p.proposal_uuid = $3::uuid)
         and ($4::jsonb is null or cardinality(p.scopes) > 0
           and p.scopes <@ array(select jsonb_array_elements_text($4::jsonb)::uuid))
         and ($6::uuid is null or exists (select from context_ops.proposals a
           where a.tenant_id = $1 and a.proposal_uuid = $6::uuid
             and (p.proposed_at < a.proposed_at
               or p.proposed_at = a.proposed_at and p.proposal_uuid > a.proposal_uuid)))
         and ($7::text is null or p.proposer = $7 and p.on_behalf_of is not distinct from $8::text)
       order by p.proposed_at desc, p.proposal_uuid limit $5`,
      [
        tenant,
        state,
        id ?? null,
        held.all ? null : JSON.stringify([...held.uuids]),
        limit,
        after ?? null,
        of?.proposer ?? null,
        of?.on_behalf_of ?? null,
      ],
    ),
  );
  return rows.map((row) => toProposal(asObject(row['kept'])));
}

/** The write of an approved proposal, for the caches of the connection. */
export interface SettledWrite extends Settled {
  readonly written: Written | null;
}

export async function settleProposal(
  database: Database,
  request: SettleRequest,
): Promise<SettledWrite> {
  return inWrite(database, { operations: [] }, async (tx, { scopes, ids }) => {
    const begun = await beginSettlement(tx, request);
    const { action: held } = begun.proposal;
    const isApproved = request.decision === 'approve';
    if (isApproved && begun.hasMoved)
      return { state: await settle(tx, request, 'conflict'), ...NOTHING };
    const forgotten = isApproved ? proposedForget(begun.proposal, request.at) : null;
    if (forgotten !== null) return forgetApproved(tx, { request, held, forgotten });
    const returning = isApproved ? proposedReturn(held, request.at) : null;
    if (returning !== null) return returnApproved(tx, { request, held, returning });
    if (!isApproved || held.kind !== 'write')
      return { state: await settle(tx, request, request.decision), ...NOTHING };
    const plan = {
      request: proposedWrite(held, request),
      scopes: new Set([...scopes, ...held.operations.map(({ scope }) => scope)]),
      ids,
    };
    await tx.query('savepoint judged');
    const written = await writeJudged(tx, plan, held.versions);
    // An operation that met another version is not applied: then none of them is.
    if (written === null || written.result.counts.conflict > 0) {
      await tx.query('rollback to savepoint judged');
      return { state: await settle(tx, request, 'conflict'), ...NOTHING };
    }
    const state = await settle(tx, request, 'approve');
    return { state, result: written.result, written };
  });
}

const NOTHING = { result: null, written: null } as const;

interface Approved {
  readonly request: SettleRequest;
  readonly held: ProposedAction;
}

/** `forget` compares under its locks what it names with what it was judged against. */
const HAS_MOVED = 'CE013';

/** The role is the eraser's after it, so the decision is kept first. */
async function forgetApproved(
  tx: SqlSession,
  { request, held, forgotten }: Approved & { readonly forgotten: JudgedForget },
): Promise<SettledWrite> {
  await tx.query('savepoint judged');
  const state = await settle(tx, request, 'approve');
  await becomeEraser(tx);
  try {
    await forgetIn(tx, forgotten);
  } catch (error) {
    if (!(error instanceof SqlError) || error.sqlstate !== HAS_MOVED) throw error;
    await tx.query('rollback to savepoint judged');
    return { state: await settle(tx, request, 'conflict'), ...NOTHING };
  }
  const erasing = proposedErasure(held, request.at);
  if (erasing === null) return { state, ...NOTHING };
  return { state, certificate: await eraseIn(tx, erasing), ...NOTHING };
}

async function returnApproved(
  tx: SqlSession,
  { request, held, returning }: Approved & { readonly returning: BringBackRequest },
): Promise<SettledWrite> {
  const { tenant, redaction, at } = returning;
  const reach = await reachOfRedaction(tx, { tenant, redaction, at });
  if (reach?.digest !== held.bring_back?.reach.digest)
    return { state: await settle(tx, request, 'conflict'), ...NOTHING };
  const state = await settle(tx, request, 'approve');
  await becomeEraser(tx);
  return { state, brought_back: await bringBackIn(tx, returning), ...NOTHING };
}

/** Locks the proposal and judges who settles it, before anything of it is tried. */
async function beginSettlement(
  tx: SqlSession,
  request: SettleRequest,
): Promise<{ readonly proposal: Proposal; readonly hasMoved: boolean }> {
  const { tenant, proposal, decision } = request;
  await setTenancy(tx, { tenant, scopes: '*' });
  const [row] = await tx.query('select context_ops.begin_settlement($1, $2, $3::jsonb) as begun', [
    tenant,
    proposal,
    settlementOf(request, decision),
  ]);
  if (row?.['begun'] === null || row === undefined)
    throw new ContextEngineError('PERMISSION.PROPOSAL_NOT_FOUND', {
      message: `There is no proposal \`${proposal}\` in tenant \`${tenant}\`.`,
      fix: 'List what waits with `approvals.list`.',
    });
  const begun = asObject(row['begun']);
  const kept = toProposal(asObject(begun['proposal']));
  if (kept.state !== 'pending')
    throw new ContextEngineError('PERMISSION.PROPOSAL_SETTLED', {
      message: `The proposal \`${proposal}\` is \`${kept.state}\`.`,
      fix: 'Propose it again, if it is still wanted.',
    });
  return { proposal: kept, hasMoved: begun['has_moved'] === true };
}

const settlementOf = (
  { by, at, signed }: SettleRequest,
  decision: 'approve' | 'reject' | 'conflict',
): string => JSON.stringify({ decision, ...by, at, ...signed });

async function settle(
  tx: SqlSession,
  request: SettleRequest,
  decision: 'approve' | 'reject' | 'conflict',
): Promise<Settled['state']> {
  const [row] = await tx.query('select context_ops.settle_proposal($1, $2, $3::jsonb) as state', [
    request.tenant,
    request.proposal,
    settlementOf(request, decision),
  ]);
  return asText(row?.['state']) as Settled['state']; // what the function returns
}

export async function useApproval(
  database: Database,
  { tenant, proposal, ...asked }: UseRequest,
): Promise<boolean> {
  const rows = await database
    .transaction(async (tx) => {
      await setTenancy(tx, { tenant, scopes: '*' });
      return tx.query('select context_ops.use_approval($1, $2, $3::jsonb) as is_used', [
        tenant,
        proposal,
        JSON.stringify(asked),
      ]);
    })
    .catch((error: unknown) => {
      throw toWriteError(error);
    });
  return rows[0]?.['is_used'] === true;
}
