/**
 * The keys that a layer may have in a manifest. `manifest/schema-layer.ts` has the schema of each.
 */

/** Keys of every layer. */
export const COMMON_LAYER_KEYS = [
  'kind',
  'enabled',
  'rank',
  'max_tokens',
  'source',
  'scoring',
] as const;

/** Keys of some kinds: a definition names those that it takes. */
export const OWN_LAYER_KEYS = [
  'text',
  'file',
  'max_lines',
  'limit',
  'top_k',
  'overfetch',
  'category_share',
  'tag_boost',
  'neighbours',
  'kinds',
  'collection',
  'categories',
  'classes',
  'tags',
  'block_types',
  'hype_enabled',
  'veto_threshold',
] as const;

export type OwnLayerKey = (typeof OWN_LAYER_KEYS)[number];
export type LayerKey = (typeof COMMON_LAYER_KEYS)[number] | OwnLayerKey;

/** Keys of every kind that is searched. */
export const SEARCH_KEYS = [
  'top_k',
  'overfetch',
  'hype_enabled',
  'veto_threshold',
] as const satisfies readonly OwnLayerKey[];

/** The line budget of core memory. */
export const DEFAULT_MAX_LINES = 80;
/** Candidates fetched per item served (design: 3). */
export const DEFAULT_OVERFETCH = 3;
export const SUMMARY_KINDS = ['rolling', 'per_doc', 'lineage'] as const;
