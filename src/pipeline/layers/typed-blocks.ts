/** Layers that are a text of the manifest and the blocks of some types, in order of time. */
import type { LayerDefinition } from '../state.ts';
import { hitsOf, toCandidate, trustedText } from './offer.ts';

/** Enough for any project; more is a sign that the layer should be searched instead. */
const MAX_BLOCKS = 50;

const blocksOfTypes = (defaultTypes: readonly string[]): LayerDefinition => ({
  plan: (layer) => [
    {
      id: layer.name,
      table: 'blocks',
      mode: 'list',
      limit: MAX_BLOCKS,
      filter: { field: 'block_type', in: layer.blockTypes.length > 0 ? layer.blockTypes : defaultTypes },
      order: { by: 'valid_from', direction: 'asc' },
    },
  ],
  offer: (layer, answers) => ({
    candidates: [
      ...trustedText(layer, answers.plan.values),
      ...hitsOf(layer, layer.name, answers).map((hit) => toCandidate(layer, hit, answers)),
    ],
  }),
});

/** Conventions. */
export const project = blocksOfTypes(['convention']);
/** Task, goals, constraints. */
export const task = blocksOfTypes(['task']);
