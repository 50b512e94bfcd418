/**
 * Layers that are a text of the manifest and the blocks of some types, in order of time. Where there
 * are too many, the nearest scope's and the newest are kept.
 */
import type { Hit } from '../../cxri/contract.ts';
import { LAYER_KINDS } from '../../model/layer.ts';
import type { LayerDefinition } from '../state.ts';
import { hitsOf, oneMore, toCandidate, trustedText, withinLimit } from './offer.ts';

/** Enough for any project; more is a sign that the layer should be searched instead. */
const MAX_BLOCKS = 50;

const blocksOfTypes = (defaultTypes: readonly string[]): LayerDefinition => ({
  plan: (layer) => [
    {
      id: layer.name,
      table: 'blocks',
      mode: 'list',
      limit: oneMore(MAX_BLOCKS),
      filter: {
        field: 'block_type',
        in: layer.blockTypes.length > 0 ? layer.blockTypes : defaultTypes,
      },
      order: { by: 'valid_from', direction: 'desc' },
      nearest: {},
    },
  ],
  offer: (layer, answers) => {
    const { shown, dropped } = withinLimit(layer, hitsOf(layer, layer.name, answers), {
      limit: MAX_BLOCKS,
      warn: answers.warn,
    });
    return {
      candidates: [
        ...trustedText(layer, answers.plan.values),
        ...[...shown].sort(oldestFirst).map((hit) => toCandidate(layer, hit, answers)),
      ],
      dropped,
    };
  },
});

function oldestFirst({ row: a }: Hit, { row: b }: Hit): number {
  if (a.valid_from !== b.valid_from) return a.valid_from < b.valid_from ? -1 : 1;
  return a.uuid < b.uuid ? -1 : 1;
}

/** Conventions. */
export const project = blocksOfTypes(LAYER_KINDS.project.blockTypes);
/** Task, goals, constraints. */
export const task = blocksOfTypes(LAYER_KINDS.task.blockTypes);
