/** What a candidate that states nothing ends, of what is known and of what is planned before it. */
import { isSameJson } from '../../ledger/same-content.ts';
import { isOfCapture } from '../../model/fact-slot.ts';
import type { Uuid } from '../../model/ids.ts';
import type { DeleteOperation } from '../../model/operation.ts';
import type { FactCandidate, PlannedWrite, TypedCandidate } from '../state.ts';
import { baseOf, type Extracting } from '../write/planned-operation.ts';
import type { KnownFacts } from './known-facts.ts';
import { stateEnded } from './state-ends.ts';

interface Ending {
  readonly target: Uuid;
  /** Of this batch, in order. */
  readonly writes: readonly PlannedWrite[];
}

type Planning = Extracting & { readonly known: KnownFacts };

const ENDED = 'ended';

/** null = nothing that is known has that value. */
export function typedEnd(
  candidate: TypedCandidate,
  ending: Ending,
  planning: Planning,
): PlannedWrite | null {
  const { typed } = candidate;
  const held = planning.known
    .typed(candidate, ending.target)
    .find(
      ({ value, valid_from: from }) =>
        isSameValue(value, typed.value) && from <= candidate.valid_from,
    );
  const planned = plannedOf(candidate, ending);
  if (planned && !isSameValue(planned.value, typed.value)) return null;
  const root = held?.root_uuid ?? planned?.root;
  if (root === undefined) return null;
  const expected = held && !planned ? { expected_version: held.uuid } : {};
  const operation: DeleteOperation = {
    ...{ ...baseOf(candidate, ending.target, planning), operation: 'DELETE' },
    ...{ table: 'memory_schema_typed', root_uuid: root, cause: 'change' },
    ...{ valid_from: candidate.valid_from, reason: ENDED },
    ...(candidate.isDirect && expected),
  };
  return writeOf(candidate, operation);
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
): { readonly value: unknown; readonly root: Uuid } | null {
  const [last] = writes
    .flatMap(({ operation, isDirect }) =>
      isDirect &&
      operation.operation === 'ADD' &&
      operation.table === 'memory_schema_typed' &&
      operation.scope === target &&
      operation.content.subject === subject &&
      operation.content.collection === typed.collection &&
      operation.content.property === typed.property
        ? [{ value: operation.content.value, root: operation.uuid }]
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
  const { ends, subject, valid_from: at } = candidate;
  if (ends === undefined) return null;
  const known = planning.known.of(candidate, target).known.filter(isOfCapture);
  const of = stateEnded({ ends, subject, at }, known);
  if (of === null) return null;
  const operation: DeleteOperation = {
    ...{ ...baseOf(candidate, target, planning), operation: 'DELETE' },
    ...{ table: 'memory_open_set', root_uuid: of.root_uuid, cause: 'change' },
    ...{ valid_from: at, reason: ENDED },
    ...(candidate.isDirect && { expected_version: of.uuid }),
  };
  if (candidate.isDirect) planning.known.replace(of.uuid, null, candidate);
  return writeOf(candidate, operation);
}

const writeOf = (
  { source_uuid, start, end, class: memory, isDirect }: FactCandidate | TypedCandidate,
  operation: DeleteOperation,
): PlannedWrite => ({
  ...{ source_uuid, start, end, class: memory },
  ...{ operation, isDirect, why: ENDED },
});
