/** One-line hooks of lessons and rules, always loaded. Oldest first, because the oldest gives way first. */
import type { LayerDefinition } from '../state.ts';
import { anyOf, hitsOf, toCandidate } from './offer.ts';

const MAX_HOOKS = 200;
const DEFAULT_CLASSES = ['lesson', 'rule'];

export const index: LayerDefinition = {
  plan: (layer) => [
    {
      id: layer.name,
      table: 'memory_open_set',
      mode: 'list',
      limit: MAX_HOOKS,
      filter: {
        and: [...anyOf('class', layer.classes.length > 0 ? layer.classes : DEFAULT_CLASSES), ...anyOf('category', layer.categories)],
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
