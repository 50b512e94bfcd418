/** Long-term memories. */
import { defineLayer } from './definition.ts';
import { SEARCH_KEYS } from './keys.ts';

export const archival = defineLayer({
  name: 'archival',
  summary: 'Long-term memories. Has not landed.',
  rank: 5,
  cut: 'items',
  isScored: true,
  holdsFacts: true,
  keys: [...SEARCH_KEYS, 'classes', 'categories', 'tags'],
});
