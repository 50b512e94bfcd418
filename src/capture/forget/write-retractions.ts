/**
 * What is taken back is undone or withdrawn, each by itself: one that is refused, because others
 * build on it or nobody may delete there, keeps nothing else from being written, and the receipt
 * says why it stays.
 */
import { ContextEngineError, isOperational } from '../../codes/errors.ts';
import type { Authority } from '../../cxri/authority.ts';
import type { CandidateReceipt } from '../../model/capture.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { DeleteOperation, Operation, Receipt } from '../../model/operation.ts';
import type { Grant } from '../../model/permission.ts';
import { CONFLICT, forReviews, proposerFor, type Writing } from '../7-write.ts';
import type { CapturePlan, PlannedRetraction } from '../state.ts';
import { CaptureWaits } from '../waits.ts';
import { withdraw } from '../write/take-back.ts';
import { TAKEN_BACK } from './retract.ts';

export interface WritingRetractions extends Writing {
  readonly authority: Pick<Authority, 'settleProposal' | 'listProposals'>;
  readonly tenant: TenantId;
  readonly scopes: Grant['scopes'];
}

export async function writeRetractions(
  { retractions = [], planned_by: plannedBy }: CapturePlan,
  by: WritingRetractions,
): Promise<readonly CandidateReceipt[]> {
  const receipts: CandidateReceipt[] = [];
  for (const each of retractions) {
    const isOwn = each.isDirect && plannedBy === by.callerName;
    receipts.push(by.made.add(each, await written(each, isOwn, by)));
  }
  return receipts;
}

async function written(
  planned: PlannedRetraction,
  isOwn: boolean,
  by: WritingRetractions,
): Promise<CandidateReceipt> {
  const { what, key } = planned;
  const before = by.proposed.get(key);
  if (before !== undefined) return receiptOf(planned, { outcome: 'quarantined', proposal: before });
  try {
    if (what.kind === 'waits') return await withdrawn(planned, what, by);
    if (what.kind === 'root') {
      const { table, root: root_uuid, at: valid_from, stays = [] } = what;
      const ended: DeleteOperation = {
        ...{ operation: 'DELETE', scope: planned.scope, table, root_uuid, valid_from },
        ...{ cause: 'correction', reason: TAKEN_BACK, idempotency_key: key },
      };
      return undone(planned, await undoing([ended, ...stays], isOwn, by));
    }
    const undo = { operation: 'UNDO', scope: planned.scope, target: what.target } as const;
    // Done already, an undo changes nothing: under a key it would be another than the first.
    const keyed = isOwn ? undo : { ...undo, idempotency_key: key };
    return undone(planned, await undoing([{ ...keyed, reason: TAKEN_BACK }], isOwn, by));
  } catch (error) {
    if (!(error instanceof ContextEngineError) || isOperational(error)) throw error;
    if (error.code === 'PERMISSION.TOO_MANY_PROPOSALS') throw new CaptureWaits(forReviews(by.now));
    return receiptOf(planned, { outcome: 'failed', reason: error.code });
  }
}

/** Judged again where somebody wrote of it in between. */
async function undoing(
  operations: readonly Operation[],
  isOwn: boolean,
  by: WritingRetractions,
): Promise<Receipt | undefined> {
  const profile = isOwn ? by.caller : proposerFor(by);
  const first = await write(operations, profile, by);
  return first?.outcome === CONFLICT ? write(operations, profile, by) : first;
}

async function write(
  operations: readonly Operation[],
  profile: Writing['caller'],
  { write: through, now, signal }: WritingRetractions,
): Promise<Receipt | undefined> {
  // What is written anew of a root waits with its end.
  const isApart = operations.length === 1;
  const call = { operations, profile, now, isApart, isOfCapture: true };
  const { receipts } = await through({ ...call, ...(signal && { signal }) });
  return receipts[0];
}

const undone = (planned: PlannedRetraction, receipt: Receipt | undefined): CandidateReceipt => {
  if (receipt?.outcome === 'stored' || receipt?.outcome === 'duplicate')
    return receiptOf(planned, {
      outcome: 'superseded',
      root: receipt.root_uuid,
      operation: receipt.operation_id,
    });
  if (receipt?.outcome === 'quarantined')
    return receiptOf(planned, { outcome: 'quarantined', proposal: receipt.operation_id });
  return receiptOf(planned, { outcome: 'failed', reason: receipt?.outcome ?? CONFLICT });
};

/** With what others said in the same proposal proposed again. */
async function withdrawn(
  planned: PlannedRetraction,
  { proposal, rest }: Extract<PlannedRetraction['what'], { kind: 'waits' }>,
  by: WritingRetractions,
): Promise<CandidateReceipt> {
  const { authority, tenant, scopes, now } = by;
  const proposer = proposerFor(by);
  const settled = await withdraw({ proposal }, { authority, tenant, proposer, scopes, now });
  const isGone = settled === null || settled.state === 'rejected' || settled.state === 'expired';
  // Somebody approved it since it was planned.
  if (!isGone) return receiptOf(planned, { outcome: 'failed', reason: CONFLICT });
  if (rest.length > 0 && !(await waits(rest, by))) {
    const call = { operations: rest, profile: proposer, now, isOfCapture: true };
    await by.write({ ...call, ...(by.signal && { signal: by.signal }) });
  }
  return receiptOf(planned, { outcome: 'superseded', proposal });
}

/** Proposed again by an attempt that died. */
async function waits(
  [first]: readonly Operation[],
  { authority, tenant, scopes }: WritingRetractions,
): Promise<boolean> {
  const asked = { state: 'pending', limit: MOST_WAITING } as const;
  const pending = await authority.listProposals(tenant, asked, scopes);
  return pending.some(({ action }) =>
    action.operations.some(({ idempotency_key: key }) => key === first?.idempotency_key),
  );
}
const MOST_WAITING = 1000;

interface Became {
  readonly outcome: CandidateReceipt['outcome'];
  readonly reason?: string;
  readonly root?: Uuid | null;
  readonly operation?: Uuid;
  readonly proposal?: Uuid;
}

const receiptOf = (
  { source_uuid, start, end, class: memory, scope }: PlannedRetraction,
  { outcome, reason = TAKEN_BACK, root = null, operation, proposal }: Became,
): CandidateReceipt => ({
  ...{ source_uuid, start, end, class: memory, outcome, reason },
  ...{ scope_uuid: scope, uuid: null, root_uuid: root },
  ...{ proposal_uuid: proposal ?? null, operation_id: operation ?? null },
});
