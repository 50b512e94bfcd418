/** The kinds of layers that the engine knows, as data. A kind = one entry here, one file in `compose/layers/`. */

/** How a layer gives way: `never` is an error when too long, `sentences` and `items` drop the least, `oldest` drops the oldest first. */
export type Cut = 'never' | 'items' | 'sentences' | 'oldest';

/** How often the bytes of a layer differ between compositions of one scope. */
export type LayerChanges = 'never' | 'slowly' | 'always';

export interface LayerKindFacts {
  /** 1 = most important, cut last. */
  readonly rank: number;
  readonly cut: Cut;
  /** `never` is rendered first, so that a provider's prompt cache can keep it. */
  readonly changes: LayerChanges;
  /** Its items compete by score. */
  readonly isScored: boolean;
  /** On without being named in the manifest. */
  readonly isDefault: boolean;
  readonly isLanded: boolean;
  /** A model reads its items as instructions: to write one is to write derived memory. */
  readonly isInstructing: boolean;
  /** Block types that it reads where the manifest names none. */
  readonly blockTypes: readonly string[];
}

const kind = (
  rank: number,
  cut: Cut,
  options: Partial<Omit<LayerKindFacts, 'rank' | 'cut'>> = {},
): LayerKindFacts => ({
  rank,
  cut,
  changes: 'always',
  isScored: false,
  isDefault: false,
  isLanded: true,
  isInstructing: false,
  blockTypes: [],
  ...options,
});

/**
 * In render order: what never changes, what changes slowly, the history, which only grows, and what
 * each query finds. A provider's cache serves a prompt up to the first byte that differs.
 */
export const LAYER_KINDS = {
  system: kind(1, 'never', { changes: 'never', isDefault: true, isInstructing: true }),
  core: kind(1, 'never', {
    changes: 'never',
    isInstructing: true,
    blockTypes: ['core_memory'],
  }),
  project: kind(2, 'sentences', {
    changes: 'never',
    isInstructing: true,
    blockTypes: ['convention'],
  }),
  index: kind(2, 'oldest', { changes: 'never', isInstructing: true, blockTypes: ['rule'] }),
  pinned: kind(2, 'items', { changes: 'slowly', isDefault: true }),
  task: kind(3, 'sentences', {
    changes: 'slowly',
    isInstructing: true,
    blockTypes: ['task'],
  }),
  schema_typed: kind(3, 'items', { changes: 'slowly' }),
  summary: kind(4, 'items', { changes: 'slowly' }),
  recent: kind(4, 'oldest'),
  procedures: kind(4, 'items', { isScored: true }),
  open_set: kind(5, 'items', { isScored: true }),
  semantic: kind(5, 'items', { isScored: true }),
  archival: kind(5, 'items', { isScored: true, isLanded: false }),
  documents: kind(5, 'items', { isScored: true, isLanded: false }),
  neighbours: kind(5, 'items', { isScored: true, isLanded: false }),
} as const satisfies Record<string, LayerKindFacts>;

export type LayerKind = keyof typeof LAYER_KINDS;
export const LAYER_KIND_NAMES = Object.keys(LAYER_KINDS) as readonly LayerKind[];
export const LANDED_KINDS: readonly LayerKind[] = LAYER_KIND_NAMES.filter(
  (name) => LAYER_KINDS[name].isLanded,
);
