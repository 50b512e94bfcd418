/** What a candidate that states nothing ends, of what is known and of what is planned before it. */
import { isSameJson } from '../../ledger/same-content.ts';
import { isOfCapture, SLOT } from '../../model/fact-slot.ts';
import type { Instant, Uuid } from '../../model/ids.ts';
import type { DeleteOperation } from '../../model/operation.ts';
import type { FactCandidate, KnownFact, PlannedWrite, TypedCandidate } from '../state.ts';
import { isOverBy, isRoleOnly } from '../typed/typed-life.ts';
import { baseOf, type Extracting, operationOf } from '../write/planned-operation.ts';
import type { KnownFacts } from './known-facts.ts';
import { isOfNamed, lifeEnded } from './life-ended.ts';
import type { LifeEnd } from './life-ends.ts';
import { leftOfSeveral } from './one-of-several.ts';
import { remainder } from './remainder.ts';
import { stateEnded } from './state-ends.ts';

interface Ending {
  readonly target: Uuid;
  /** Of this batch, in order. */
  readonly writes: readonly PlannedWrite[];
}

type Planning = Extracting & {
  readonly known: KnownFacts;
  readonly idOf: (...parts: readonly string[]) => Uuid;
};

const ENDED = 'ended';

/** null = nothing that is known has that value. */
export function typedEnd(
  candidate: TypedCandidate,
  ending: Ending,
  planning: Planning,
): PlannedWrite | null {
  const known = planning.known.typed(candidate, ending.target);
  const named = known.filter(({ value }) => isMeant(value, candidate));
  const rows =
    named.length > 0
      ? named
      : known.filter((row) => isOnlyWork(row, candidate, { ending, planning }));
  // Of two dogs, which one is not told.
  if (candidate.typed.life && rows.length > 1) return null;
  const held = rows.find(({ valid_from: from }) => endOf(candidate, from) !== null);
  const planned = plannedOf(candidate, ending);
  if (planned && !isMeant(planned.value, candidate)) return null;
  const root = held?.root_uuid ?? planned?.root;
  const at = endOf(candidate, planned?.valid_from ?? held?.valid_from ?? null);
  if (root === undefined || at === null) return null;
  const expected = held && !planned ? { expected_version: held.uuid } : {};
  const operation: DeleteOperation = {
    ...{ ...baseOf(candidate, ending.target, planning), operation: 'DELETE' },
    ...{ table: 'memory_schema_typed', root_uuid: root, cause: 'change' },
    ...{ valid_from: at, reason: ENDED },
    ...(candidate.isDirect && expected),
  };
  return writeOf(candidate, operation);
}

const isMeant = (held: unknown, { typed }: TypedCandidate): boolean =>
  typed.life ? isOverBy(typed.life, typed.property, held) : isSameValue(held, typed.value);

/** Where no employer is known, whose role it is goes without saying. */
function isOnlyWork(
  { value }: { readonly value: unknown },
  { typed: { life, property, isSole }, subject }: TypedCandidate,
  { ending, planning }: { readonly ending: Ending; readonly planning: Planning },
): boolean {
  if (!life || !isSole || !isRoleOnly(life, property, value)) return false;
  const isEmployer = (fact: KnownFact): boolean =>
    fact.subject === subject && fact.metadata[SLOT] === 'employer';
  return planning.known.standing(ending.target)?.some(isEmployer) === false;
}

/** When what has been so `from` then is over; null = it was not so yet. */
function endOf(
  { valid_from: at, turn, typed }: Pick<TypedCandidate, 'valid_from' | 'turn' | 'typed'>,
  from: Instant | null,
): Instant | null {
  if (from === null || from <= at) return at;
  return typed.life && from <= turn.occurred_at ? toldLately(at, turn.occurred_at) : null;
}

/** A chat writes `bern` of what it wrote as `Bern` before. */
const isSameValue = (held: unknown, denied: unknown): boolean =>
  typeof held === 'string' && typeof denied === 'string'
    ? held.toLowerCase() === denied.toLowerCase()
    : isSameJson(held, denied);

/** What a turn before it of the same batch says of the property. */
function plannedOf(
  { subject, typed }: TypedCandidate,
  { target, writes }: Ending,
): { readonly value: unknown; readonly root: Uuid; readonly valid_from: Instant | null } | null {
  const [last] = writes
    .flatMap(({ operation, isDirect }) =>
      isDirect &&
      operation.operation === 'ADD' &&
      operation.table === 'memory_schema_typed' &&
      operation.scope === target &&
      operation.content.subject === subject &&
      operation.content.collection === typed.collection &&
      operation.content.property === typed.property
        ? [
            {
              ...{ value: operation.content.value, root: operation.uuid },
              valid_from: operation.valid_from ?? null,
            },
          ]
        : [],
    )
    .slice(-1);
  return last ?? null;
}

