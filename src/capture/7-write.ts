/**
 * Stage 7: what was planned is written, through the same door as every write. A person's words of
 * themselves go by the rights of the caller; all else is proposed by capture, which may only
 * propose. The plan was kept before: a write that is repeated finds its keys taken.
 */
import { ContextEngineError, isOperational } from '../codes/errors.ts';
import type { CandidateReceipt } from '../model/capture.ts';
import { type Instant, toEpochMs, toInstant, type Uuid } from '../model/ids.ts';
import { type Operation, type Receipt, rootOf, type WriteResult } from '../model/operation.ts';
import type { PermissionProfile } from '../model/permission.ts';
import { headOf, type Position } from '../model/validity.ts';
import type { CapturePlan, PlannedWrite } from './state.ts';
import { CaptureWaits, type Waiting } from './waits.ts';
import { unjudged } from './write/expected-versions.ts';
import type { Made } from './write/made.ts';
import type { ProposedBefore } from './write/proposed-before.ts';
import { asFirst, type TakenBack } from './write/take-back.ts';

export interface Writing {
  /** The write path of the engine. */
  readonly write: (call: {
    readonly operations: readonly Operation[];
    readonly profile: PermissionProfile;
    readonly now: Instant;
    readonly isApart?: boolean;
    readonly isOfCapture?: boolean;
    readonly signal?: AbortSignal;
  }) => Promise<WriteResult>;
  readonly caller: PermissionProfile;
  readonly callerName: string;
  /** The scopes that the caller was judged to hold. */
  readonly held: PermissionProfile['scopes'];
  /** Whether all that the caller states is written at once. */
  readonly isAutonomous: boolean;
  /** By idempotency key. */
  readonly proposed: ProposedBefore;
  /** Gets each outcome as it comes. */
  readonly made: Made;
  /** What is proposed in place of one that waits, once that is taken back. */
  readonly takeBack: (planned: PlannedWrite) => Promise<TakenBack | null>;
  readonly now: Instant;
  readonly signal?: AbortSignal;
}

export async function writePlan(plan: CapturePlan, given: Writing): Promise<Receipts> {
  const writing: Judged = { ...given, judgedAt: plan.judged_at ?? [] };
  // What another caller planned as their own word is not this one's.
  const isOwn = plan.planned_by === writing.callerName;
  const { isAutonomous } = writing;
  // That something was said again is not asked of a reviewer.
  const known = plan.writes.filter(({ again }) => again && !(isOwn && isAutonomous));
  const news = plan.writes.filter((each) => !known.includes(each));
  const direct = news.filter(({ isDirect }) => isDirect && isOwn);
  const proposed = news.filter(({ isDirect }) => !isDirect || !isOwn);
  const own = { ...writing, isApart: !isAutonomous };
  return new Map([
    ...known.map((each) => [each, writing.made.add(each, saidAlready(each))] as const),
    // What a person said of themselves is live, whatever else of the batch waits for room.
    ...(await writeGroup(direct, writing.caller, own)),
    ...(await proposeAll(proposed, writing)),
  ]);
}

/** The receipt of each write of a plan. */
export type Receipts = ReadonlyMap<PlannedWrite, CandidateReceipt>;

/** Of all candidates, in the order in which they were said. */
export function candidatesOf(plan: CapturePlan, written: Receipts): readonly CandidateReceipt[] {
  const order = new Map(plan.sources.map((uuid, index) => [uuid, index]));
  const orderOf = ({ source_uuid: uuid }: CandidateReceipt): number => order.get(uuid) ?? 0;
  return [
    ...plan.settled.map(
      ({ ...settled }): CandidateReceipt => ({
        ...settled,
        proposal_uuid: null,
        operation_id: null,
      }),
    ),
    ...plan.writes.flatMap((each) => written.get(each) ?? []),
  ].sort((a, b) => orderOf(a) - orderOf(b) || a.start - b.start);
}

