/** From an answered part to the candidates of a layer. */
import type { Hit, PartResult } from '../cxri/contract.ts';
import type { Dropped, DropReason } from '../model/candidate.ts';
import type { LayerSettings } from '../model/manifest.ts';
import type { LayerAnswers, LayerReads, OfferedCandidate } from './definition.ts';

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
  place: answers.placeOf(hit.row.scope_uuid),
  isTrusted: false,
  isSpare: false,
});

/** All hits of the one part that the layer asked for. */
export const offerHits: LayerReads['offer'] = (layer, answers) => ({
  candidates: hitsOf(layer, layer.name, answers).map((hit) => toCandidate(layer, hit, answers)),
});

/** Blanks around what was asked say nothing. */
export const saysQuery = (text: string, query: string): boolean =>
  query.trim() !== '' && text.trim() === query.trim();

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
      `Layer \`${layer.name}\` reads \`${limit}\` entries and the store holds more; the ` +
        'nearest scope comes first, the rest was left out.',
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
