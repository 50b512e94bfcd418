/** What the layer files share: from an answered part to candidates. */
import type { Hit, PartResult, QueryPart } from '../cxri/contract.ts';
import type { Table } from '../model/block.ts';
import type { Dropped, DropReason } from '../model/candidate.ts';
import type { LayerSettings } from '../model/manifest.ts';
import type { LayerAnswers, LayerReads, OfferedCandidate, PlanningView } from './definition.ts';

/** A part that failed offers nothing and says so. */
export function hitsOf(
  layer: LayerSettings,
  partId: string,
  answers: LayerAnswers,
): readonly Hit[] {
  const part: PartResult | undefined = answers.parts.get(partId);
  if (!part) return [];
  if (part.ok) return part.hits;
  answers.warn(
    'CONNECTOR.PART_FAILED',
    `Layer \`${layer.name}\` is incomplete: ${part.error.code}: ${part.error.message}`,
  );
  return [];
}

export const toCandidate = (
  layer: LayerSettings,
  hit: Hit,
  answers: LayerAnswers,
): OfferedCandidate => ({
  layer: layer.name,
  key: `${layer.name}/${hit.row.uuid}`,
  source: { table: hit.table, row: hit.row } as OfferedCandidate['source'],
  text: answers.textOf(layer, hit),
  hit: hit.signals,
  usage: hit.usage,
  depth: answers.depthOf(hit.row.scope_uuid),
  isTrusted: false,
  isSpare: false,
});

/** All hits of the one part that the layer asked for. */
export const offerHits: LayerReads['offer'] = (layer, answers) => ({
  candidates: hitsOf(layer, layer.name, answers).map((hit) => toCandidate(layer, hit, answers)),
});

/** One more than a layer reads, so that what its limit left out is known. */
export const oneMore = (limit: number): number => limit + 1;

/**
 * The first `limit` hits. A hit beyond them is dropped, and a warning says that the layer was cut.
 */
export function withinLimit<T extends Hit>(
  layer: LayerSettings,
  hits: readonly T[],
  { limit, warn }: { readonly limit: number; readonly warn: LayerAnswers['warn'] },
): { readonly shown: readonly T[]; readonly dropped: readonly Dropped[] } {
  const beyond = hits.slice(limit);
  if (beyond.length > 0)
    warn(
      'LAYER.LIMIT_CUT',
      `Layer \`${layer.name}\` reads \`${limit}\` entries and the store holds more; the nearest scope comes first, the rest was left out.`,
    );
  return {
    shown: hits.slice(0, limit),
    dropped: beyond.map((hit) => leftOut(layer, hit, 'limit')),
  };
}

/** A hit that a layer does not offer, and why. */
export const leftOut = (layer: LayerSettings, { row }: Hit, reason: DropReason): Dropped => ({
  layer: layer.name,
  uuid: row.uuid,
  root_uuid: row.root_uuid,
  score: null,
  reason,
});

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
