/** The typed values that hold where a candidate denies one, or tells of a change of before. */
import type { Hit, QueryPart } from '../../cxri/contract.ts';
import type { TypedRow } from '../../model/block.ts';
import type { Uuid } from '../../model/ids.ts';
import type { PlacedCandidate, TypedCandidate } from '../state.ts';

export type TypedKnown = (candidate: TypedCandidate, target: Uuid) => readonly TypedRow[];

const MOST_VALUES = 64;

/** Most candidates are placed by their key in the ledger, and nothing is read for them. */
export const asksForKnown = ({ typed, valid_from: from, turn }: TypedCandidate): boolean =>
  typed.isEnd === true || typed.was !== undefined || from < turn.occurred_at;

export async function readTypedKnown(
  placed: readonly PlacedCandidate[],
  ask: (parts: readonly QueryPart[]) => Promise<ReadonlyMap<string, readonly Hit[]>>,
): Promise<TypedKnown> {
  const asked = new Map<string, QueryPart>();
  for (const { candidate, target } of placed)
    if (candidate.kind === 'typed' && asksForKnown(candidate))
      asked.set(keyOf(candidate, target), partOf(candidate, target));
  const answered = await ask([...asked.values()]);
  return (candidate, target) =>
    (answered.get(keyOf(candidate, target)) ?? []).flatMap((hit) =>
      hit.table === 'memory_schema_typed' ? [hit.row] : [],
    );
}

const keyOf = (
  { subject, typed: { collection, property } }: TypedCandidate,
  target: Uuid,
): string => JSON.stringify([target, subject, collection, property]);

const partOf = (candidate: TypedCandidate, target: Uuid): QueryPart => ({
  id: keyOf(candidate, target),
  table: 'memory_schema_typed',
  mode: 'list',
  scopes: [target],
  limit: MOST_VALUES,
  filter: {
    and: [
      { field: 'subject', eq: candidate.subject },
      { field: 'collection', eq: candidate.typed.collection },
      { field: 'property', eq: candidate.typed.property },
    ],
  },
  order: { by: 'valid_from', direction: 'desc' },
});
