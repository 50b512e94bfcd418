/** Text -> checked manifests and collections. Reads no file: what a manifest names is handed in. */
import type { Finding } from '../codes/finding.ts';
import { shown } from '../model/ids.ts';
import type { Collection, Manifest } from '../model/manifest.ts';
import { fromBundle } from './bundle.ts';
import { type CollectionSource, checkCollection } from './collection.ts';
import { checkContextDomain } from './context-domain.ts';
import type { FileReader } from './layer-file.ts';
import { byPosition, createReporter, findingAt, type Reporter } from './reporter.ts';
import { didYouMean } from './suggest.ts';
import { parseYaml, type YamlDocument } from './yaml-document.ts';

const KINDS = ['ContextDomain', 'Collection'] as const;
type Kind = (typeof KINDS)[number];

export interface ParseManifestOptions {
  /** Stands in findings, and in the manifest. */
  readonly path: string;
  /** Gives the text of a file by its path as the manifest writes it. */
  readonly readFile?: FileReader | undefined;
  /** Loaded collections by name. */
  readonly collections?: ReadonlyMap<string, CollectionSource>;
}

export interface ParsedManifest {
  /** null where a finding is an error. */
  readonly manifest: Manifest | null;
  /** The collections that the text brings along: those of a bundle. */
  readonly collections: readonly Collection[];
  readonly findings: readonly Finding[];
}

/**
 * Checks one manifest: YAML text, or the `source` of a manifest (which brings its files and
 * collections along). Never throws.
 *
 * @example
 * const { manifest, findings } = parseManifest(text, { path: 'support.yaml' });
 */
export function parseManifest(text: string, options: ParseManifestOptions): ParsedManifest {
  const bundle = fromBundle(text);
  if (!bundle) return parseText(text, options);
  const sources = Object.values(bundle.collections).flatMap(
    (source) => collectionSource(source, options.path) ?? [],
  );
  const collections = new Map(sources.map((source) => [source.collection.name, source]));
  const parsed = parseText(bundle.manifest, {
    path: options.path,
    collections,
    readFile: (path) => (Object.hasOwn(bundle.files, path) ? bundle.files[path] : undefined),
  });
  return { ...parsed, collections: sources.map((source) => source.collection) };
}

function parseText(
  text: string,
  { path, readFile, collections = new Map() }: ParseManifestOptions,
): ParsedManifest {
  const only = onlyDocument(text, path, 'ContextDomain');
  if ('findings' in only) return { manifest: null, collections: [], findings: only.findings };
  const { manifest, findings } = checkContextDomain(only.document, { path, readFile, collections });
  return { manifest: manifest ?? null, collections: [], findings };
}

function collectionSource(text: string, path: string): CollectionSource | undefined {
  const { collection } = parseCollection(text, { path });
  return collection ? { collection, text } : undefined;
}

/** Checks one Collection. Never throws. */
export function parseCollection(
  text: string,
  { path }: { readonly path: string },
): { readonly collection: Collection | null; readonly findings: readonly Finding[] } {
  const only = onlyDocument(text, path, 'Collection');
  if ('findings' in only) return { collection: null, findings: only.findings };
  const { collection, findings } = checkCollection(only.document, path);
  return { collection: collection ?? null, findings: [...findings].sort(byPosition) };
}

function onlyDocument(
  text: string,
  file: string,
  kind: Kind,
): { readonly document: YamlDocument } | { readonly findings: readonly Finding[] } {
  const { documents, findings } = parseDocuments(text, file);
  const [first, second] = documents;
  if (findings.length > 0 || !first) return { findings };
  if (second)
    return {
      findings: [
        findingAt(
          'MANIFEST.INVALID_VALUE',
          { file, ...second.document.locator.position([], 'value') },
          {
            message: `The text holds \`${documents.length}\` documents.`,
            fix: 'Give one document.',
          },
        ),
      ],
    };
  if (first.kind === kind) return { document: first.document };
  return {
    findings: [
      findingAt(
        'MANIFEST.INVALID_VALUE',
        { file, ...first.document.locator.position(['kind'], 'value') },
        { message: `\`kind\` is \`${first.kind}\`.`, fix: `Write \`kind: ${kind}\`.` },
      ),
    ],
  };
}

export interface KindedDocument {
  readonly kind: Kind;
  readonly document: YamlDocument;
}

/** All documents of a file with their kinds. A document of unknown kind is a finding. */
export function parseDocuments(
  text: string,
  file: string,
): { readonly documents: readonly KindedDocument[]; readonly findings: readonly Finding[] } {
  const stream = parseYaml(text, file);
  const findings = [...stream.findings];
  if (stream.documents.length === 0 && findings.length === 0) {
    findings.push(
      findingAt(
        'MANIFEST.MISSING',
        { file },
        {
          message: 'The file holds no document.',
          fix:
            'Write a manifest: `apiVersion: contextengine/v1`, `kind: ContextDomain`, ' +
            '`metadata`, `spec`.',
        },
      ),
    );
  }
  const documents: KindedDocument[] = [];
  if (findings.length > 0) return { documents, findings };
  for (const document of stream.documents) {
    const reporter = createReporter(file, document.locator);
    const kind = kindOf(document, reporter);
    findings.push(...reporter.findings);
    if (kind) documents.push({ kind, document });
  }
  return { documents, findings };
}

function kindOf({ value }: YamlDocument, reporter: Reporter): Kind | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    reporter.report({
      code: 'MANIFEST.WRONG_TYPE',
      at: [],
      message: `The document is \`${shown(value)}\`, not a map of keys.`,
      fix: 'Write `apiVersion`, `kind`, `metadata` and `spec`.',
    });
    return undefined;
  }
  const kind = 'kind' in value ? value.kind : undefined;
  const known = KINDS.find((name) => name === kind);
  if (known) return known;
  if (kind === undefined)
    reporter.report({
      code: 'MANIFEST.MISSING',
      at: [],
      message: 'The document has no `kind`.',
      fix: 'Write `kind: ContextDomain` or `kind: Collection`.',
    });
  else
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at: ['kind'],
      message: `\`kind\` is \`${shown(kind)}\`.`,
      fix: didYouMean(shown(kind), KINDS),
    });
  return undefined;
}
