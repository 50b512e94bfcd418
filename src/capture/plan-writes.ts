/**
 * Stages 4 to 6, candidate by candidate in the order in which they were said: each meets what is
 * stored and what the ones before it are going to store.
 */
import type { FactContent } from '../model/block.ts';
import { captureKey } from '../model/capture-key.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { InSlot, Operation } from '../model/operation.ts';
import { nearDuplicate } from './4-near-duplicate.ts';
import { type Judgement, judgeCandidate, notBefore } from './5-judge.ts';
import { checkContradiction } from './6-contradict.ts';
import { metadataOf } from './fact-marks.ts';
import type { KnownFacts } from './known-facts.ts';
import { isSameText } from './likeness.ts';
import { endedInPart } from './remainder.ts';
import { anchored } from './slots/anchored.ts';
import {
  type Candidate,
  type CapturePlan,
  declinedAs,
  type FactCandidate,
  type KnownFact,
  type PlacedCandidate,
  type PlannedWrite,
  type Settled,
} from './state.ts';
import { slotsByTurn, succession, told } from './succession/succeed.ts';
import type { Topics } from './succession/topics.ts';
import {
  besideWaiting,
  inPlaceOf,
  isOfSameSlot,
  type WaitingFacts,
  waitsBetween,
  withWaiting,
} from './waiting.ts';

export interface Planning {
  readonly known: KnownFacts;
  readonly waiting: WaitingFacts;
  /** Extractor and version. */
  readonly consumer: string;
  /** Of the model that extracted; null = rules. */
  readonly model: string | null;
  readonly nearDuplicate: number;
  /** By what succession is known without a slot; null = a model extracted. */
  readonly topics: Topics | null;
  /** An id that is the same whenever it is made of the same parts. */
  readonly idOf: (...parts: readonly string[]) => Uuid;
  readonly typeOf: (candidate: Extract<Candidate, { kind: 'typed' }>) => TypedShape;
}

export type TypedShape = Pick<
  Extract<Operation, { table: 'memory_schema_typed'; content: unknown }>['content'],
  'type' | 'cardinality'
>;

export function planWrites(
  placed: readonly PlacedCandidate[],
  planning: Planning,
): Pick<CapturePlan, 'writes' | 'settled'> {
  const writes: PlannedWrite[] = [];
  const settled: Settled[] = [];
  const slots = slotsByTurn(placed);
  for (const { candidate, target } of placed) {
    const taken = slots.get(candidate.source_uuid);
    const planned =
      candidate.kind === 'typed'
        ? typedWrite(candidate, target, planning)
        : factWrite(candidate, { target, writes, taken }, planning);
    if (!('operation' in planned)) {
      settled.push(planned);
      continue;
    }
    const at = candidate.isCorrection ? writes.findLastIndex(isMeantBy(planned)) : -1;
    const [meant] = at < 0 ? [] : writes.splice(at, 1);
    if (meant) settled.push(declinedAs(meant, 'corrected', meant.class));
    writes.push(
      meant ? insteadOf(meant, planned) : afterWaiting(planned, candidate, { writes, planning }),
    );
  }
  return { writes, settled };
}

const insteadOf = ({ operation, instead }: PlannedWrite, said: PlannedWrite): PlannedWrite => ({
  ...inPlaceOf(operation, said),
  ...(instead && { instead }),
});

/** What an earlier capture proposed of the same is proposed once more, with this. */
function afterWaiting(
  planned: PlannedWrite,
  said: Pick<Candidate, 'isCorrection'>,
  {
    writes,
    planning: { waiting },
  }: { readonly writes: readonly PlannedWrite[]; readonly planning: Planning },
): PlannedWrite {
  if (planned.isDirect) return planned;
  const taken = new Set(writes.map(({ instead }) => instead?.proposal));
  const left = waiting.own.filter(({ proposal }) => !taken.has(proposal));
  return besideWaiting(planned, said, left);
}

/** What waits for a review and is corrected before it has one. */
const isMeantBy =
  ({ operation: said, isDirect }: PlannedWrite) =>
  ({ operation: meant, isDirect: wasDirect }: PlannedWrite): boolean =>
    !(isDirect || wasDirect) && isOfSameSlot(said, meant);

const spanOf = ({ source_uuid, start, end, class: memory }: Candidate) => ({
  source_uuid,
  start,
  end,
  class: memory,
});

function known(
  candidate: Candidate,
  fact: Pick<KnownFact, 'uuid' | 'root_uuid'> | null,
  of: { readonly target: Uuid; readonly why: string },
): Settled {
  return {
    ...spanOf(candidate),
    outcome: 'duplicate',
    reason: of.why,
    scope_uuid: of.target,
    uuid: fact?.uuid ?? null,
    root_uuid: fact?.root_uuid ?? null,
  };
}

