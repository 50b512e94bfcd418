/**
 * Summaries by kind, each saying how far it covers; what they do not cover is the history's to
 * show.
 */
import type { Hit, ListPart } from '../cxri/contract.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { hitsOf, oneMore, toCandidate, withinLimit } from './answered-hits.ts';
import { defineLayer, type LayerAnswers } from './definition.ts';
import { anyOf } from './search-part.ts';

/**
 * One summary for each document; of the other kinds a scope has one, and the newest replaces it.
 */
const PER_DOC = 'per_doc';
const perDocId = (layer: LayerSettings): string => `${layer.name}:${PER_DOC}`;
type SummaryHit = Extract<Hit, { readonly table: 'subtree_summaries' }>;

export const summary = defineLayer({
  name: 'summary',
  summary: 'Summaries of what `recent` does not reach.',
  rank: 4,
  cut: 'items',
  changes: 'slowly',
  isFresh: true,
  keys: ['kinds', 'limit'],
  defaults: { limit: 10 },
  whyShown: 'a summary of the scope, or a turn between it and the recent ones',
  reads: {
    plan: (layer) => {
      const replaced = layer.kinds.filter((kind) => kind !== PER_DOC);
      const list = (id: string, kinds: readonly string[], once: readonly string[]): ListPart => ({
        id,
        table: 'subtree_summaries',
        mode: 'list',
        limit: oneMore(layer.limit),
        filter: { and: anyOf('kind', kinds) },
        order: { by: 'covers_to_seq', direction: 'desc' },
        nearest: once.length > 0 ? { once } : {},
      });
      return [
        ...(replaced.length > 0 ? [list(layer.name, replaced, ['kind'])] : []),
        ...(layer.kinds.includes(PER_DOC) ? [list(perDocId(layer), [PER_DOC], [])] : []),
      ];
    },
    offer: (layer, answers) => {
      const hits = [layer.name, perDocId(layer)].flatMap((id) =>
        hitsOf(layer, id, answers).flatMap((hit) =>
          hit.table === 'subtree_summaries' ? [hit] : [],
        ),
      );
      const { shown, dropped } = withinLimit(layer, hits.sort(nearestFirst(answers)), {
        limit: layer.limit,
        warn: answers.warn,
      });
      return {
        candidates: shown.map((hit) => toCandidate(layer, hit, answers)),
        dropped,
      };
    },
  },
});

/**
 * The nearest scope first; within it the one of each kind that stands for the whole scope, then
 * what covers most.
 */
const nearestFirst =
  ({ placeOf }: LayerAnswers) =>
  ({ row: a }: SummaryHit, { row: b }: SummaryHit): number =>
    placeOf(a.scope_uuid) - placeOf(b.scope_uuid) ||
    Number(a.kind === PER_DOC) - Number(b.kind === PER_DOC) ||
    b.covers_to_seq - a.covers_to_seq ||
    (a.uuid < b.uuid ? 1 : -1);

/** The rolling summary of the scope itself, as it was read. */
export function rollingSummary(
  layer: LayerSettings,
  { parts, scope }: LayerAnswers,
): SummaryHit | undefined {
  const part = parts.get(layer.name);
  const hits = part?.ok ? part.hits : [];
  return hits
    .flatMap((hit) => (hit.table === 'subtree_summaries' ? [hit] : []))
    .find(({ row }) => row.kind === 'rolling' && row.scope_uuid === scope);
}
