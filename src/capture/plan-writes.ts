/**
 * Stages 4 to 6, candidate by candidate in the order in which they were said: each meets what is
 * stored and what the ones before it are going to store.
 */
import type { Uuid } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';
import { nearDuplicate } from './4-near-duplicate.ts';
import {
  correctedOf,
  type Judgement,
  judgeCandidate,
  notBefore,
  SLOT,
  slotInstead,
} from './5-judge.ts';
import { checkContradiction } from './6-contradict.ts';
import { breathing } from './breath.ts';
import type { KnownFacts } from './compare/known-facts.ts';
import { isOnlyTakenUp } from './compare/opposed.ts';
import { stateEnd, typedEnd } from './compare/plan-ends.ts';
import { endedInPart } from './compare/remainder.ts';
import { isSaidByNext } from './compare/said-by-next.ts';
import { replacing, usedBefore } from './compare/used-before.ts';
import { wordsOf } from './sentences/sentence.ts';
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
import { besideOthers, slotsByTurn, succession, told } from './succession/succeed.ts';
import type { Topics } from './succession/topics.ts';
import { withMeant } from './typed/typed-corrected.ts';
import { factId } from './write/fact-id.ts';
import { metadataOf } from './write/fact-marks.ts';
import {
  baseOf,
  type Extracting,
  operationOf,
  provenanceOf,
  sourceOf,
  untilOf,
} from './write/planned-operation.ts';
import {
  besideWaiting,
  correctsWaiting,
  inPlaceOf,
  isMeant,
  WAITS,
  type WaitingFacts,
  waitsAlready,
  waitsBetween,
  withWaiting,
} from './write/waiting.ts';

export interface Planning extends Extracting {
  readonly known: KnownFacts;
  readonly waiting: WaitingFacts;
  readonly nearDuplicate: number;
  /** By what succession is known without a slot; null = a model extracted. */
  readonly topics: Topics | null;
  /** Whether all that the caller states is written at once. */
  readonly isAutonomous: boolean;
  /** An id that is the same whenever it is made of the same parts. */
  readonly idOf: (...parts: readonly string[]) => Uuid;
  readonly typeOf: (candidate: Extract<Candidate, { kind: 'typed' }>) => TypedShape;
}

export type TypedShape = Pick<
  Extract<Operation, { table: 'memory_schema_typed'; content: unknown }>['content'],
  'type' | 'cardinality'
>;

export async function planWrites(
  placed: readonly PlacedCandidate[],
  planning: Planning,
): Promise<Pick<CapturePlan, 'writes' | 'settled'>> {
  const writes: PlannedWrite[] = [];
  const meant = withMeant(placed, planning.known);
  const settled: Settled[] = [...meant.settled];
  const slots = slotsByTurn(placed);
  const breath = breathing();
  for (const [at, { candidate, target }] of meant.placed.entries()) {
    await breath.take(candidate.end - candidate.start);
    if (isSaidByNext(candidate, meant.placed[at + 1], planning.known)) {
      settled.push(declinedAs(candidate, 'no_claim'));
      continue;
    }
    const taken = slots.get(candidate.source_uuid);
    const isEnding = candidate.kind === 'typed' ? candidate.typed.isEnd : candidate.ends;
    if (isEnding) {
      const end = endOf(candidate, { target, writes }, planning);
      if (end) {
        writes.push(end);
        // Of the same words one ended nothing, and this one does.
        if (candidate.isExtra) drop(settled, isVainEnd(candidate));
      } else if (!candidate.isExtra) settled.push(declinedAs(candidate, 'no_claim'));
      continue;
    }
    const planned =
      candidate.kind === 'typed'
        ? typedWrite(candidate, target, planning)
        : factWrite(candidate, { target, writes, taken }, planning);
    if (!('operation' in planned)) {
      settled.push(planned);
      continue;
    }
    const of = candidate.isCorrection ? writes.findLastIndex(isMeantBy(planned)) : -1;
    const [before] = of < 0 ? [] : writes.splice(of, 1);
    if (before) settled.push(declinedAs(before, 'corrected', before.class));
    writes.push(
      before ? insteadOf(before, planned) : afterWaiting(planned, candidate, { writes, planning }),
    );
  }
  return { writes, settled };
}

const isVainEnd =
  ({ source_uuid, start, end }: Candidate) =>
  (each: Settled): boolean =>
    each.source_uuid === source_uuid &&
    each.start === start &&
    each.end === end &&
    each.outcome === 'declined';
function drop<Item>(items: Item[], isDropped: (item: Item) => boolean): void {
  const at = items.findLastIndex(isDropped);
  if (at !== -1) items.splice(at, 1);
}

const endOf = (
  candidate: Candidate,
  ending: { readonly target: Uuid; readonly writes: readonly PlannedWrite[] },
  planning: Planning,
): PlannedWrite | null =>
  candidate.kind === 'typed'
    ? typedEnd(candidate, ending, planning)
    : stateEnd(candidate, ending, planning);

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
    !(isDirect || wasDirect) && isMeant(said, meant);

