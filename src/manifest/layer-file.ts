/** The file that a layer names: read once, with the manifest, and part of its digest. */
import { layerKind } from '../layers/index.ts';
import { DEFAULT_MAX_LINES } from '../layers/keys.ts';
import { shown } from '../model/ids.ts';
import type { LayerSettings } from '../model/manifest.ts';
import { lineCount } from '../text/line-count.ts';
import { sha256 } from './bundle.ts';
import { checkPlaceholders } from './placeholders.ts';
import type { Reporter } from './reporter.ts';
import type { RawLayer } from './wire-manifest.ts';
import { canonicalText } from './yaml-document.ts';

/**
 * The text of a file by its path as the manifest writes it; nothing, or the reason, if there is
 * none.
 */
export type FileReader = (path: string) => string | { readonly refused: string } | null | undefined;

/**
 * Absolute paths, drive letters and URLs differ from machine to machine, and the path is part of
 * what is replayed.
 */
const isPortable = (path: string): boolean =>
  !/^([/\\~]|[A-Za-z]:|[a-z]+:\/\/)/.test(path) && path.trim() !== '';

interface NamedLayer {
  readonly name: string;
  readonly kind: string;
  readonly raw: RawLayer;
}

interface FileContext {
  readonly reporter: Reporter;
  readonly readFile: FileReader | undefined;
  /** Names of the declared inputs. */
  readonly inputs: readonly string[];
}

export function readLayerFile(
  { name, kind, raw }: NamedLayer,
  { reporter, readFile, inputs }: FileContext,
): LayerSettings['file'] {
  if (raw.file === undefined) return null;
  const at = ['spec', 'layers', name, 'file'];
  if (raw.text !== undefined)
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at,
      on: 'key',
      message: `The layer \`${name}\` has both a \`text\` and a \`file\`.`,
      fix: 'Keep one of the two.',
    });
  if (!isPortable(raw.file)) {
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at,
      message: `\`file\` is \`${raw.file.slice(0, 200)}\`, not a path relative to the manifest.`,
      fix: 'Write it relative to the manifest, for example `./core-memory.md`.',
    });
    return null;
  }
  const read = readFile?.(raw.file);
  if (typeof read !== 'string') {
    reporter.report({
      code: 'MANIFEST.MISSING',
      at,
      message: `The file \`${shown(raw.file)}\` ${read?.refused ?? 'cannot be read as text'}.`,
      fix:
        'Put a text file into the folder of the manifest or below it; the path is relative to ' +
        'it.',
    });
    return null;
  }
  const content = canonicalText(read);
  const lines = lineCount(content);
  const maxLines = raw.max_lines ?? DEFAULT_MAX_LINES;
  if (layerKind(kind).keys.includes('max_lines') && lines > maxLines) {
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at,
      message: `The file \`${raw.file}\` has \`${lines}\` lines; core memory may have \`${maxLines}\`.`,
      fix:
        'Shorten the file: what goes in takes the place of something else. Or raise ' +
        '`max_lines`.',
    });
  }
  checkPlaceholders(content, at, { inputs, reporter, file: raw.file });
  return { path: raw.file, content, digest: sha256(content) };
}
