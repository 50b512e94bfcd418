/** Layers that are found by hybrid search and compete by score. */
import { LAYER_KINDS } from '../../model/layer.ts';
import type { LayerDefinition } from '../state.ts';
import { allTags, anyOf, hitsOf, searchPart, toCandidate } from './offer.ts';

/** Classes with a layer of their own. */
const OWN_LAYER_CLASSES = ['procedure', 'lesson', 'rule'];
/** Block types with a layer of their own. */
const OWN_LAYER_TYPES = (['core', 'project', 'task'] as const).flatMap(
  (kind) => LAYER_KINDS[kind].blockTypes,
);

const offer: LayerDefinition['offer'] = (layer, answers) => ({
  candidates: hitsOf(layer, layer.name, answers).map((hit) => toCandidate(layer, hit, answers)),
});

/** Atomic facts. */
export const openSet: LayerDefinition = {
  plan: (layer, view) => {
    const classes =
      layer.classes.length > 0
        ? anyOf('class', layer.classes)
        : [{ not: { field: 'class', in: OWN_LAYER_CLASSES } }];
    return searchPart(layer, 'memory_open_set', {
      ...view,
      filters: [...classes, ...anyOf('category', layer.categories), ...allTags(layer.tags)],
    });
  },
  offer,
};

/** Learned behaviours. */
export const procedures: LayerDefinition = {
  plan: (layer, view) =>
    searchPart(layer, 'memory_open_set', {
      ...view,
      filters: [
        ...anyOf('class', layer.classes.length > 0 ? layer.classes : ['procedure']),
        ...anyOf('category', layer.categories),
        ...allTags(layer.tags),
      ],
    }),
  offer,
};

/** Blocks of the closure. */
export const semantic: LayerDefinition = {
  plan: (layer, view) => {
    const types =
      layer.blockTypes.length > 0
        ? anyOf('block_type', layer.blockTypes)
        : [{ not: { field: 'block_type', in: OWN_LAYER_TYPES } }];
    return searchPart(layer, 'blocks', {
      ...view,
      filters: [{ field: 'is_scope', eq: false }, ...types, ...allTags(layer.tags)],
    });
  },
  offer: (layer, answers) => {
    const { candidates } = offer(layer, answers);
    const isQuery = (text: string): boolean =>
      answers.plan.query !== '' && text === answers.plan.query;
    return {
      candidates: candidates.filter((candidate) => !isQuery(candidate.text)),
      dropped: candidates
        .filter((candidate) => isQuery(candidate.text))
        .map((candidate) => ({
          layer: layer.name,
          uuid: candidate.source?.row.uuid ?? null,
          root_uuid: candidate.source?.row.root_uuid ?? null,
          score: null,
          reason: 'is_query' as const,
        })),
    };
  },
};
