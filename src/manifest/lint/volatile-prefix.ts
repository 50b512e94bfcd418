/**
 * What changes with every call and stands in front of, or among, the layers that prompt caches
 * keep: a provider reuses a prompt only up to the first byte that differs.
 */
import { layerKind } from '../../layers/index.ts';
import type { LayerSettings } from '../../model/manifest.ts';
import { placeholdersOf } from '../placeholders.ts';
import type { LintRule } from './rule.ts';

/** Other than between any two calls; `scope.title` and inputs may well stay the same. */
const VOLATILE: readonly string[] = ['now', 'query'];

export const volatilePrefix: LintRule = ({ manifest, spec }, report) => {
  const { layers } = manifest;
  const lastStatic = layers.findLastIndex((layer) => isStatic(layer));
  for (const [index, layer] of layers.slice(0, lastStatic + 1).entries()) {
    const behind = layers.slice(index + 1, lastStatic + 1).filter(isStatic);
    if (isStatic(layer) || layer.text !== null || layer.file !== null)
      reportPlaceholders(layer, behind, report);
    else if (isFresh(layer) && Object.hasOwn(spec.layers ?? {}, layer.name))
      report({
        code: 'MANIFEST.VOLATILE_PREFIX',
        at: ['spec', 'layers', layer.name],
        on: 'key',
        message:
          `\`${layer.name}\` changes with the call and stands before ${namesOf(behind)}, so a ` +
          'prompt cache keeps nothing from here on.',
        fix: 'Write it after the static layers, or `render: { order: static_first }`.',
      });
  }
};

const isStatic = (layer: LayerSettings): boolean => layerKind(layer.kind).isPrefix;
/** Pinned things and typed values stay as they are until somebody changes them. */
const isFresh = ({ kind }: LayerSettings): boolean => layerKind(kind).isFresh;
const namesOf = (layers: readonly LayerSettings[]): string =>
  layers.map(({ name }) => `\`${name}\``).join(', ');

function reportPlaceholders(
  layer: LayerSettings,
  behind: readonly LayerSettings[],
  report: Parameters<LintRule>[1],
): void {
  const lost = behind.length === 0 ? 'the whole of it' : `it and ${namesOf(behind)}`;
  const fix =
    'Move it behind the static layers: into a `task` layer, or leave it to the message that ' +
    'asks.';
  const inFile = layer.file === null ? '' : ` in \`${layer.file.path}\``;
  for (const { name, offset } of placeholdersOf(layer.text ?? layer.file?.content ?? '')) {
    if (!VOLATILE.includes(name)) continue;
    report({
      code: 'MANIFEST.VOLATILE_PREFIX',
      at: ['spec', 'layers', layer.name, layer.file === null ? 'text' : 'file'],
      ...(layer.file === null && { offset }),
      message:
        `\`{{${name}}}\`${inFile} changes with every call and stands in \`${layer.name}\`, so ` +
        `a prompt cache loses ${lost}.`,
      fix,
    });
  }
}
