/**
 * Some candidates of a capture once more, in the place that its receipt has for them: judged
 * against what is known by now, and written under keys of their own.
 */
import type { CandidateReceipt, CaptureReceipt } from '../model/capture.ts';
import { keyAgain } from '../model/capture-key.ts';
import { failed } from './7-write.ts';
import { planAnew, planSpans } from './plan-batch.ts';
import { type CaptureDependencies, type Prepared, prepareCapture } from './prepare.ts';
import { amended, spanName } from './receipt.ts';
import type { PlannedWrite } from './state.ts';
import { turnsBetween } from './turns.ts';
import { CaptureWaits } from './waits.ts';
import { writeBatch } from './write/write-batch.ts';

export interface Recapture {
  readonly receipt: CaptureReceipt;
  /** Of its candidates. */
  readonly again: readonly CandidateReceipt[];
  /** Names what it is done for: keys and ids are made of it. */
  readonly because: string;
  readonly timeZone: string;
  readonly signal?: AbortSignal;
}

export interface AgainCaptured {
  /** What became of them; none where their turns do not say it any more. */
  readonly made: readonly CandidateReceipt[];
  /** As it is kept by now. */
  readonly receipt: CaptureReceipt;
}

export async function captureAgain(
  { receipt, again, because, timeZone, signal }: Recapture,
  by: CaptureDependencies,
): Promise<AgainCaptured> {
  const { authority } = by;
  const { scope_uuid: scope, from_seq: from, to_seq } = receipt;
  const own = await prepareCapture({ scope, timeZone, ...(signal && { signal }) }, by);
  // What went had the id that its source gives it.
  const prepared = {
    ...own,
    from,
    idOf: (...parts: readonly string[]) => own.idOf(...parts, because),
  };
  const turns = await turnsBetween({ from_seq: from, to_seq }, prepared, by);
  const isAsked = (each: CandidateReceipt): boolean => again.includes(each);
  const spans = new Set(again.map(spanName));
  const planned = await planSpans({ turns, spans }, prepared, by);
  const plan = { ...planned, writes: planned.writes.map((each) => keyed(each, because)) };
  const { candidates, rest, refused, waits } = await writeBatch(plan, {
    ...{ prepared, by },
    // A try of the same that died, or had to wait, has proposed some of it.
    begun: receipt.captured_at,
    planAnew: async (names) => {
      const { writes, ...of } = await planAnew({ turns, names }, prepared, by);
      return { ...of, writes: writes.map((each) => keyed(each, because)) };
    },
  });
  // What may not be written by this caller stays for one who may.
  const left = waits ? (rest?.writes ?? []) : [];
  const settled = [...candidates, ...left.map((each) => failed(each, 'CAPTURE.REVIEWS_WAIT'))];
  const kept = await keep({ receipt, settled, isAsked }, prepared, by);
  if (waits) throw new CaptureWaits(waits, candidates.length > 0 ? kept : null);
  if (by.model)
    await authority.dropAnswers(prepared.grant.tenant, { ...prepared.of, from_seq: from });
  return { made: [...candidates, ...refused], receipt: kept };
}

const keyed = (planned: PlannedWrite, because: string): PlannedWrite => {
  const { idempotency_key: key = '' } = planned.operation;
  return {
    ...planned,
    operation: { ...planned.operation, idempotency_key: keyAgain(key, because) },
  };
};

const MOST_TRIES = 3;
const MOST_LISTED = 1000;

interface Keeping {
  readonly receipt: CaptureReceipt;
  readonly settled: readonly CandidateReceipt[];
  readonly isAsked: (each: CandidateReceipt) => boolean;
}

/** In the place of what is there by now: somebody else may have amended it meanwhile. */
async function keep(
  { receipt, settled, isAsked }: Keeping,
  { grant: { tenant, scopes } }: Pick<Prepared, 'grant'>,
  { authority }: CaptureDependencies,
): Promise<CaptureReceipt> {
  const names = new Map(receipt.candidates.map((each) => [nameOf(each), isAsked(each)]));
  let was = receipt;
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const now = amended(was, settled, (each) => names.get(nameOf(each)) === true);
    if (now === was || (await authority.amendCapture(tenant, { was, receipt: now }))) return now;
    const listing = { scope_uuid: was.scope_uuid, limit: MOST_LISTED };
    const listed = await authority.listCaptures(tenant, listing, scopes);
    const found = listed.find(({ capture_uuid: uuid }) => uuid === receipt.capture_uuid);
    if (!found) return was;
    was = found;
  }
  return was;
}

/** Of several in one piece of a turn, that with the outcome. */
const nameOf = (each: CandidateReceipt): string =>
  `${spanName(each)} ${each.outcome} ${each.reason} ${each.uuid ?? ''}`;
