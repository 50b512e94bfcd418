/** The layer kinds. A new one is one file and one line here. */
import { assertThat } from '../codes/errors.ts';
import { TURN_TYPE } from '../model/turn.ts';
import { archival } from './archival.ts';
import { core } from './core.ts';
import type { LayerDefinition, LayerReads } from './definition.ts';
import { documents } from './documents.ts';
import { index } from './index-hooks.ts';
import { neighbours } from './neighbours.ts';
import { openSet } from './open-set.ts';
import { pinned } from './pinned.ts';
import { procedures } from './procedures.ts';
import { project } from './project.ts';
import { recent } from './recent.ts';
import { schemaTyped } from './schema-typed.ts';
import { semantic } from './semantic.ts';
import { summary } from './summary.ts';
import { system } from './system.ts';
import { task } from './task.ts';

/**
 * In render order: what never changes, what changes slowly, the history, which only grows, and what
 * each query finds. A provider's cache serves a prompt up to the first byte that differs.
 */
export const LAYERS = [
  system,
  core,
  project,
  index,
  pinned,
  task,
  schemaTyped,
  summary,
  recent,
  procedures,
  openSet,
  semantic,
  archival,
  documents,
  neighbours,
] as const;

export type LayerKind = (typeof LAYERS)[number]['name'];
const DEFINITIONS: readonly LayerDefinition<LayerKind>[] = LAYERS;
const BY_NAME: ReadonlyMap<string, LayerDefinition> = new Map(
  DEFINITIONS.map((definition) => [definition.name, definition]),
);

export const LAYER_KIND_NAMES: readonly LayerKind[] = DEFINITIONS.map(({ name }) => name);
export const LANDED_KINDS: readonly LayerKind[] = DEFINITIONS.flatMap(({ name, reads }) =>
  reads === null ? [] : [name],
);
export const isLayerKind = (name: string): name is LayerKind => BY_NAME.has(name);

/** The definition of a kind that the check of a manifest has let pass. */
export function layerKind(name: string): LayerDefinition {
  const definition = BY_NAME.get(name);
  assertThat(definition, `there is no layer kind ${name}`);
  return definition;
}

export function readsOf(kind: string): LayerReads {
  const { reads } = layerKind(kind);
  assertThat(reads, `validation lets only landed layer kinds pass, not ${kind}`);
  return reads;
}

/** Block types that the engine itself writes or reads; an application may have others. */
export const KNOWN_BLOCK_TYPES: readonly string[] = [
  ...new Set([TURN_TYPE, ...DEFINITIONS.flatMap(({ blockTypes }) => blockTypes)]),
];

/** Block types that a search of all blocks leaves out: a layer of their own reads them. */
export const HIDDEN_BLOCK_TYPES: readonly string[] = DEFINITIONS.flatMap(
  ({ hidesFromSearch, blockTypes }) => (hidesFromSearch ? blockTypes : []),
);
