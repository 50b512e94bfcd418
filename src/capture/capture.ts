/**
 * Capture: from the turns of a scope that were not captured yet to memory, batch by batch.
 *
 * 1. gate, 2. extract, 3. validate: `planBatch` makes candidates of the turns.
 * 4. near-duplicate, 5. judge, 6. contradict: `planBatch` compares each candidate with what is
 *    known, by `planWrites`, and gives the plan.
 * 7. write: `writeRetractions` takes back what people asked for, then `writeJudged` writes.
 *
 * The plan is kept between 6 and 7, so that it is carried out once, whoever goes on.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { CandidateReceipt, CaptureReceipt } from '../model/capture.ts';
import { notBefore } from '../model/clock.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { candidatesOf, proposerFor } from './7-write.ts';
import { writeRetractions } from './forget/write-retractions.ts';
import { type BatchSource, planAnew, planBatch } from './plan-batch.ts';
import {
  type CaptureCall,
  type CaptureDependencies,
  type Prepared,
  prepareCapture,
} from './prepare.ts';
import { receiptOf } from './receipt.ts';
import { readTurns, TURNS_PER_BATCH, type Turns, turnsBetween } from './turns.ts';
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

/** What a model is asked about at once: small enough for its answer to fit. */
const TURNS_PER_QUESTION = 20;

export async function captureScope(
  call: CaptureCall,
  by: CaptureDependencies,
): Promise<CaptureResult> {
  const prepared = await prepareCapture(call, by);
  const receipts: CaptureReceipt[] = [];
  for (;;) {
    if (receipts.length === call.mostBatches) return { ...ended(prepared, receipts), isMore: true };
    const receipt = await captureBatch(prepared, by).catch((error: unknown) => {
      if (error instanceof CaptureWaits) return error;
      throw error;
    });
    if (receipt instanceof CaptureWaits)
      return { ...ended(prepared, receipts), isMore: true, waiting: receipt.waiting };
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
  prepared: Prepared,
  by: CaptureDependencies,
): Promise<CaptureReceipt | 'moved' | null> {
  const { authority } = by;
  const { grant, of, head } = prepared;
  const { tenant } = grant;
  const open = await authority.openCapture(tenant, of);
  const from = (await authority.captureProgress(tenant, of)) + 1;
  if (open === null && from > head) return null;
  const limit = by.model ? TURNS_PER_QUESTION : TURNS_PER_BATCH;
  const turns = await turnsOf(prepared, open ?? { from_seq: from, limit }, by);
  if (open === null && turns.rows.length === 0) {
    const at = by.now();
    await authority.skipCapture(tenant, { ...of, from_seq: from, to_seq: turns.to_seq, at });
    return turns.to_seq >= head ? null : 'moved';
  }
  const planned = open ?? (await plan(turns, { ...prepared, from }, by));
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
    planAnew: async (names) =>
      planAnew({ turns: open ? await turnsBetween(open, prepared, by) : turns, names }, all, by),
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

/** Where a model was asked already, the turns that it was asked about. */
async function turnsOf(
  prepared: Prepared,
  batch: Parameters<typeof readTurns>[2],
  by: CaptureDependencies,
): Promise<Turns> {
  const turns = await readTurns(prepared, by, batch);
  if (!by.model || batch.limit === undefined) return turns;
  const of = { ...prepared.of, from_seq: batch.from_seq };
  const [first] = await by.authority.extractionsOf(prepared.grant.tenant, of);
  if (!first) return turns;
  const to_seq = first.to_seq;
  return { rows: turns.rows.filter(({ recorded_seq: seq }) => seq <= to_seq), to_seq };
}

async function plan(
  turns: Turns,
  prepared: Prepared & { readonly from: number },
  by: CaptureDependencies,
) {
  const { grant, of, from } = prepared;
  const source: BatchSource = {
    plan: await planBatch(turns, prepared, by),
  };
  return by.authority.planCapture(grant.tenant, {
    ...of,
    capture_uuid: by.newId(),
    from_seq: from,
    to_seq: turns.to_seq,
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
