/** The kinds of layers that the engine knows, as data. A kind = one entry here, one file in `pipeline/layers/`. */

/** How a layer gives way: `never` is an error when too long, `sentences` and `items` drop the least, `oldest` drops the oldest first. */
export type Cut = 'never' | 'items' | 'sentences' | 'oldest';

export interface LayerKindFacts {
  /** 1 = most important, cut last. */
  readonly rank: number;
  readonly cut: Cut;
  /** Rendered first and stable between calls, so that a provider's prompt cache can keep it. */
  readonly isStatic: boolean;
  /** Its items compete by score. */
  readonly isScored: boolean;
  /** On without being named in the manifest. */
  readonly isDefault: boolean;
  readonly isLanded: boolean;
}

const kind = (rank: number, cut: Cut, options: Partial<Omit<LayerKindFacts, 'rank' | 'cut'>> = {}): LayerKindFacts => ({
  rank,
  cut,
  isStatic: false,
  isScored: false,
  isDefault: false,
  isLanded: true,
  ...options,
});

/** In render order: static first, then what changes, the freshest last. */
export const LAYER_KINDS = {
  system: kind(1, 'never', { isStatic: true, isDefault: true }),
  core: kind(1, 'never', { isStatic: true }),
  project: kind(2, 'sentences', { isStatic: true }),
  index: kind(2, 'oldest', { isStatic: true }),
  pinned: kind(2, 'items', { isDefault: true }),
  task: kind(3, 'sentences'),
  schema_typed: kind(3, 'items'),
  procedures: kind(4, 'items', { isScored: true }),
  open_set: kind(5, 'items', { isScored: true }),
  semantic: kind(5, 'items', { isScored: true }),
  archival: kind(5, 'items', { isScored: true, isLanded: false }),
  documents: kind(5, 'items', { isScored: true, isLanded: false }),
  neighbours: kind(5, 'items', { isScored: true, isLanded: false }),
  summary: kind(4, 'items'),
  recent: kind(4, 'oldest'),
} as const satisfies Record<string, LayerKindFacts>;

export type LayerKind = keyof typeof LAYER_KINDS;
export const LAYER_KIND_NAMES = Object.keys(LAYER_KINDS) as readonly LayerKind[];
export const LANDED_KINDS: readonly LayerKind[] = LAYER_KIND_NAMES.filter((name) => LAYER_KINDS[name].isLanded);
