/** Tags that the query names. */
import { defineSignal } from './definition.ts';

const MOST_TAGS = 64;

export const tagMatchesSignal = defineSignal({
  name: 'tag_matches',
  meaning: 'tags of the item that stand in the query or in the text of the task',
  range: [0, MOST_TAGS],
  isCounted: true,
  isExplained: false,
  of: ({ tagMatches }) => Math.min(MOST_TAGS, tagMatches),
});