function factWrite(
  extracted: FactCandidate,
  {
    target,
    writes,
    taken,
  }: {
    readonly target: Uuid;
    readonly writes: readonly PlannedWrite[];
    readonly taken: ReadonlySet<string> | undefined;
  },
  planning: Planning,
): PlannedWrite | Settled {
  const { likely, known: stored } = planning.known.of(extracted, target);
  // A person's own word is not held up by what nobody has reviewed.
  const facts = extracted.isDirect
    ? stored
    : withWaiting(stored, writes, { target, own: planning.waiting.own });
  const read = anchored(extracted, facts);
  if (read === null) return declinedAs(extracted, 'no_claim');
  const judged = judgeCandidate(read, facts);
  const meant = notBefore(read, judged);
  const twin = nearDuplicate(meant, likely, planning.nearDuplicate);
  const first = meant === read ? judged : judgeCandidate(meant, facts);
  // A slot that was left and is taken again is news, whatever its words are like.
  if (twin && first.operation === 'ADD') return known(meant, twin, { target, why: 'known' });
  const succeeding =
    planning.topics === null
      ? first
      : succession(meant, first, { facts, taken, topics: planning.topics });
  const checked = checkContradiction(meant, succeeding, facts);
  const { isDoubtful } = checked;
  const again = saidAgain(checked.judgement, { candidate: meant, target, writes }, planning);
  const { candidate, judgement } = endedInPart(told(meant, again), again);
  if (judgement.operation === 'NOOP')
    return stored.includes(judgement.of)
      ? known(candidate, judgement.of, { target, why: judgement.why })
      : known(candidate, null, { target, why: WAITS });
  const isDirect = candidate.isDirect && !isDoubtful;
  const waits = planning.waiting.texts.get(target) ?? [];
  if (!isDirect && waits.some((text) => isSameText(text, candidate.content)))
    return known(candidate, null, { target, why: WAITS });
  const uuid = planning.idOf(target, candidate.source_uuid, String(candidate.ordinal));
  const operation = operationOf(candidate, { target, uuid, judgement, isDirect, planning });
  if (isDirect) remember({ candidate, extracted, target, uuid, judgement }, planning);
  return { ...spanOf(candidate), operation, isDirect, why: judgement.why };
}

/** A person's own word again is news to what waits: approved, that ends where the word was said. */
function saidAgain(
  judgement: Judgement,
  {
    candidate,
    target,
    writes,
  }: {
    readonly candidate: FactCandidate;
    readonly target: Uuid;
    readonly writes: readonly PlannedWrite[];
  },
  { waiting }: Planning,
): Judgement {
  const { slot, subject, isDirect, valid_from: at } = candidate;
  if (judgement.operation !== 'NOOP' || judgement.why !== 'said_already') return judgement;
  const { of } = judgement;
  if (!isDirect || slot === null || slot.isBeside) return judgement;
  const waits = [...waiting.slotted, ...writes.map(({ operation }) => operation)];
  if (!waitsBetween({ target, subject, slot }, [of.valid_from, at], waits)) return judgement;
  return { operation: 'UPDATE', of, cause: 'change', why: 'said_again' };
}

const WAITS = 'waits for a review already';

interface Made {
  readonly candidate: FactCandidate;
  /** As the vectors know it. */
  readonly extracted: FactCandidate;
  readonly target: Uuid;
  readonly uuid: Uuid;
  readonly judgement: Judgement;
}

function remember(
  { candidate, extracted, target, uuid, judgement }: Made,
  { known: facts, consumer, model }: Planning,
): void {
  const { content, subject, importance, valid_from, class: memory } = candidate;
  const root = judgement.operation === 'UPDATE' ? judgement.of.root_uuid : uuid;
  const fact: KnownFact = {
    uuid,
    root_uuid: root,
    scope_uuid: target,
    content,
    subject,
    importance,
    valid_from,
    class: memory,
    metadata: metadataOf(candidate, { consumer, judgement }),
    provenance: provenanceOf(candidate, { consumer, model }),
  };
  if (judgement.operation === 'ADD') facts.add(fact, extracted);
  else if ('of' in judgement)
    // A late statement is older than the one that holds now.
    facts.replace(
      judgement.of.uuid,
      judgement.operation === 'DELETE'
        ? null
        : candidate.valid_from < judgement.of.valid_from
          ? judgement.of
          : fact,
      extracted,
    );
}