const idIn = (target: Uuid, candidate: Candidate, { idOf }: Pick<Planning, 'idOf'>): Uuid =>
  factId(candidate, idOf(target, candidate.source_uuid, String(candidate.ordinal)));

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
  const isHeld = correctsWaiting(extracted, writes, planning.waiting);
  const said = isHeld ? { ...extracted, isDirect: false } : extracted;
  // A person's own word is not held up by what nobody has reviewed.
  const facts = said.isDirect
    ? stored
    : withWaiting(stored, writes, { target, own: planning.waiting.own });
  const isReplacing = usedBefore(said, facts) !== null;
  if (isOfSeveral(said, facts)) return declinedAs(said, 'ambiguous');
  const found = anchored(isReplacing ? { ...said, isElseNone: false } : said, facts);
  const read = found && besideOthers(found, facts);
  if (read === null) return declinedAs(said, 'no_claim');
  const twin = nearDuplicate(read, likely, planning.nearDuplicate);
  const judge = (of: FactCandidate): Judgement =>
    replacing(of, judgeCandidate(of, facts, twin), facts);
  const judged = judge(read);
  const meant = notBefore(read, judged);
  const first = meant === read ? judged : judge(meant);
  const succeeding =
    planning.topics === null || isOnlyTakenUp(meant)
      ? first
      : succession(meant, first, { facts, taken, topics: planning.topics });
  const checked = checkContradiction(meant, succeeding, facts);
  const { isDoubtful } = checked;
  if (isOnlyTakenUp(meant) && checked.judgement.operation === 'ADD')
    return declinedAs(said, 'no_claim');
  const placed = saidAgain(checked.judgement, { candidate: meant, target, writes }, planning);
  const { candidate, judgement } = endedInPart(told(meant, placed), placed);
  if (judgement.operation === 'NOOP') {
    const { of, why } = judgement;
    if (!stored.some(({ uuid }) => uuid === of.uuid))
      return known(candidate, null, { target, why: WAITS });
    return !isDoubtful && isDatedAgain(candidate, judgement, planning)
      ? againWrite(candidate, { target, of }, planning)
      : known(candidate, of, { target, why });
  }
  const isDirect = candidate.isDirect && !isDoubtful;
  if (!isDirect && waitsAlready(candidate, { target, writes }, planning.waiting))
    return known(candidate, null, { target, why: WAITS });
  const uuid = idIn(target, candidate, planning);
  const operation = operationOf(candidate, { target, uuid, judgement, isDirect, planning });
  if (isDirect) remember({ candidate, extracted, target, uuid, judgement }, planning);
  return { ...spanOf(candidate), operation, isDirect, why: judgement.why };
}

/**
 * Whether the ledger is told from when on a person said again what holds, so that another value
 * that is captured late, of a time before that, ends there. A review is not asked for that.
 */
const isDatedAgain = (
  { slot, isDirect, valid_from: from, valid_until: until }: FactCandidate,
  { of, why }: Extract<Judgement, { operation: 'NOOP' }>,
  { isAutonomous }: Planning,
): boolean =>
  isAutonomous &&
  isDirect &&
  why === 'said_already' &&
  slot !== null &&
  !slot.isBeside &&
  of.valid_from < from &&
  of.valid_until === null &&
  until === null;

/** Of a slot of one value the ledger finds by itself that it holds already. */
function againWrite(
  candidate: FactCandidate,
  { target, of }: { readonly target: Uuid; readonly of: KnownFact },
  planning: Planning,
): PlannedWrite {
  const uuid = idIn(target, candidate, planning);
  const judgement = { operation: 'ADD', why: 'said_already' } as const;
  const operation = operationOf(candidate, { target, uuid, judgement, isDirect: true, planning });
  const again = { uuid: of.uuid, root_uuid: of.root_uuid };
  return { ...spanOf(candidate), operation, isDirect: true, why: judgement.why, again };
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
  const said = writes.flatMap(({ operation, again }) => (again ? [] : [operation]));
  const waits = [...waiting.slotted, ...said];
  if (!waitsBetween({ target, subject, slot }, [of.valid_from, at], waits)) return judgement;
  return { operation: 'UPDATE', of, cause: 'change', why: 'said_again' };
}

/** Whether more than the statement that is corrected holds the word that is replaced. */
function isOfSeveral(candidate: FactCandidate, facts: readonly KnownFact[]): boolean {
  const { corrects, subject, slot } = candidate;
  if (!corrects?.word) return false;
  const of = correctedOf(candidate, facts) ?? slotInstead(candidate, facts)?.of;
  const holds = ({ content }: KnownFact): boolean =>
    ` ${wordsOf(content).join(' ')} `.includes(` ${corrects.word} `);
  const isOf = (fact: KnownFact): boolean =>
    fact === of || (slot !== null && fact.metadata[SLOT] === slot.name);
  return facts.some((fact) => fact.subject === subject && !isOf(fact) && holds(fact));
}

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
    valid_until: candidate.valid_until,
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

function typedWrite(
  candidate: Extract<Candidate, { kind: 'typed' }>,
  target: Uuid,
  planning: Planning,
): PlannedWrite {
  const { typed, subject, confidence, turn } = candidate;
  // What it changes was told after the day that it names: it is not older than that.
  const told = turn.occurred_at;
  const isOlder = planning.known
    .typed(candidate, target)
    .some(({ valid_from: from }) => candidate.valid_from <= from && from < told);
  const operation: Operation = {
    ...baseOf(candidate, target, planning),
    ...sourceOf(candidate),
    operation: 'ADD',
    table: 'memory_schema_typed',
    uuid: idIn(target, candidate, planning),
    content: {
      subject,
      collection: typed.collection,
      property: typed.property,
      ...planning.typeOf(candidate),
      value: typed.value,
      confidence,
      provenance: provenanceOf(candidate, planning),
    },
    valid_from: isOlder && !candidate.isCorrection ? told : candidate.valid_from,
    ...untilOf(candidate.valid_until),
  };
  return { ...spanOf(candidate), operation, isDirect: candidate.isDirect, why: 'typed' };
}
