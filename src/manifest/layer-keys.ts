/** Which keys a layer of each kind takes, and what they default to. The schema and the check both read these tables. */
import type { LayerKind } from '../model/layer.ts';

/** Keys that every layer takes. */
export const COMMON_LAYER_KEYS = [
  'kind',
  'enabled',
  'rank',
  'max_tokens',
  'source',
  'scoring',
] as const;

const RETRIEVAL_KEYS = ['top_k', 'overfetch', 'hype_enabled', 'veto_threshold'] as const;

export const LAYER_KEYS = {
  system: ['text', 'file'],
  core: ['file', 'block_types', 'max_lines'],
  project: ['text', 'file', 'block_types'],
  index: ['limit', 'classes', 'categories', 'tags'],
  pinned: ['limit'],
  task: ['text', 'file', 'block_types'],
  schema_typed: ['collection', 'limit'],
  procedures: [...RETRIEVAL_KEYS, 'classes', 'categories', 'tags'],
  open_set: [...RETRIEVAL_KEYS, 'classes', 'categories', 'tags'],
  semantic: [...RETRIEVAL_KEYS, 'neighbours', 'block_types', 'tags'],
  archival: [...RETRIEVAL_KEYS, 'classes', 'categories', 'tags'],
  documents: [...RETRIEVAL_KEYS, 'block_types', 'classes', 'tags'],
  neighbours: [...RETRIEVAL_KEYS],
  summary: ['kinds', 'limit'],
  recent: ['limit', 'block_types'],
} as const satisfies Record<LayerKind, readonly string[]>;

/** Turns, hooks, links or values read at most. `recent` 12: the seed manifest; the others: what a person could still read. */
export const DEFAULT_LIMITS: Readonly<Partial<Record<LayerKind, number>>> = {
  recent: 12,
  index: 50,
  pinned: 20,
  schema_typed: 50,
  summary: 10,
};
/** Items served at most; 8 and 5 are the seed manifest's. */
export const DEFAULT_TOP_K: Readonly<Partial<Record<LayerKind, number>>> = {
  open_set: 8,
  semantic: 5,
  procedures: 5,
};
/** What `index` and `procedures` select by where the manifest names no class; elsewhere any class. */
export const DEFAULT_CLASSES: Readonly<Partial<Record<LayerKind, readonly string[]>>> = {
  index: ['lesson', 'rule'],
  procedures: ['procedure'],
};
/** The hard budget of core memory. */
export const DEFAULT_MAX_LINES = 80;
/** Candidates fetched per item served (design: 3). */
export const DEFAULT_OVERFETCH = 3;
export const SUMMARY_KINDS = ['rolling', 'per_doc', 'lineage'] as const;

/** Kinds whose words the manifest itself brings. */
export const TEXT_KINDS: readonly LayerKind[] = ['system', 'project', 'task'];
/** Fire with every intent and are never cut. */
export const ALWAYS_ON_KINDS: readonly LayerKind[] = ['system', 'core'];
