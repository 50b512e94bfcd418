/** Words about layers that the budget and a composition share. The kinds are in `src/layers/`. */

/**
 * How a layer gives way: `never` is an error when too long, `sentences` and `items` drop the least,
 * `oldest` drops the oldest first.
 */
export type Cut = 'never' | 'items' | 'sentences' | 'oldest';

/** How often the bytes of a layer differ between compositions of one scope. */
export type LayerChanges = 'never' | 'slowly' | 'always';