function operationOf(
  candidate: FactCandidate,
  {
    target,
    uuid,
    judgement,
    isDirect,
    planning,
  }: Omit<Made, 'candidate' | 'extracted'> & {
    readonly isDirect: boolean;
    readonly planning: Planning;
  },
): Operation {
  const base = baseOf(candidate, target, planning);
  if (judgement.operation === 'DELETE')
    return {
      ...base,
      operation: 'DELETE',
      table: 'memory_open_set',
      root_uuid: judgement.of.root_uuid,
      cause: 'change',
      valid_from: candidate.valid_from,
      reason: judgement.why,
      ...expectedOf(judgement.of, isDirect),
    };
  const content: FactContent = {
    content: candidate.content,
    subject: candidate.subject,
    category: CATEGORY[candidate.class] ?? null,
    class: candidate.class,
    importance: candidate.importance,
    confidence: candidate.confidence,
    tags: candidate.tags,
    metadata: metadataOf(candidate, { consumer: planning.consumer, judgement }),
    provenance: provenanceOf(candidate, planning),
  };
  const version = {
    ...base,
    ...sourceOf(candidate),
    ...inSlotOf(candidate),
    table: 'memory_open_set' as const,
    uuid,
    content,
    valid_from: candidate.valid_from,
    ...untilOf(candidate.valid_until),
  };
  if (judgement.operation !== 'UPDATE') return { ...version, operation: 'ADD' };
  const { of, cause, why } = judgement;
  // A correction speaks of the interval that holds its instant: that of the version it corrects.
  const valid_from = cause === 'correction' ? of.valid_from : changedAt(candidate, of);
  return {
    ...version,
    operation: 'UPDATE',
    root_uuid: of.root_uuid,
    cause,
    valid_from,
    reason: why,
    ...expectedOf(of, isDirect),
  };
}

/** What waits is compared with what stands when it is proposed, by whoever reviews it. */
const expectedOf = ({ uuid }: KnownFact, isDirect: boolean) =>
  isDirect ? { expected_version: uuid } : {};

/** On the day that it names, if what it changes held by then. */
const changedAt = ({ since, valid_from }: FactCandidate, of: KnownFact): Instant =>
  since !== undefined && of.valid_from < since && since < valid_from ? since : valid_from;

/** Others may write of the slot before this is written or approved. */
const inSlotOf = ({ slot, isCorrection }: FactCandidate): InSlot =>
  slot === null || slot.isEnd ? {} : { in_slot: slot.isBeside && !isCorrection ? 'many' : 'one' };

const baseOf = (candidate: Candidate, target: Uuid, { consumer }: Planning) => ({
  scope: target,
  idempotency_key: captureKey({
    consumer,
    source: candidate.source_uuid,
    ordinal: candidate.ordinal,
  }),
});
const sourceOf = ({ source_uuid, antecedent }: Candidate) => ({
  sources: antecedent ? [source_uuid, antecedent.uuid] : [source_uuid],
});
const untilOf = (until: Instant | null): { readonly valid_until?: Instant } =>
  until === null ? {} : { valid_until: until };

/** What an `open_set` layer selects by. */
const CATEGORY: Readonly<Partial<Record<FactCandidate['class'], string>>> = {
  preference: 'preference',
  state: 'state',
  lookup: 'lookup',
};

const provenanceOf = (
  { source_uuid, turn, confidence }: Candidate,
  { consumer, model }: Pick<Planning, 'consumer' | 'model'>,
) => ({
  source_id: source_uuid,
  source_type: 'capture',
  extractor: model === null ? consumer : `${consumer}/${model}`,
  source_class:
    turn.role === 'assistant' || model !== null ? ('model' as const) : ('user' as const),
  confidence,
});

function typedWrite(
  candidate: Extract<Candidate, { kind: 'typed' }>,
  target: Uuid,
  planning: Planning,
): PlannedWrite {
  const { typed, subject, confidence } = candidate;
  const operation: Operation = {
    ...baseOf(candidate, target, planning),
    ...sourceOf(candidate),
    operation: 'ADD',
    table: 'memory_schema_typed',
    uuid: planning.idOf(target, candidate.source_uuid, String(candidate.ordinal)),
    content: {
      subject,
      collection: typed.collection,
      property: typed.property,
      ...planning.typeOf(candidate),
      value: typed.value,
      confidence,
      provenance: provenanceOf(candidate, planning),
    },
    valid_from: candidate.valid_from,
    ...untilOf(candidate.valid_until),
  };
  return { ...spanOf(candidate), operation, isDirect: candidate.isDirect, why: 'typed' };
}
