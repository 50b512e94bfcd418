/**
 * A block type that is nearly one of the engine's own. An application names block types as it
 * likes, so only what looks like a slip is reported.
 */
import { KNOWN_BLOCK_TYPES } from '../../layers/index.ts';
import { nearest } from '../suggest.ts';
import type { LintRule } from './rule.ts';

export const unknownBlockType: LintRule = ({ manifest, spec }, report) => {
  for (const { name, blockTypes } of manifest.layers) {
    const written = spec.layers?.[name];
    if (typeof written !== 'object' || written?.block_types === undefined) continue;
    for (const [index, type] of blockTypes.entries()) {
      const near = KNOWN_BLOCK_TYPES.includes(type) ? undefined : nearest(type, KNOWN_BLOCK_TYPES);
      if (near === undefined) continue;
      report({
        code: 'MANIFEST.UNKNOWN_BLOCK_TYPE',
        at: ['spec', 'layers', name, 'block_types', index],
        message: `\`${type}\` is no block type of the engine: \`${name}\` shows only blocks of it.`,
        fix:
          `Did you mean \`${near}\`? The engine has ` +
          `${KNOWN_BLOCK_TYPES.map((known) => `\`${known}\``).join(', ')}; keep a type that your ` +
          'application writes.',
      });
    }
  }
};
