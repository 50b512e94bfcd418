/** Core memory: one markdown file of the manifest, or the newest block of the type, always loaded, within a hard line budget. */
import type { LayerDefinition } from '../state.ts';
import { hitsOf, toCandidate, trustedText } from './offer.ts';

const DEFAULT_TYPES = ['core_memory'];

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
            filter: { field: 'block_type', in: layer.blockTypes.length > 0 ? layer.blockTypes : DEFAULT_TYPES },
            order: { by: 'valid_from', direction: 'desc' },
          },
        ],
  offer: (layer, answers) => {
    const stored = hitsOf(layer, layer.name, answers).map((hit) => {
      const candidate = toCandidate(layer, hit, answers);
      const whole = hit.table === 'blocks' ? hit.row.content : candidate.text;
      if (whole.length > candidate.text.length)
        answers.warn(
          'CORE.LINES_CUT',
          `Core memory \`${hit.row.root_uuid}\` is longer than ${layer.maxLines} lines; the rest was left out.`,
        );
      return candidate;
    });
    return { candidates: [...trustedText(layer, answers.plan.values), ...stored] };
  },
};
