/**
 * Core memory: one markdown file of the manifest, or the newest block of the type in the nearest
 * scope that has one, always loaded, within a line budget.
 */
import { lineCount } from '../text/line-count.ts';
import { hitsOf, toCandidate } from './answered-hits.ts';
import { defineLayer } from './definition.ts';
import { rowText } from './row-text.ts';

/** What a block of core memory is. */
export const CORE_BLOCK_TYPE = 'core_memory';
const BLOCK_TYPES = [CORE_BLOCK_TYPE];

export const core = defineLayer({
  name: 'core',
  summary: 'Core memory: one markdown file or block, always loaded, never cut.',
  rank: 1,
  cut: 'never',
  changes: 'slowly',
  isPrefix: true,
  isAlwaysOn: true,
  isInstructing: true,
  blockTypes: BLOCK_TYPES,
  hidesFromSearch: true,
  keys: ['file', 'block_types', 'max_lines'],
  whyShown: 'core memory is always loaded',
  textOf: (item, layer) =>
    item.table === 'blocks' ? firstLines(item.row.content, layer.maxLines) : rowText(item),
  reads: {
    plan: (layer) =>
      layer.file
        ? []
        : [
            {
              id: layer.name,
              table: 'blocks',
              mode: 'list',
              limit: 1,
              filter: {
                field: 'block_type',
                in: layer.blockTypes.length > 0 ? layer.blockTypes : BLOCK_TYPES,
              },
              order: { by: 'valid_from', direction: 'desc' },
              nearest: {},
            },
          ],
    offer: (layer, answers) => {
      const stored = hitsOf(layer, layer.name, answers).map((hit) => {
        const candidate = toCandidate(layer, hit, answers);
        const lines = hit.table === 'blocks' ? lineCount(hit.row.content) : 0;
        if (lines > layer.maxLines)
          answers.warn(
            'CORE.LINES_CUT',
            `Core memory \`${hit.row.root_uuid}\` has \`${lines}\` lines; layer ` +
              `\`${layer.name}\` reads \`${layer.maxLines}\`, the rest is left out.`,
          );
        return candidate;
      });
      return { candidates: [...answers.manifestText(layer), ...stored] };
    },
  },
});

function firstLines(text: string, lines: number): string {
  let end = -1;
  for (let n = 0; n < lines; n++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) return text;
  }
  return text.slice(0, end);
}
