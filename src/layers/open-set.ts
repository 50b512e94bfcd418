/** Atomic facts. */

import { offerHits } from './answered-hits.ts';
import { defineLayer } from './definition.ts';
import { SEARCH_KEYS } from './keys.ts';
import { allTags, anyOf, searchPart } from './search-part.ts';

/** Classes with a layer of their own. */
export const OWN_LAYER_CLASSES = ['procedure', 'lesson', 'rule'];

export const openSet = defineLayer({
  name: 'open_set',
  summary: 'Atomic facts, by meaning.',
  rank: 5,
  cut: 'items',
  isScored: true,
  holdsFacts: true,
  keys: [...SEARCH_KEYS, 'classes', 'categories', 'tags'],
  // The seed manifest's.
  defaults: { topK: 8 },
  reads: {
    plan: (layer, view) => {
      const classes =
        layer.classes.length > 0
          ? anyOf('class', layer.classes)
          : [{ not: { field: 'class', in: OWN_LAYER_CLASSES } }];
      return searchPart(layer, 'memory_open_set', {
        ...view,
        filters: [...classes, ...anyOf('category', layer.categories), ...allTags(layer.tags)],
      });
    },
    offer: offerHits,
  },
});
