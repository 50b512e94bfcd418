/** A layer that is written and on, and that no call can ever show. */
import { layerKind } from '../../layers/index.ts';
import type { LintRule } from './rule.ts';

export const unreachableLayer: LintRule = ({ manifest, spec }, report) => {
  const intents = Object.values(manifest.intents);
  const written = manifest.layers.filter((layer) => Object.hasOwn(spec.layers ?? {}, layer.name));
  for (const { name, kind, kinds } of written) {
    if (!intents.some((intent) => intent.layers.includes(name)))
      report({
        code: 'MANIFEST.UNREACHABLE_LAYER',
        at: ['spec', 'layers', name],
        on: 'key',
        message:
          `No intent fires the layer \`${name}\`: none of \`${intents.length}\`, built-in ones ` +
          'included.',
        fix: `Add \`${name}\` to the layers of an intent, or write \`enabled: false\`.`,
      });
    if (layerKind(kind).keys.includes('kinds') && kinds.length === 0)
      report({
        code: 'MANIFEST.UNREACHABLE_LAYER',
        at: ['spec', 'layers', name, 'kinds'],
        on: 'key',
        message: `The layer \`${name}\` asks for no kind of summary.`,
        fix:
          'Name rolling, per_doc or lineage, remove `kinds` for all three, or write `enabled: ' +
          'false`.',
      });
  }
};
