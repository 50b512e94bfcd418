/** A class of memory that capture writes and no layer brings back. */
import { bringsClass } from '../../layers/brings-class.ts';
import { OWN_LAYER_CLASSES } from '../../layers/fact-classes.ts';
import type { LintRule } from './rule.ts';

/** Another manifest may serve what this one writes: all that were loaded are asked. */
export const unservedClass: LintRule = ({ spec, all }, report) => {
  const layers = all.flatMap((manifest) => manifest.layers);
  for (const memory of Object.keys(spec.writing?.into ?? {})) {
    if (layers.some((layer) => bringsClass(layer, memory))) continue;
    report({
      code: 'MANIFEST.UNSERVED_CLASS',
      at: ['spec', 'writing', 'into', memory],
      on: 'key',
      message: `What is captured as \`${memory}\` is brought by no layer: it is stored, and never shown.`,
      fix: `Add the layer \`${layerFor(memory)}\`, or remove the class from \`into\`.`,
    });
  }
};

function layerFor(memory: string): string {
  if (memory === 'typed') return 'schema_typed: {}';
  return OWN_LAYER_CLASSES.includes(memory)
    ? 'index: { classes: [rule, lesson, procedure] }'
    : 'open_set: {}';
}