/** null = no such state is known. */
export function stateEnd(
  candidate: FactCandidate,
  { target }: Pick<Ending, 'target'>,
  planning: Planning,
): PlannedWrite | null {
  const known = planning.known.of(candidate, target).known.filter(isOfCapture);
  const ended = endedBy(candidate, known);
  if (ended === null) return null;
  const { of, at } = ended;
  const left = leftOf(candidate, of);
  if (left !== null)
    return leftWrite({ ...candidate, ...left, valid_from: at }, { of, target }, planning);
  const operation: DeleteOperation = {
    ...{ ...baseOf(candidate, target, planning), operation: 'DELETE' },
    ...{ table: 'memory_open_set', root_uuid: of.root_uuid, cause: 'change' },
    ...{ valid_from: at, reason: ENDED },
    ...(candidate.isDirect && { expected_version: of.uuid }),
  };
  if (candidate.isDirect) planning.known.replace(of.uuid, null, candidate);
  return writeOf(candidate, operation);
}

/** What stays true of a fact of several things when one of them goes; null = nothing does. */
function leftOf(
  { ends }: FactCandidate,
  of: KnownFact,
): Pick<FactCandidate, 'content' | 'class' | 'importance'> | null {
  if (ends?.kind !== 'life') return null;
  const content = ends.of === 'several' ? leftOfSeveral(ends, of) : leftInUse(ends, of);
  if (content === null) return null;
  const memory = of.class === 'preference' ? 'preference' : 'fact';
  return { content, class: memory, importance: of.importance };
}
/** `Uses tmux`, of `uses vim and tmux`. */
const leftInUse = ({ of: kind, words }: LifeEnd, of: KnownFact): string | null =>
  kind === 'use'
    ? remainder({ content: '', slot: { name: '', value: words.join(' '), isEnd: true } }, of)
    : null;

function leftWrite(
  candidate: FactCandidate,
  { of, target }: { readonly of: KnownFact; readonly target: Uuid },
  planning: Planning,
): PlannedWrite {
  const { source_uuid, start, end, isDirect, content, valid_from } = candidate;
  const uuid = planning.idOf(target, source_uuid, String(candidate.ordinal));
  const judgement = { operation: 'UPDATE', of, cause: 'change', why: 'ended_in_part' } as const;
  const operation = operationOf(candidate, { target, uuid, judgement, isDirect, planning });
  if (isDirect) planning.known.replace(of.uuid, { ...of, uuid, content, valid_from }, candidate);
  return {
    ...{ source_uuid, start, end, class: candidate.class },
    operation,
    isDirect,
    why: judgement.why,
  };
}

function endedBy(
  { ends, subject, valid_from: at, turn }: FactCandidate,
  known: readonly KnownFact[],
): { readonly of: KnownFact; readonly at: Instant } | null {
  if (ends === undefined) return null;
  if (ends.kind !== 'life') {
    const of = stateEnded({ ends, subject, at }, known);
    return of && { of, at };
  }
  const { occurred_at: told } = turn;
  const own = known.filter(
    (fact) =>
      fact.subject === subject &&
      fact.valid_from <= told &&
      (fact.valid_until === null || fact.valid_until > told),
  );
  const [of] = lifeEnded(ends, own);
  if (of === undefined) return null;
  if (of.valid_from <= at) return { of, at };
  const lately = isOfNamed(ends) ? told : toldLately(at, told);
  return lately && { of, at: lately };
}
/** `I was fired in 2019` ends nothing of today; what was told today may have ended yesterday. */
const toldLately = (at: Instant, told: Instant): Instant | null =>
  Date.parse(told) - Date.parse(at) <= LATELY_MS ? told : null;
/** `Last week` begins up to thirteen days ago. */
const LATELY_MS = 14 * 86_400_000;

const writeOf = (
  { source_uuid, start, end, class: memory, isDirect }: FactCandidate | TypedCandidate,
  operation: DeleteOperation,
): PlannedWrite => ({
  ...{ source_uuid, start, end, class: memory },
  ...{ operation, isDirect, why: ENDED },
});
