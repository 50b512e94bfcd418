/** Learned behaviours. */

import { offerHits } from './answered-hits.ts';
import { defineLayer } from './definition.ts';
import { SEARCH_KEYS } from './keys.ts';
import { allTags, anyOf, searchPart } from './search-part.ts';

const CLASSES = ['procedure'];

export const procedures = defineLayer({
  name: 'procedures',
  summary: 'Learned behaviours, by tags and meaning.',
  rank: 4,
  cut: 'items',
  isScored: true,
  holdsFacts: true,
  isInstructing: true,
  keys: [...SEARCH_KEYS, 'tag_boost', 'classes', 'categories', 'tags'],
  // Seed 000: 10 % for each tag that matches.
  defaults: { topK: 5, classes: CLASSES, tagBoost: 0.1 },
  reads: {
    plan: (layer, view) =>
      searchPart(layer, 'memory_open_set', {
        ...view,
        filters: [
          ...anyOf('class', layer.classes.length > 0 ? layer.classes : CLASSES),
          ...anyOf('category', layer.categories),
          ...allTags(layer.tags),
        ],
      }),
    offer: offerHits,
  },
});
