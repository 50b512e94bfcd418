/** Typed values among those of their key, and what was said before of values and facts. */
import { canonicalJson } from '../../src/cxri/payload.ts';
import { saidAgainBy } from '../../src/ledger/said-again.ts';
import type { TypedContent } from '../../src/model/block.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import type { AddOperation, UpdateOperation } from '../../src/model/operation.ts';
import { valued } from './placing.ts';
import { saidAgainOf } from './said-again.ts';
import type { Slot } from './store.ts';
import { type Effect, place, type Step } from './write-place.ts';

/** A value takes its place on the timeline of its key; what holds there already is no news. */
export function addTyped(
  step: Step<AddOperation>,
  content: TypedContent,
  believed: readonly Slot[],
): Effect {
  const { operation } = step;
  const slotOf = (uuid: Uuid): Slot | undefined =>
    believed.find((slot) => slot.entry.row.uuid === uuid);
  const answer = valued(
    believed.map((slot) => slot.entry.row),
    { ...spokenBy(operation), cause: 'change', othersAgain: othersAgain(step, content, believed) },
    {
      cardinality: content.cardinality,
      isSame: ({ uuid }) => isSameValue(slotOf(uuid), content),
    },
  );
  if (answer.said === null) return place(step, answer.root ?? operation.uuid, answer.placed);
  const root = slotOf(answer.said)?.entry.row.root_uuid ?? null;
  return { ...saidBefore(step, answer.said), root };
}

export function saidBefore(
  { tx, operation }: Step,
  uuid: Uuid,
): Pick<Effect, 'outcome' | 'uuid' | 'saidAgain'> {
  const row = tx.tenant.versions.get(uuid)?.entry.row;
  const saidAgain = row ? saidAgainBy(operation, row) : null;
  return { outcome: 'duplicate', uuid, ...(saidAgain && { saidAgain }) };
}

/** When values of the key that are not this one were said again. */
export const othersAgain = (
  { tx, scope }: Step,
  content: TypedContent,
  believed: readonly Slot[],
): readonly (readonly [Uuid, Instant])[] =>
  believed
    .filter((slot) => !isSameValue(slot, content))
    .flatMap(({ entry: { row } }) =>
      saidAgainOf(tx.tenant, scope, row.uuid).map((at) => [row.uuid, at] as const),
    );

export const spokenBy = ({
  uuid,
  valid_from: from,
  valid_until,
}: AddOperation | UpdateOperation) => ({
  uuid,
  from,
  until: valid_until ?? null,
});

const isSameValue = (slot: Slot | undefined, content: TypedContent): boolean =>
  slot?.entry.table === 'memory_schema_typed' &&
  slot.entry.row.type === content.type &&
  canonicalJson(slot.entry.row.value) === canonicalJson(content.value);
