/**
 * Capture: from the turns of a scope that were not captured yet to memory, batch by batch.
 *
 * 1. gate, 2. extract: `BatchReader` reads what the turns say, one batch ahead of what follows.
 * 3. validate, 4. near-duplicate, 5. judge, 6. contradict: `planBatch` makes candidates of it,
 *    compares each with what is known, by `planWrites`, and gives the plan.
 * 7. write: `writeBatch` takes back what people asked for, then writes.
 *
 * The plan is kept between 6 and 7, so that it is carried out once, whoever goes on. A batch that
 * has to stop in its middle has a receipt of what is written; what is left stays a plan.
 */

import { ContextEngineError } from '../codes/errors.ts';
import type { PlannedCapture } from '../cxri/ports/captures.ts';
import type { CandidateReceipt, CaptureReceipt } from '../model/capture.ts';
import type { Instant } from '../model/ids.ts';
import { CAPTURE_PRINCIPAL } from './7-write.ts';
import { type BatchReader, batchReader } from './batch-reader.ts';
import { type BatchSource, planAnew, planBatch } from './plan-batch.ts';
import {
  type CaptureCall,
  type CaptureDependencies,
  type Prepared,
  prepareCapture,
} from './prepare.ts';
import type { BatchRead } from './read-batch.ts';
import { receiptOf } from './receipt.ts';
import type { CapturePlan } from './state.ts';
import { turnsBetween } from './turns.ts';
import { CaptureWaits, type Waiting } from './waits.ts';
import { type BatchWritten, writeBatch } from './write/write-batch.ts';

export interface CaptureResult {
  readonly receipts: readonly CaptureReceipt[];
  /** Turns are left, or some of a batch: the call was limited. */
  readonly isMore: boolean;
  /** What the next batch waits for; null = nothing. */
  readonly waiting: Waiting | null;
  readonly warnings: readonly string[];
}

export async function captureScope(
  call: CaptureCall,
  by: CaptureDependencies,
): Promise<CaptureResult> {
  const prepared = await prepareCapture(call, by);
  const reader = batchReader(prepared, by);
  return captureBatches(prepared, { ...by, reader, mostBatches: call.mostBatches }).finally(
    reader.close,
  );
}

type Capturing = CaptureDependencies & { readonly reader: BatchReader };

async function captureBatches(
  prepared: Prepared,
  { mostBatches, ...by }: Capturing & { readonly mostBatches: number | undefined },
): Promise<CaptureResult> {
  const receipts: CaptureReceipt[] = [];
  for (;;) {
    if (receipts.length === mostBatches) return { ...ended(prepared, receipts), isMore: true };
    const isLast = receipts.length + 1 === mostBatches;
    const receipt = await captureBatch({ ...prepared, isLast }, by).catch((error: unknown) => {
      if (error instanceof CaptureWaits) return error;
      throw error;
    });
    if (receipt instanceof CaptureWaits) {
      if (receipt.receipt) receipts.push(receipt.receipt);
      return { ...ended(prepared, receipts), isMore: true, waiting: receipt.waiting };
    }
    if (receipt === null) return ended(prepared, receipts);
    if (receipt !== 'moved') receipts.push(receipt);
  }
}

const ended = ({ warnings }: Prepared, receipts: readonly CaptureReceipt[]): CaptureResult => ({
  receipts,
  isMore: false,
  waiting: null,
  warnings,
});

