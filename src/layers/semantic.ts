/** Blocks of the closure, by hybrid search. */

import { offerHits, saysQuery } from './answered-hits.ts';
import { defineLayer } from './definition.ts';
import { SEARCH_KEYS } from './keys.ts';
import { allTags, anyOf, searchPart } from './search-part.ts';

export const semantic = defineLayer({
  name: 'semantic',
  summary: 'Blocks of the scope and those it inherits, by hybrid search.',
  rank: 5,
  cut: 'items',
  isScored: true,
  needsSubject: true,
  searchesAllBlocks: true,
  keys: [...SEARCH_KEYS, 'neighbours', 'block_types', 'tags'],
  // The seed manifest's.
  defaults: { topK: 5 },
  reads: {
    plan: (layer, view) => {
      const types =
        layer.blockTypes.length > 0
          ? anyOf('block_type', layer.blockTypes)
          : [{ not: { field: 'block_type', in: view.hiddenTypes } }];
      return searchPart(layer, 'blocks', {
        ...view,
        filters: [{ field: 'is_scope', eq: false }, ...types, ...allTags(layer.tags)],
      });
    },
    offer: (layer, answers) => {
      const { candidates } = offerHits(layer, answers);
      const isQuery = (text: string): boolean => saysQuery(text, answers.query);
      return {
        candidates: candidates.filter((candidate) => !isQuery(candidate.text)),
        dropped: candidates
          .filter((candidate) => isQuery(candidate.text))
          .map((candidate) => ({
            layer: layer.name,
            uuid: candidate.source?.row.uuid ?? null,
            root_uuid: candidate.source?.row.root_uuid ?? null,
            score: null,
            reason: 'is_query' as const,
          })),
      };
    },
  },
});
