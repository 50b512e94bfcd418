/**
 * One-line hooks of lessons and rules, always loaded. What gives way first stands first: outer
 * scopes before nearer ones, the oldest before the newer.
 */

import { hitsOf, oneMore, toCandidate, withinLimit } from './answered-hits.ts';
import { defineLayer } from './definition.ts';
import { rowText } from './row-text.ts';
import { allTags, anyOf } from './search-part.ts';

/** Index hooks are one line each; the body is read on demand. */
const HOOK_CHARS = 160;

export const index = defineLayer({
  name: 'index',
  summary: 'One-line hooks of lessons and rules, always loaded.',
  rank: 2,
  cut: 'oldest',
  changes: 'slowly',
  isPrefix: true,
  isInstructing: true,
  // A block of this type is a rule: to write one is to write derived memory.
  blockTypes: ['rule'],
  holdsFacts: true,
  keys: ['limit', 'classes', 'categories', 'tags'],
  defaults: { limit: 50, classes: ['lesson', 'rule'] },
  whyShown: 'hooks of lessons and rules are always loaded',
  textOf: (item) => (item.table === 'memory_open_set' ? hook(item.row.content) : rowText(item)),
  reads: {
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
      return {
        candidates: shown.map((hit) => toCandidate(layer, hit, answers)).reverse(),
        dropped,
      };
    },
  },
});

function hook(text: string): string {
  const line = text.split(/\r?\n/, 1)[0]?.trim() ?? '';
  return line.length <= HOOK_CHARS
    ? line
    : `${line
        .slice(0, HOOK_CHARS - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}
