/**
 * Typed properties of a collection. The nearest scope shadows the same (subject, property) of an
 * outer one.
 */

import { hitsOf, leftOut, oneMore, toCandidate, withinLimit } from './answered-hits.ts';
import { defineLayer } from './definition.ts';
import { anyOf } from './search-part.ts';

const KEY = ['collection', 'subject', 'property'] as const;

export const schemaTyped = defineLayer({
  name: 'schema_typed',
  summary: 'Typed properties of a collection; the nearest scope shadows.',
  rank: 3,
  cut: 'items',
  changes: 'slowly',
  isGrouped: true,
  keys: ['collection', 'limit'],
  defaults: { limit: 50 },
  whyShown: 'the current value in the nearest scope',
  reads: {
    plan: (layer) => [
      {
        id: layer.name,
        table: 'memory_schema_typed',
        mode: 'list',
        limit: oneMore(layer.limit),
        ...(layer.collection !== null && {
          filter: { and: anyOf('collection', [layer.collection]) },
        }),
        order: { by: 'property', direction: 'asc' },
        // the limit counts what is shown, never what a nearer scope shadows
        nearest: { shadow: KEY },
      },
    ],
    offer: (layer, answers) => {
      const hits = hitsOf(layer, layer.name, answers).flatMap((hit) =>
        hit.table === 'memory_schema_typed' ? [hit] : [],
      );
      const nearest = new Map<string, number>();
      const isShadowed = ({ row }: (typeof hits)[number]): boolean => {
        const key = JSON.stringify(KEY.map((column) => row[column]));
        const place = answers.placeOf(row.scope_uuid);
        const holder = nearest.get(key) ?? place;
        nearest.set(key, holder);
        return holder !== place;
      };
      const shadowed = hits.filter(isShadowed);
      const { shown, dropped } = withinLimit(
        layer,
        hits.filter((hit) => !shadowed.includes(hit)),
        { limit: layer.limit, warn: answers.warn },
      );
      return {
        candidates: shown.map((hit) => toCandidate(layer, hit, answers)),
        dropped: [...dropped, ...shadowed.map((hit) => leftOut(layer, hit, 'shadowed'))],
      };
    },
  },
});
