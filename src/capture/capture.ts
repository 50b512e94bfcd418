/**
 * Capture: from the turns of a scope that were not captured yet to memory, batch by batch.
 *
 * 1. gate, 2. extract: `BatchReader` reads what the turns say, one batch ahead of what follows.
 * 3. validate, 4. near-duplicate, 5. judge, 6. contradict: `planBatch` makes candidates of it,
 *    compares each with what is known, by `planWrites`, and gives the plan.
 * 7. write: `writeRetractions` takes back what people asked for, then `writeJudged` writes.
 *
 * The plan is kept between 6 and 7, so that it is carried out once, whoever goes on.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { CandidateReceipt, CaptureReceipt } from '../model/capture.ts';
import { notBefore } from '../model/clock.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { candidatesOf, proposerFor } from './7-write.ts';
import { type BatchReader, batchReader } from './batch-reader.ts';
import { writeRetractions } from './forget/write-retractions.ts';
import { type BatchSource, planAnew, planBatch } from './plan-batch.ts';
import {
  type CaptureCall,
  type CaptureDependencies,
  type Prepared,
  prepareCapture,
} from './prepare.ts';
import type { BatchRead } from './read-batch.ts';
import { receiptOf } from './receipt.ts';
import { turnsBetween } from './turns.ts';
import { CaptureWaits, type Waiting } from './waits.ts';
import { giveWay } from './write/give-way.ts';
import { proposedBefore } from './write/proposed-before.ts';
import { writeJudged } from './write/write-anew.ts';
import { writingOf } from './write/writing-of.ts';

export interface CaptureResult {
  readonly receipts: readonly CaptureReceipt[];
  /** Turns are left: the call was limited. */
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
      const warnings = [...prepared.warnings, ...writtenAlready(receipt)];
      return { receipts, isMore: true, waiting: receipt.waiting, warnings };
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

/** The rest of the batch waits, and its receipt with it: the operations are named for an undo. */
function writtenAlready({ written }: CaptureWaits): readonly string[] {
  const operations = new Set(written.flatMap(({ operation_id: id }) => id ?? []));
  const count = written.filter(({ operation_id: id }) => id !== null).length;
  if (count === 0) return [];
  return [
    `Of the batch that waits \`${count}\` ${count === 1 ? 'is' : 'are'} written already, by ` +
      `\`${[...operations].join(', ')}\`: its receipt is made once the rest has room.`,
  ];
}

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
  const proposer = proposerFor(prepared.writing);
  // Only who goes on with a plan finds some of it proposed.
  const proposed = open ? await proposedBefore(open, { grant, proposer }, authority) : new Map();
  const writing = writingOf(prepared, proposed, by);
  const all = { ...prepared, from: planned.from_seq };
  const { scopes } = grant;
  const retracted = await writeRetractions(kept.plan, { ...writing(), authority, tenant, scopes });
  const { plan: done, written } = await writeJudged(kept.plan, {
    ...{ writing, tenant, authority },
    planAnew: async (names) => {
      const turns = read?.turns ?? (await turnsBetween(planned, prepared, by));
      return planAnew({ turns, names }, all, by);
    },
  });
  const said = candidatesOf(done, written);
  assertPermitted(said);
  const now = notBefore(by.now(), prepared.recordedAt);
  const given = await giveWay(done, said, { ...writing(), now, authority, tenant });
  const candidates = [...retracted, ...given];
  if (by.model) await authority.dropAnswers(tenant, { ...of, from_seq: planned.from_seq });
  return finish({ planned, kept, candidates, at: by.now() }, prepared, by);
}

/** What this caller may not write is left for one who may: the plan stays open. */
function assertPermitted(candidates: readonly CandidateReceipt[]): void {
  const refused = candidates.find(
    ({ outcome, reason }) => outcome === 'failed' && reason === 'PERMISSION.DENIED',
  );
  if (!refused) return;
  throw new ContextEngineError('PERMISSION.DENIED', {
    message: 'What was captured may not be written by this caller.',
    fix: 'Capture by the rights of a principal that may write the scopes of `writing.into`.',
  });
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
  readonly planned: {
    readonly capture_uuid: Uuid;
    readonly from_seq: number;
    readonly to_seq: number;
  };
  readonly kept: BatchSource;
  readonly candidates: readonly CandidateReceipt[];
  readonly at: Instant;
}

async function finish(
  { planned, kept, candidates, at }: Finishing,
  { grant, of }: Prepared,
  { authority }: CaptureDependencies,
): Promise<CaptureReceipt> {
  const { capture_uuid, from_seq, to_seq } = planned;
  const receipt = receiptOf(candidates, {
    ...of,
    capture_uuid,
    from_seq,
    to_seq,
    turns: kept.plan.sources.length,
    captured_at: at,
  });
  return authority.finishCapture(grant.tenant, { ...of, from_seq, receipt });
}
