/** One-line hooks of lessons and rules, always loaded. Oldest first, because the oldest gives way first. */
import type { LayerDefinition } from '../state.ts';
import { allTags, anyOf, hitsOf, toCandidate } from './offer.ts';

export const index: LayerDefinition = {
  plan: (layer) => [
    {
      id: layer.name,
      table: 'memory_open_set',
      mode: 'list',
      limit: layer.limit,
      filter: {
        and: [...anyOf('class', layer.classes), ...anyOf('category', layer.categories), ...allTags(layer.tags)],
      },
      order: { by: 'valid_from', direction: 'desc' },
    },
  ],
  offer: (layer, answers) => ({
    candidates: hitsOf(layer, layer.name, answers)
      .map((hit) => toCandidate(layer, hit, answers))
      .reverse(),
  }),
};
