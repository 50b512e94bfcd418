/**
 * After a turn was forgotten the memory is the one that the turns that are left would form: what
 * its statements ended holds again, and what other turns state as well is captured from those. By
 * the rights of whoever forgets, like every write. Each step finds what an earlier try has done, so
 * that a call which died is gone on with by the next one of the same redaction.
 */
import { ContextEngineError } from '../../codes/errors.ts';
import type { CandidateReceipt, CaptureReceipt } from '../../model/capture.ts';
import { captureKey } from '../../model/capture-key.ts';
import type { TargetKind } from '../../model/erasure.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Receipt, UndoOperation } from '../../model/operation.ts';
import type { Grant } from '../../model/permission.ts';
import type { NamedOperation } from '../../model/undo.ts';
import { CONFLICT } from '../7-write.ts';
import { captureAgain, type Recapture } from '../capture-again.ts';
import { extractorOf } from '../extractors.ts';
import type { CaptureDependencies } from '../prepare.ts';
import { spanName } from '../receipt.ts';
import { CaptureWaits } from '../waits.ts';
import { TAKEN_BACK } from './retract.ts';

export interface ForgottenTurns {
  readonly redaction: Uuid;
  readonly kind: TargetKind;
  readonly grant: Grant;
  readonly timeZone: string;
}

/** What followed on it in memory that was captured. */
export interface Followed {
  /** Changes that were undone: what they had ended holds again. */
  readonly given_back: number;
  /** Statements that were captured from another turn that makes them. */
  readonly said_again: number;
  /** What of both waits for a review. */
  readonly waits: number;
  /** Codes of what could not be done, each with the scope that it would have changed. */
  readonly failures: readonly { readonly code: string; readonly scope_block_uuid: Uuid }[];
}

/** Sources fall by name alone: what others say of a person, or with a text, is not made anew. */
const BY_SOURCE: ReadonlySet<TargetKind> = new Set(['version', 'root', 'block', 'scope', 'author']);
/** As many candidates as a turn has. */
const MOST_ORDINALS = 32;

export async function followForgetting(
  asked: ForgottenTurns,
  by: CaptureDependencies,
): Promise<Followed> {
  const { redaction, grant, kind } = asked;
  const found = await by.authority.forgottenCaptures(grant.tenant, { redaction }, grant.scopes);
  const gone: ReadonlySet<Uuid> = new Set(found.gone);
  const receipts = found.receipts;
  const sum = counting();
  // The last first: what one change began another may have gone on with.
  for (const change of await changesOf(receipts.toReversed(), gone, { asked, by }))
    sum.undone(change.scope, await undone(change, asked, by));
  if (!BY_SOURCE.has(kind) || by.model !== null) return sum.all();
  const lost = lostWith(receipts, gone);
  for (const receipt of receipts) {
    if (receipt.consumer !== extractorOf(by)) continue;
    const again = wholeOf(receipt, (each) => isLost(each, gone, lost));
    if (again.length === 0 || gone.has(receipt.scope_uuid)) continue;
    const recapture: Recapture = { receipt, again, because: redaction, timeZone: asked.timeZone };
    sum.said(receipt.scope_uuid, await said(recapture, by));
  }
  return sum.all();
}

/**
 * Once it is brought back, what was captured from other turns meanwhile is said already: their
 * receipts tell so, and a later redaction finds them.
 */
export async function followReturn(
  { redaction, timeZone }: Pick<ForgottenTurns, 'redaction' | 'timeZone'>,
  receipts: readonly { readonly receipt: CaptureReceipt; readonly operations: readonly Uuid[] }[],
  by: CaptureDependencies,
): Promise<void> {
  if (by.model !== null) return;
  for (const { receipt, operations } of receipts) {
    if (receipt.consumer !== extractorOf(by)) continue;
    const again = wholeOf(
      receipt,
      ({ operation_id: id }) => id !== null && operations.includes(id),
    );
    if (again.length > 0)
      await said({ receipt, again, because: `${redaction}-back`, timeZone }, by);
  }
}

interface Asked {
  readonly asked: ForgottenTurns;
  readonly by: CaptureDependencies;
}

/** Operations by which statements of turns that went ended something, or may have. */
async function changesOf(
  receipts: readonly CaptureReceipt[],
  gone: ReadonlySet<Uuid>,
  { asked: { grant }, by }: Asked,
): Promise<readonly NamedOperation[]> {
  const changes = new Map<Uuid, NamedOperation>();
  for (const { consumer, candidates } of receipts)
    for (const each of candidates.toReversed()) {
      const { source_uuid: source, scope_uuid: scope, operation_id: operation } = each;
      if (!gone.has(source) || scope === null || gone.has(scope)) continue;
      // Who asked that it is forgotten does not bring it back by being forgotten.
      if (each.reason === TAKEN_BACK) continue;
      if (operation !== null && each.outcome === 'superseded')
        changes.set(operation, { operation_id: operation, scope });
      if (each.proposal_uuid === null) continue;
      const keys = Array.from({ length: MOST_ORDINALS }, (_, ordinal) =>
        captureKey({ consumer, source, ordinal }),
      );
      const approved = { scope, keys };
      const found = await by.authority.operationsOfKeys(grant.tenant, approved, grant.scopes);
      for (const id of found.toReversed()) changes.set(id, { operation_id: id, scope });
    }
  return [...changes.values()];
}

