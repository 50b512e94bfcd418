/**
 * Stage 7 of a whole batch: what people take back, then the plan, then what gives way. Where it has
 * to stop in its middle, what is written has its outcomes, and what is left stays planned.
 */
import type { CandidateReceipt } from '../../model/capture.ts';
import { keyOfFirst } from '../../model/capture-key.ts';
import { notBefore } from '../../model/clock.ts';
import type { Instant, Uuid } from '../../model/ids.ts';
import { CONFLICT, candidatesOf, proposerFor, quarantined } from '../7-write.ts';
import { writeRetractions } from '../forget/write-retractions.ts';
import type { CaptureDependencies, Prepared } from '../prepare.ts';
import type { CapturePlan, PlannedWrite } from '../state.ts';
import { CaptureWaits, type Waiting } from '../waits.ts';
import { giveWay, readAlike } from './give-way.ts';
import { firstKeyOf, type Made, madeSoFar } from './made.ts';
import { oneWaits } from './one-waits.ts';
import { type ProposedBefore, proposedBefore } from './proposed-before.ts';
import { type WritingAnew, writeJudged } from './write-anew.ts';
import { writingOf } from './writing-of.ts';

export interface WritingBatch extends Pick<WritingAnew, 'planAnew'> {
  /** Since when some of it may be proposed already; null = nobody began with it. */
  readonly begun: Instant | null;
  readonly prepared: Prepared;
  readonly by: CaptureDependencies;
}

export interface BatchWritten {
  readonly candidates: readonly CandidateReceipt[];
  /** What is left of the plan; null = nothing. */
  readonly rest: CapturePlan | null;
  /** What it waits for. */
  readonly waits: Waiting | null;
  /** Of what is left, that which this caller may not write. */
  readonly refused: readonly CandidateReceipt[];
  /** The principals that may not write it. */
  readonly refusedBy: ReadonlySet<string>;
}

export async function writeBatch(plan: CapturePlan, batch: WritingBatch): Promise<BatchWritten> {
  const { prepared, by, planAnew, begun } = batch;
  const { authority } = by;
  const { tenant, scopes } = prepared.grant;
  const startedAt = begun ?? by.now();
  const made = madeSoFar();
  const proposed = begun === null ? new Map() : await proposedSince(begun, batch);
  const writing = writingOf(prepared, { made, proposed }, by);
  const given = async (said: readonly CandidateReceipt[], of: CapturePlan) => {
    const now = notBefore(by.now(), prepared.recordedAt);
    const giving = { ...writing(), now, authority, tenant };
    const proposer = proposerFor(prepared.writing);
    return oneWaits(of, await giveWay(of, said, giving), {
      ...{ authority, tenant, scopes, proposer, now },
      standing: (facts) => readAlike(facts, of.judged_at ?? [], giving),
    });
  };
  const refusedBy = made.refused;
  const stopped = async (waits: Waiting | null, refused: readonly CandidateReceipt[]) => {
    const { rest, written, retracted } = partOf(plan, made, await proposedSince(startedAt, batch));
    const candidates = [...retracted, ...(await given(candidatesOf(plan, written), plan))];
    return { candidates, rest, waits, refused, refusedBy };
  };
  try {
    const retracted = await writeRetractions(plan, { ...writing(), authority, tenant, scopes });
    const anew = { writing, tenant, authority, planAnew };
    const { plan: done, written } = await writeJudged(plan, anew);
    const said = candidatesOf(done, written);
    const refused = said.filter(isRefused);
    if (refused.length > 0) return await stopped(null, refused);
    const candidates = [...retracted, ...(await given(said, done))];
    return { candidates, rest: null, waits: null, refused, refusedBy };
  } catch (error) {
    if (!(error instanceof CaptureWaits)) throw error;
    return stopped(error.waiting, []);
  }
}

const proposedSince = (
  planned_at: Instant,
  { prepared: { grant, writing }, by }: Pick<WritingBatch, 'prepared' | 'by'>,
): Promise<ProposedBefore> =>
  proposedBefore({ planned_at }, { grant, proposer: proposerFor(writing) }, by.authority);

const isRefused = ({ outcome, reason }: CandidateReceipt): boolean =>
  outcome === 'failed' && reason === 'PERMISSION.DENIED';

/** Whoever goes on writes it: it is planned anew, or they may. */
const isLeft = (receipt: CandidateReceipt): boolean =>
  isRefused(receipt) ||
  (receipt.outcome === 'failed' &&
    (receipt.reason === CONFLICT || receipt.reason === 'WRITE.IDEMPOTENCY_CONFLICT'));

/** What of a plan has its outcome, and the plan of what is left. */
function partOf(plan: CapturePlan, made: Made, proposed: ProposedBefore) {
  // A try that was planned anew has a key of its own.
  const ofFirst = new Map<string, Uuid>();
  for (const [key, proposal] of proposed) ofFirst.set(keyOfFirst(key), proposal);
  const outcomeOf = (planned: PlannedWrite): CandidateReceipt | null => {
    const receipt = made.of(planned);
    if (receipt && !isLeft(receipt)) return receipt;
    const proposal = ofFirst.get(firstKeyOf(planned));
    return proposal === undefined ? null : quarantined(planned, proposal);
  };
  const written = new Map<PlannedWrite, CandidateReceipt>();
  const writes: PlannedWrite[] = [];
  for (const each of plan.writes) {
    const receipt = outcomeOf(each);
    if (receipt) written.set(each, receipt);
    else writes.push(each);
  }
  const { retractions: all = [] } = plan;
  const retracted = all.flatMap((each) => made.of(each) ?? []);
  const retractions = all.filter((each) => made.of(each) === null);
  const left = new Set([...writes, ...retractions].map(({ source_uuid: source }) => source));
  const rest: CapturePlan = {
    ...plan,
    sources: plan.sources.filter((source) => left.has(source)),
    writes,
    ...(plan.retractions && { retractions }),
    settled: [],
  };
  return { written, retracted, rest };
}
