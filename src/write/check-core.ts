/**
 * A block that is always loaded and never fits is refused when it is written, not when it is read.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { layerKind } from '../layers/index.ts';
import type { ManifestSet } from '../model/manifest.ts';
import { lineCount } from '../text/line-count.ts';
import type { WriteCall } from './1-check.ts';

/** UTF-16 units of a block of core memory: 80 lines of 200, about 4,000 tokens of English. */
export const MAX_CORE_CHARS = 16_000;

/**
 * `WRITE.TOO_LARGE` for a block with more lines or characters than a `core` layer of any manifest
 * takes: a scope of another type may inherit the block, so all manifests that read its type count.
 */
export function refuseTooLongCore(
  { operations, textField = 'content.content' }: Pick<WriteCall, 'operations' | 'textField'>,
  set: ManifestSet,
): void {
  const tooLarge = (
    index: number,
    said: { readonly message: string; readonly fix: string },
  ): ContextEngineError =>
    new ContextEngineError('WRITE.TOO_LARGE', {
      ...said,
      where: { field: textField, index },
      meta: { index },
    });
  for (const [index, operation] of operations.entries()) {
    if (operation.operation !== 'ADD' && operation.operation !== 'UPDATE') continue;
    if (operation.table !== 'blocks') continue;
    const { block_type: type, content } = operation.content;
    const reader = strictestReader(type, set);
    if (reader === null) continue;
    const lines = lineCount(content);
    if (lines > reader.maxLines)
      throw tooLarge(index, {
        message:
          `Block type \`${type}\` has \`${lines}\` lines; layer \`${reader.layer}\` of ` +
          `manifest \`${reader.manifest}\` takes \`${reader.maxLines}\`.`,
        fix: `Shorten it to ${reader.maxLines} lines, or raise \`max_lines\` of the layer.`,
      });
    if (content.length > MAX_CORE_CHARS)
      throw tooLarge(index, {
        message:
          `Block type \`${type}\` has \`${content.length}\` characters; core memory takes ` +
          `\`${MAX_CORE_CHARS}\`.`,
        fix:
          `Shorten it to ${MAX_CORE_CHARS} characters; what is read on demand is a fact or a ` +
          'document.',
      });
  }
}

interface Reader {
  readonly manifest: string;
  readonly layer: string;
  readonly maxLines: number;
}

/** The layer that takes the fewest lines of the type; null = no manifest reads it. */
export function strictestReader(type: string, { manifests }: ManifestSet): Reader | null {
  let strictest: Reader | null = null;
  for (const manifest of manifests)
    for (const { name, kind, blockTypes, file, maxLines } of manifest.layers) {
      const definition = layerKind(kind);
      if (!definition.keys.includes('max_lines') || file !== null) continue;
      const types = blockTypes.length > 0 ? blockTypes : definition.blockTypes;
      if (types.includes(type) && maxLines < (strictest?.maxLines ?? Number.POSITIVE_INFINITY))
        strictest = { manifest: manifest.name, layer: name, maxLines };
    }
  return strictest;
}
