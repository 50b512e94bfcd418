/**
 * One-line hooks of lessons and rules, always loaded. What gives way first stands first: outer
 * scopes before nearer ones, the oldest before the newer.
 */
import type { LayerDefinition } from '../state.ts';
import { allTags, anyOf, hitsOf, oneMore, toCandidate, withinLimit } from './offer.ts';

export const index: LayerDefinition = {
  plan: (layer) => [
    {
      id: layer.name,
      table: 'memory_open_set',
      mode: 'list',
      limit: oneMore(layer.limit),
      filter: {
        and: [
          ...anyOf('class', layer.classes),
          ...anyOf('category', layer.categories),
          ...allTags(layer.tags),
        ],
      },
      order: { by: 'valid_from', direction: 'desc' },
      nearest: {},
    },
  ],
  offer: (layer, answers) => {
    const { shown, dropped } = withinLimit(layer, hitsOf(layer, layer.name, answers), {
      limit: layer.limit,
      warn: answers.warn,
    });
    return { candidates: shown.map((hit) => toCandidate(layer, hit, answers)).reverse(), dropped };
  },
};
