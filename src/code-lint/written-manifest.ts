/** A manifest as it is written: what it declares itself, and where. */
import type { Finding } from '../codes/finding.ts';
import { fromBundle } from '../manifest/bundle.ts';
import { parseDocuments } from '../manifest/parse.ts';
import type { Path } from '../manifest/reporter.ts';
import type { Manifest } from '../model/manifest.ts';

export interface WrittenManifest {
  /** Intents under `spec.intents`; the built-in ones that it does not change are not among them. */
  readonly intents: readonly string[];
  /** Layers under `spec.layers`, those that are switched off too. */
  readonly layers: readonly string[];
  /** Where a key or a value stands in the file. */
  readonly position: (path: Path, on: 'key' | 'value') => Pick<Finding, 'file' | 'line' | 'column'>;
}

/** Reads the text that the manifest was made of again. */
export function writtenManifest(manifest: Manifest): WrittenManifest | undefined {
  const text = fromBundle(manifest.source)?.manifest ?? manifest.source;
  const [parsed] = parseDocuments(text, manifest.path).documents;
  if (!parsed) return undefined;
  const { locator, value } = parsed.document;
  const offset = (manifest.line ?? 1) - 1;
  return {
    intents: Object.keys(objectAt(value, ['spec', 'intents'])),
    layers: Object.keys(objectAt(value, ['spec', 'layers'])),
    position(path, on) {
      const { line, column } = locator.position(path, on);
      return { file: manifest.path, line: line + offset, column };
    },
  };
}

/** An object inside a value; an empty one where there is none. */
export function objectAt(
  value: unknown,
  path: readonly string[],
): Readonly<Record<string, unknown>> {
  let at = value;
  for (const key of path) at = isObject(at) ? at[key] : undefined;
  return isObject(at) ? at : {};
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
