/** Whether a layer brings back what is captured as a class. */
import type { LayerSettings } from '../model/manifest.ts';
import { LESSONS, OWN_LAYER_CLASSES } from './fact-classes.ts';
import { layerKind } from './index.ts';

/** `memory` is a key of `writing.into`: a class of facts, or `typed`. */
export function bringsClass({ kind, classes }: LayerSettings, memory: string): boolean {
  if (memory === 'typed') return kind === 'schema_typed';
  if (kind !== 'documents' && !layerKind(kind).holdsFacts) return false;
  if (classes.length > 0) return classes.includes(memory);
  return kind === 'documents' ? LESSONS.includes(memory) : !OWN_LAYER_CLASSES.includes(memory);
}
