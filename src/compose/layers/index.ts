/** The layer kinds that have landed. A new kind is one new file and one line here (and its entry in `model/layer.ts`). */
import type { LayerKind } from '../../model/layer.ts';
import type { LayerDefinition } from '../state.ts';
import { core } from './core.ts';
import { index } from './index-hooks.ts';
import { pinned } from './pinned.ts';
import { recent } from './recent.ts';
import { schemaTyped } from './schema-typed.ts';
import { openSet, procedures, semantic } from './searched.ts';
import { summary } from './summary.ts';
import { system } from './system.ts';
import { project, task } from './typed-blocks.ts';

export const LAYERS: Readonly<Partial<Record<LayerKind, LayerDefinition>>> = {
  system,
  core,
  project,
  index,
  pinned,
  task,
  schema_typed: schemaTyped,
  procedures,
  open_set: openSet,
  semantic,
  summary,
  recent,
};