type Outcome = 'done' | 'waits' | 'nothing' | { readonly code: string };

async function undone(
  { operation_id: target, scope }: NamedOperation,
  { redaction }: ForgottenTurns,
  by: CaptureDependencies,
): Promise<Outcome> {
  const operation: UndoOperation = {
    operation: 'UNDO',
    scope,
    target,
    idempotency_key: captureKey({
      consumer: `undo/again-${redaction}`,
      source: target,
      ordinal: 0,
    }),
    reason: 'its source was forgotten',
  };
  try {
    const first = await written(operation, by);
    return outcomeOf(first?.outcome === CONFLICT ? await written(operation, by) : first);
  } catch (error) {
    return refused(error);
  }
}

async function written(
  operation: UndoOperation,
  by: CaptureDependencies,
): Promise<Receipt | undefined> {
  const { write, profile, now } = by;
  const call = { operations: [operation], profile, now: now(), isApart: true, isOfCapture: true };
  return (await write(call)).receipts[0];
}

function outcomeOf(receipt: Receipt | undefined): Outcome {
  if (receipt?.outcome === 'stored') return 'done';
  if (receipt?.outcome === 'quarantined') return 'waits';
  return receipt?.outcome === 'duplicate' ? 'nothing' : { code: receipt?.outcome ?? CONFLICT };
}

/** There is nothing to undo, or an earlier try has done it. */
const NOTHING: ReadonlySet<string> = new Set(['WRITE.NOT_FOUND', 'WRITE.IDEMPOTENCY_CONFLICT']);

function refused(error: unknown): Outcome {
  if (error instanceof CaptureWaits) return { code: error.waiting.code };
  if (!(error instanceof ContextEngineError)) throw error;
  return NOTHING.has(error.code) ? 'nothing' : { code: error.code };
}

/** What turns that went had stated; null = what somebody approved of it is not told apart. */
function lostWith(
  receipts: readonly CaptureReceipt[],
  gone: ReadonlySet<Uuid>,
): ReadonlySet<Uuid | null> {
  const lost = new Set<Uuid | null>();
  for (const { candidates } of receipts)
    for (const { source_uuid: source, uuid, proposal_uuid: proposal } of candidates) {
      if (!gone.has(source)) continue;
      if (uuid !== null) lost.add(uuid);
      if (proposal !== null) lost.add(null);
    }
  return lost;
}

/** Whether a turn that is left states what went with another one. */
const isLost = (
  { outcome, source_uuid: source, uuid }: CandidateReceipt,
  gone: ReadonlySet<Uuid>,
  lost: ReadonlySet<Uuid | null>,
): boolean =>
  outcome === 'duplicate' &&
  !gone.has(source) &&
  (uuid === null ? lost.has(null) : gone.has(uuid) && (lost.has(uuid) || lost.has(null)));

/** Of several in one piece of a turn nothing tells which is which: all of them, or none. */
function wholeOf(
  { candidates }: CaptureReceipt,
  isAsked: (each: CandidateReceipt) => boolean,
): readonly CandidateReceipt[] {
  const others = new Set(candidates.filter((each) => !isAsked(each)).map(spanName));
  return candidates.filter((each) => isAsked(each) && !others.has(spanName(each)));
}

async function said(
  recapture: Recapture,
  by: CaptureDependencies,
): Promise<readonly CandidateReceipt[] | { readonly code: string }> {
  try {
    return (await captureAgain(recapture, by)).made;
  } catch (error) {
    const outcome = refused(error);
    return typeof outcome === 'string' ? [] : outcome;
  }
}

function counting() {
  let [given_back, said_again, waits] = [0, 0, 0];
  const failures: Followed['failures'][number][] = [];
  return {
    undone: (scope_block_uuid: Uuid, outcome: Outcome): void => {
      if (outcome === 'done') given_back += 1;
      else if (outcome === 'waits') waits += 1;
      else if (outcome !== 'nothing') failures.push({ ...outcome, scope_block_uuid });
    },
    said: (scope_block_uuid: Uuid, made: Awaited<ReturnType<typeof said>>): void => {
      if ('code' in made) {
        failures.push({ ...made, scope_block_uuid });
        return;
      }
      for (const { outcome, reason, scope_uuid: scope } of made) {
        if (outcome === 'stored' || outcome === 'superseded') said_again += 1;
        if (outcome === 'quarantined') waits += 1;
        if (outcome === 'failed')
          failures.push({ code: reason, scope_block_uuid: scope ?? scope_block_uuid });
      }
    },
    all: (): Followed => ({ given_back, said_again, waits, failures }),
  };
}
