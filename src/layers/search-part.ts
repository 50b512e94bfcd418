/** The part that a layer of searched rows asks of the store, and the filters of such a part. */
import type { QueryPart } from '../cxri/contract.ts';
import type { Table } from '../model/block.ts';
import type { LayerSettings } from '../model/manifest.ts';
import type { PlanningView } from './definition.ts';

/**
 * What a formula over windows chooses from: fewer hits than this lose evidence whatever the formula
 * (measured: 50 of each leg lose nothing).
 */
const LEAST_POOL = 50;
/** Turns on either side of a hit that are candidates as well: worth 7 points of recall@10. */
const NEIGHBOURS = 2;

/** Hybrid search over one table: text and vector legs, each optional. No query, no search. */
export function searchPart(
  layer: LayerSettings,
  table: Table,
  view: PlanningView & { readonly filters: readonly NonNullable<QueryPart['filter']>[] },
): readonly QueryPart[] {
  const text = view.query.trim();
  if (text === '') return [];
  const isConversation = table === 'blocks' && view.needsConversation(layer);
  const neighbours = layer.neighbours ?? (isConversation ? NEIGHBOURS : 0);
  const filter = view.filters.length > 0 ? { filter: { and: view.filters } } : {};
  return [
    {
      id: layer.name,
      table,
      mode: 'search',
      limit: Math.min(
        1000,
        Math.max(1, isConversation ? LEAST_POOL : 1, Math.ceil(layer.topK * layer.overfetch)),
      ),
      text,
      ...(view.vector && { vector: view.vector }),
      ...(table === 'blocks' && neighbours > 0 && { neighbours }),
      ...filter,
    },
  ];
}

export const anyOf = (
  field: string,
  values: readonly string[],
): NonNullable<QueryPart['filter']>[] => (values.length > 0 ? [{ field, in: values }] : []);

/** Has every one of them; none asked, none needed. */
export const allTags = (tags: readonly string[]): NonNullable<QueryPart['filter']>[] =>
  tags.length > 0 ? [{ field: 'tags', contains: tags }] : [];
