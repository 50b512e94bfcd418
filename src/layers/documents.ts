/** Documents and lessons, by class and meaning. */
import { defineLayer } from './definition.ts';
import { SEARCH_KEYS } from './keys.ts';

export const documents = defineLayer({
  name: 'documents',
  summary: 'Class-aware index of documents and lessons. Has not landed.',
  rank: 5,
  cut: 'items',
  isScored: true,
  keys: [...SEARCH_KEYS, 'block_types', 'classes', 'tags'],
});