/** What is of one root is one proposal; all else is each a proposal of its own. */
async function proposeAll(planned: readonly PlannedWrite[], writing: Judged): Promise<Written> {
  const proposer = proposerFor(writing);
  const written: (readonly [PlannedWrite, CandidateReceipt])[] = [];
  const said = new Map<PlannedWrite, PlannedWrite>();
  const ofRoot = new Map<Uuid | PlannedWrite, TakenBack[]>();
  for (const each of planned) {
    const before = writing.proposed.get(each.operation.idempotency_key ?? '');
    if (before !== undefined) {
      written.push([each, writing.made.add(each, quarantined(each, before))]);
      continue;
    }
    const taken = await writing.takeBack(each);
    if (taken === null) {
      written.push([each, writing.made.add(each, failed(each, 'WRITE.NOT_FOUND'))]);
      continue;
    }
    // A proposal is compared with what stands when it is made.
    const own = { ...taken, planned: unjudged(taken.planned) };
    said.set(own.planned, each);
    const root = rootOf(own.planned.operation) ?? each;
    ofRoot.set(root, [...(ofRoot.get(root) ?? []), own]);
  }
  const groups = [...ofRoot.values()];
  const isAlone = ([first, ...more]: readonly TakenBack[]): boolean =>
    more.length === 0 && first?.before.length === 0;
  const alone = groups.filter(isAlone).flatMap((group) => group.map((each) => each.planned));
  const answers = [...(await writeGroup(alone, proposer, { ...writing, isApart: true }))];
  for (const group of groups.filter((each) => !isAlone(each))) {
    const before = group.flatMap((each) => each.before);
    const own = group.map((each) => each.planned);
    answers.push(...(await writeGroup(own, proposer, { ...writing, before })));
  }
  return [
    ...written,
    ...answers.map(([each, receipt]) => [said.get(each) ?? each, receipt] as const),
  ];
}

/** The name that proposals of capture go by; it can be disabled like any principal. */
export const CAPTURE_PRINCIPAL = 'contextengine.capture';

/**
 * A person who may not write by themselves, and an agent for them, propose in their own name, so
 * that another one reviews it. For all others capture proposes in its own: who may review them may
 * have captured them, and an agent, which reviews nothing, cannot take back what a person said.
 */
export const proposerFor = ({
  caller,
  held,
  isAutonomous,
}: Pick<Writing, 'caller' | 'held' | 'isAutonomous'>): PermissionProfile => {
  const isAgentAlone = caller.kind === 'agent' && caller.on_behalf_of === undefined;
  if (!isAutonomous && !isAgentAlone) return caller;
  return { principal: CAPTURE_PRINCIPAL, tenant: caller.tenant, kind: 'agent', scopes: held };
};

type Judged = Writing & {
  /** What was known where the plan was made. */
  readonly judgedAt: Position;
};
type Grouped = Judged & {
  /** Each that waits is a proposal of its own. */
  readonly isApart?: boolean;
  /** Goes before them, and is receipted already. */
  readonly before?: readonly Operation[];
};
type Written = readonly (readonly [PlannedWrite, CandidateReceipt])[];

/** Together; where one of them is refused, each by itself, so that it fails alone. */
async function writeGroup(
  group: readonly PlannedWrite[],
  profile: PermissionProfile,
  writing: Grouped,
): Promise<Written> {
  if (group.length === 0) return [];
  const { write, now, made, isApart = false, before = [], signal } = writing;
  const operations = [...before, ...group.map(({ operation }) => operation)];
  try {
    const call = { operations, profile, now, isApart, isOfCapture: true };
    const result = await write({ ...call, ...(signal && { signal }) });
    return group.map((each, index) => {
      const receipt = receiptOf(each, result.receipts[before.length + index], writing);
      return [each, made.add(each, receipt)] as const;
    });
  } catch (error) {
    if (!(error instanceof ContextEngineError) || isOperational(error)) throw error;
    if (error.code === 'PERMISSION.TOO_MANY_PROPOSALS') throw new CaptureWaits(forReviews(now));
    const [only] = group;
    const apart = { ...writing, before: [] };
    if (group.length === 1 && only) {
      // What it takes the place of was forgotten after it was planned.
      const first = error.code === 'WRITE.NOT_FOUND' ? asFirst(only) : null;
      if (error.code === 'PERMISSION.DENIED') made.refuse(profile.principal);
      if (first === null) return [[only, made.add(only, failed(only, error.code))]];
      return (await writeGroup([first], profile, apart)).map(([, receipt]) => [only, receipt]);
    }
    const alone: (readonly [PlannedWrite, CandidateReceipt])[] = [];
    for (const each of group) alone.push(...(await writeGroup([each], profile, apart)));
    return alone;
  }
}

