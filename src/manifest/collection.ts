/** The second kind of manifest: typed properties of a subject. */
import type { Finding } from '../codes/finding.ts';
import type { Collection, CollectionProperty } from '../model/manifest.ts';
import { sha256 } from './bundle.ts';
import { createReporter, hasErrors, type Reporter } from './reporter.ts';
import { isCollection } from './shape.ts';
import { versionOf } from './version.ts';
import type { RawCollection, RawProperty } from './wire-manifest.ts';
import type { YamlDocument } from './yaml-document.ts';

/** A collection with the text that it was read from. */
export interface CollectionSource {
  readonly collection: Collection;
  readonly text: string;
}

export interface CheckedCollection {
  /** Absent where there is an error. */
  readonly collection?: Collection;
  readonly findings: readonly Finding[];
}

export function checkCollection(document: YamlDocument, path: string): CheckedCollection {
  const reporter = createReporter(path, document.locator);
  const raw = document.value;
  if (!isCollection(raw, reporter)) return { findings: reporter.findings };
  const collection = resolve(raw, { document, path, reporter });
  return hasErrors(reporter.findings)
    ? { findings: reporter.findings }
    : { collection, findings: reporter.findings };
}

function resolve(
  raw: RawCollection,
  { document, path, reporter }: { document: YamlDocument; path: string; reporter: Reporter },
): Collection {
  const properties: Record<string, CollectionProperty> = Object.create(null);
  for (const [name, property] of Object.entries(raw.spec.properties)) {
    checkOptions(name, property, reporter);
    properties[name] = {
      name,
      type: property.type,
      options: property.options ?? [],
      cardinality: property.cardinality ?? 'one',
      description: property.description ?? null,
      patterns: property.patterns ?? [],
      words: property.words ?? {},
    };
  }
  const { metadata } = raw;
  return {
    name: metadata.name,
    version: versionOf(document, metadata.version, reporter),
    description: metadata.description ?? null,
    path,
    digest: sha256(document.text),
    properties,
  };
}

function checkOptions(name: string, { type, options }: RawProperty, reporter: Reporter): void {
  const at = ['spec', 'properties', name];
  if (type === 'option' && (options === undefined || options.length === 0)) {
    reporter.report({
      code: 'MANIFEST.MISSING',
      at,
      on: 'key',
      message: `The option \`${name}\` has no \`options\`.`,
      fix: 'Write what it may be: `options: [daily, weekly]`.',
    });
  }
  if (type !== 'option' && options !== undefined) {
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at: [...at, 'options'],
      on: 'key',
      message: `\`${name}\` is of type \`${type}\` and has \`options\`.`,
      fix: 'Remove them, or write `type: option`.',
    });
  }
}
