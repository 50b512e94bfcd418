/** Typed properties of a collection. The nearest scope shadows the same (subject, property) of an outer one. */
import type { LayerDefinition } from '../state.ts';
import { anyOf, hitsOf, toCandidate } from './offer.ts';

export const schemaTyped: LayerDefinition = {
  plan: (layer) => [
    {
      id: layer.name,
      table: 'memory_schema_typed',
      mode: 'list',
      limit: layer.limit,
      ...(layer.collection !== null && { filter: { and: anyOf('collection', [layer.collection]) } }),
      order: { by: 'property', direction: 'asc' },
    },
  ],
  offer: (layer, answers) => {
    const hits = hitsOf(layer, layer.name, answers).flatMap((hit) => (hit.table === 'memory_schema_typed' ? [hit] : []));
    const nearest = new Map<string, number>();
    const keyOf = (hit: (typeof hits)[number]): string => JSON.stringify([hit.row.collection, hit.row.subject, hit.row.property]);
    for (const hit of hits)
      nearest.set(keyOf(hit), Math.min(nearest.get(keyOf(hit)) ?? Number.POSITIVE_INFINITY, answers.depthOf(hit.row.scope_uuid)));
    const shown = hits.filter((hit) => answers.depthOf(hit.row.scope_uuid) === nearest.get(keyOf(hit)));
    const shadowed = hits.filter((hit) => !shown.includes(hit));
    return {
      candidates: shown.map((hit) => toCandidate(layer, hit, answers)),
      dropped: shadowed.map((hit) => ({
        layer: layer.name,
        uuid: hit.row.uuid,
        root_uuid: hit.row.root_uuid,
        score: null,
        reason: 'shadowed' as const,
      })),
    };
  },
};
