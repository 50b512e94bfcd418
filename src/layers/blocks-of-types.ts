/**
 * Reads a text of the manifest and the blocks of some types. The blocks of the nearest scope stand
 * first, because these layers are cut from their end; within a scope the oldest does. Where there
 * are too many, the nearest scope's and the newest are kept.
 */
import type { Hit } from '../cxri/contract.ts';
import { hitsOf, oneMore, toCandidate, withinLimit } from './answered-hits.ts';
import type { LayerAnswers, LayerReads } from './definition.ts';

/** Enough for any project; more is a sign that the layer should be searched instead. */
const MAX_BLOCKS = 50;

export const blocksOfTypes = (defaultTypes: readonly string[]): LayerReads => ({
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
        ...answers.manifestText(layer),
        ...[...shown].sort(nearestFirst(answers)).map((hit) => toCandidate(layer, hit, answers)),
      ],
      dropped,
    };
  },
});

const nearestFirst =
  ({ placeOf }: LayerAnswers) =>
  ({ row: a }: Hit, { row: b }: Hit): number => {
    const place = placeOf(a.scope_uuid) - placeOf(b.scope_uuid);
    if (place !== 0) return place;
    if (a.valid_from !== b.valid_from) return a.valid_from < b.valid_from ? -1 : 1;
    return a.uuid < b.uuid ? -1 : 1;
  };