/** null = nothing is left; `moved` = another worker was here. */
async function captureBatch(
  prepared: Prepared & { readonly isLast: boolean },
  by: Capturing,
): Promise<CaptureReceipt | 'moved' | null> {
  const { authority, reader } = by;
  const { grant, of, head, isLast } = prepared;
  const { tenant } = grant;
  const open = await authority.openCapture(tenant, of);
  const from = (await authority.captureProgress(tenant, of)) + 1;
  if (open === null && from > head) return null;
  const read = open ? null : await reader.read(from);
  if (read && read.turns.rows.length === 0) {
    const { to_seq } = read.turns;
    await authority.skipCapture(tenant, { ...of, from_seq: from, to_seq, at: by.now() });
    return to_seq >= head ? null : 'moved';
  }
  if (read && !isLast) reader.readAhead(read.turns.to_seq + 1);
  const planned = open ?? (read && (await plan(read, { ...prepared, from }, by)));
  if (planned === null) return 'moved';
  // Kept by this file alone, as the plan that it is.
  const { plan: kept } = planned as { readonly plan: BatchSource };
  const all = { ...prepared, from: planned.from_seq };
  const written = await writeBatch(kept.plan, {
    ...{ prepared, by },
    // Only who goes on with a plan finds some of it proposed.
    begun: open?.planned_at ?? null,
    planAnew: async (names) => {
      const turns = read?.turns ?? (await turnsBetween(planned, prepared, by));
      return planAnew({ turns, names }, all, by);
    },
  });
  const finishing = { planned, kept, at: by.now() };
  if (written.rest) return stop({ ...finishing, ...written, rest: written.rest }, prepared, by);
  if (by.model) await authority.dropAnswers(tenant, { ...of, from_seq: planned.from_seq });
  return finish({ ...finishing, candidates: written.candidates }, prepared, by);
}

async function plan(
  read: BatchRead,
  prepared: Prepared & { readonly from: number },
  by: CaptureDependencies,
) {
  const { grant, of, from } = prepared;
  const source: BatchSource = {
    plan: await planBatch(read, prepared, by),
  };
  return by.authority.planCapture(grant.tenant, {
    ...of,
    capture_uuid: by.newId(),
    from_seq: from,
    to_seq: read.turns.to_seq,
    plan: source,
    planned_at: by.now(),
  });
}

interface Finishing {
  readonly planned: Omit<PlannedCapture, 'plan'>;
  readonly kept: BatchSource;
  readonly candidates: readonly CandidateReceipt[];
  readonly at: Instant;
}

const receiptFor = (
  { planned: { capture_uuid, from_seq, to_seq }, kept, candidates, at }: Finishing,
  { of }: Prepared,
  rest: Pick<CapturePlan, 'sources'> = { sources: [] },
): CaptureReceipt =>
  receiptOf(candidates, {
    ...of,
    capture_uuid,
    from_seq,
    to_seq,
    turns: kept.plan.sources.length - rest.sources.length,
    captured_at: at,
  });

const finish = (
  finishing: Finishing,
  prepared: Prepared,
  { authority }: CaptureDependencies,
): Promise<CaptureReceipt> => {
  const { grant, of } = prepared;
  const { from_seq } = finishing.planned;
  const receipt = receiptFor(finishing, prepared);
  return authority.finishCapture(grant.tenant, { ...of, from_seq, receipt });
};

/** What is written of the batch has its receipt, and what is left is a plan of its own. */
async function stop(
  {
    rest,
    waits,
    refusedBy,
    ...finishing
  }: Finishing & BatchWritten & { readonly rest: CapturePlan },
  prepared: Prepared,
  by: CaptureDependencies,
): Promise<never> {
  const { grant, of } = prepared;
  const { kept, candidates, planned } = finishing;
  const { from_seq } = planned;
  const receipt = receiptFor(finishing, prepared, rest);
  const source: BatchSource = { plan: rest };
  // Where the plan is another by now, its receipt is made by whoever goes on with it.
  const isSplit =
    candidates.length > 0 &&
    (await by.authority.splitCapture(grant.tenant, {
      ...{ ...of, from_seq, receipt, plan: kept },
      rest: { capture_uuid: by.newId(), plan: source },
    }));
  if (waits) throw new CaptureWaits(waits, isSplit ? receipt : null);
  throw refusalOf(refusedBy);
}

/** Whoever proposes in the name of capture writes nothing: what is to be changed are its rights. */
const refusalOf = (principals: ReadonlySet<string>): ContextEngineError =>
  new ContextEngineError(
    'PERMISSION.DENIED',
    principals.size === 1 && principals.has(CAPTURE_PRINCIPAL)
      ? {
          message: `What waits for a review may not be proposed by \`${CAPTURE_PRINCIPAL}\`.`,
          fix:
            `Let \`${CAPTURE_PRINCIPAL}\` propose: it is not disabled, and its \`writes\` are T2 ` +
            `or T3 (\`contextengine principals add ${CAPTURE_PRINCIPAL} --kind agent --tier writes=T2\`).`,
        }
      : {
          message: 'What was captured may not be written by this caller.',
          fix: 'Capture by the rights of a principal that may write the scopes of `writing.into`.',
        },
  );
