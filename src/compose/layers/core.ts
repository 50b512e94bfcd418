/**
 * Core memory: one markdown file of the manifest, or the newest block of the type in the nearest scope
 * that has one, always loaded, within a hard line budget.
 */
import { LAYER_KINDS } from '../../model/layer.ts';
import { lineCount } from '../../text/line-count.ts';
import type { LayerDefinition } from '../state.ts';
import { hitsOf, toCandidate, trustedText } from './offer.ts';

const DEFAULT_TYPES = LAYER_KINDS.core.blockTypes;

export const core: LayerDefinition = {
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
              in: layer.blockTypes.length > 0 ? layer.blockTypes : DEFAULT_TYPES,
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
          `Core memory \`${hit.row.root_uuid}\` has \`${lines}\` lines; layer \`${layer.name}\` reads \`${layer.maxLines}\`, the rest is left out.`,
        );
      return candidate;
    });
    return { candidates: [...trustedText(layer, answers.plan.values), ...stored] };
  },
};