/** Somebody may settle one at any time; until then it is asked again now and then. */
const REVIEW_WAIT_MS = 15 * 60_000;
export const forReviews = (now: Instant): Waiting => ({
  code: 'CAPTURE.REVIEWS_WAIT',
  until: toInstant(toEpochMs(now) + REVIEW_WAIT_MS),
});

/** Why a write failed that another version came before. */
export const CONFLICT = 'conflict';

export const quarantined = (planned: PlannedWrite, proposal: Uuid): CandidateReceipt => ({
  ...baseOf(planned),
  outcome: 'quarantined',
  reason: planned.why,
  uuid: null,
  root_uuid: null,
  proposal_uuid: proposal,
  operation_id: null,
});

const baseOf = ({ source_uuid, start, end, class: memory, operation }: PlannedWrite) => ({
  source_uuid,
  start,
  end,
  class: memory,
  scope_uuid: operation.scope,
});

const saidAlready = (planned: PlannedWrite): CandidateReceipt => ({
  ...baseOf(planned),
  outcome: 'duplicate',
  reason: planned.why,
  uuid: planned.again?.uuid ?? null,
  root_uuid: planned.again?.root_uuid ?? null,
  proposal_uuid: null,
  operation_id: null,
});

export const failed = (planned: PlannedWrite, code: string): CandidateReceipt => ({
  ...baseOf(planned),
  outcome: 'failed',
  reason: code,
  uuid: null,
  root_uuid: null,
  proposal_uuid: null,
  operation_id: null,
});

function receiptOf(
  planned: PlannedWrite,
  receipt: Receipt | undefined,
  judged: Pick<Judged, 'judgedAt'>,
): CandidateReceipt {
  if (!receipt) return failed(planned, 'WRITE.REFUSED');
  return {
    ...baseOf(planned),
    ...outcomeOf(planned, receipt, judged),
    uuid: receipt.uuid,
    root_uuid: receipt.root_uuid,
    // What waits is named by its proposal.
    proposal_uuid: receipt.outcome === 'quarantined' ? receipt.operation_id : null,
    operation_id: isWritten(planned, receipt) ? receipt.operation_id : null,
  };
}

/** By this capture, also before it was gone on with. */
function isWritten({ operation }: PlannedWrite, { outcome, uuid }: Receipt): boolean {
  if (outcome !== 'duplicate') return outcome === 'stored' || outcome === 'superseded';
  return !('uuid' in operation) || uuid === operation.uuid;
}

/** A repeated key gets the ids of the first time: one that was in conflict then has none. */
const isConflict = ({ operation }: PlannedWrite, { outcome, uuid }: Receipt): boolean =>
  outcome === 'conflict' || (outcome === 'duplicate' && uuid === null && 'uuid' in operation);

const isSince = (judgedAt: Position, { scope, seq }: Receipt): boolean =>
  seq > (headOf(judgedAt, scope) ?? Number.POSITIVE_INFINITY);

function outcomeOf(
  planned: PlannedWrite,
  receipt: Receipt,
  { judgedAt }: Pick<Judged, 'judgedAt'>,
): Pick<CandidateReceipt, 'outcome' | 'reason'> {
  if (isConflict(planned, receipt)) return { outcome: 'failed', reason: CONFLICT };
  const { why, operation } = planned;
  const { outcome, reason, uuid } = receipt;
  // A key that is repeated names what was written under it; a slot, what holds it already.
  const isKnown = outcome === 'duplicate' && 'uuid' in operation && uuid !== operation.uuid;
  if (isKnown) return { outcome, reason: planned.again ? why : 'known' };
  const written = operation.operation === 'ADD' ? 'stored' : 'superseded';
  switch (outcome) {
    case 'stored':
      return { outcome: operation.operation === 'DELETE' ? 'superseded' : 'stored', reason: why };
    case 'duplicate':
      // Since it was judged, its plan was begun, or carried out by another worker.
      return { outcome: isSince(judgedAt, receipt) ? written : outcome, reason: why };
    case 'superseded':
    case 'quarantined':
      return { outcome, reason: why };
    case 'rejected':
    case 'conflict':
      return { outcome: 'failed', reason: reason ?? outcome };
  }
}
