/** What was used together with what was found. */
import { defineLayer } from './definition.ts';
import { SEARCH_KEYS } from './keys.ts';

export const neighbours = defineLayer({
  name: 'neighbours',
  summary: 'Facts that were used together, and cousins in the tree. Has not landed.',
  rank: 5,
  cut: 'items',
  isScored: true,
  keys: SEARCH_KEYS,
});
