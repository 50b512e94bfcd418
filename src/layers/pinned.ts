/** What `pinned` links name, in their order. Never vetoed, never scored. */
import type { Table } from '../model/block.ts';
import { hitsOf, oneMore, toCandidate, withinLimit } from './answered-hits.ts';
import { defineLayer } from './definition.ts';

/** What can be pinned: raw blocks, facts and typed values. */
const TABLES: readonly Table[] = ['blocks', 'memory_open_set', 'memory_schema_typed'];

export const pinned = defineLayer({
  name: 'pinned',
  summary: 'What pinned links name. On by itself.',
  rank: 2,
  cut: 'items',
  changes: 'slowly',
  isDefault: true,
  keys: ['limit'],
  defaults: { limit: 20 },
  whyShown: 'pinned to a scope of the closure',
  reads: {
    plan: (layer) =>
      TABLES.map((table) => ({
        id: `${layer.name}:${table}`,
        table,
        mode: 'linked',
        link_type: 'pinned',
        limit: oneMore(layer.limit),
      })),
    offer: (layer, answers) => {
      const read = TABLES.map((table) =>
        withinLimit(layer, hitsOf(layer, `${layer.name}:${table}`, answers), {
          limit: layer.limit,
          warn: answers.warn,
        }),
      );
      return {
        candidates: read.flatMap(({ shown }) =>
          shown.map((hit) => toCandidate(layer, hit, answers)),
        ),
        dropped: read.flatMap(({ dropped }) => dropped),
      };
    },
  },
});
