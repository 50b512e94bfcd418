/** Atomic facts. */

import { offerHits } from './answered-hits.ts';
import { defineLayer } from './definition.ts';
import { factClasses } from './fact-classes.ts';
import { SEARCH_KEYS } from './keys.ts';
import { allTags, anyOf, searchPart } from './search-part.ts';

export const openSet = defineLayer({
  name: 'open_set',
  summary: 'Atomic facts, by meaning.',
  rank: 5,
  cut: 'items',
  isScored: true,
  needsSubject: true,
  holdsFacts: true,
  keys: [...SEARCH_KEYS, 'classes', 'categories', 'tags'],
  // The seed manifest's.
  defaults: { topK: 8 },
  reads: {
    plan: (layer, view) => {
      return searchPart(layer, 'memory_open_set', {
        ...view,
        filters: [
          ...factClasses(layer),
          ...anyOf('category', layer.categories),
          ...allTags(layer.tags),
        ],
      });
    },
    offer: offerHits,
  },
});
