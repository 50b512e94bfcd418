/** Files and folders -> the manifests of a process, checked together. */
import type { Finding } from '../codes/finding.ts';
import type { Collection, Manifest, ManifestSet } from '../model/manifest.ts';
import { type CollectionSource, checkCollection } from './collection.ts';
import { checkContextDomain } from './context-domain.ts';
import type { FileReader } from './layer-file.ts';
import { createSourceReader, manifestFiles } from './manifest-files.ts';
import type { Override } from './overrides.ts';
import { type KindedDocument, parseDocuments } from './parse.ts';
import { byPosition, findingAt, hasErrors, type Locator } from './reporter.ts';
import { unusedCollections } from './unused-collections.ts';

export interface LoadManifestsOptions {
  /**
   * Files, and folders that are searched for `*.yaml` and `*.yml`, hidden ones and `node_modules`
   * aside.
   */
  readonly paths: readonly string[];
  /** What an operator set from outside. */
  readonly overrides?: readonly Override[];
  /** Names of the mounts that a layer can be searched in. */
  readonly mounts?: readonly string[];
}

interface PlacedDocument extends KindedDocument {
  readonly path: string;
}

/**
 * Reads and checks everything. Never throws: what cannot be read is a finding. Manifests with
 * errors are left out of the set.
 */
export function loadManifests({
  paths,
  overrides = [],
  mounts = [],
}: LoadManifestsOptions): ManifestSet {
  const findings: Finding[] = [];
  const files = manifestFiles(paths, findings);
  const documents: PlacedDocument[] = [];
  const reader = createSourceReader(findings);
  for (const path of files) {
    const text = reader.manifest(path);
    if (text === undefined) continue;
    const parsed = parseDocuments(text, path);
    findings.push(...parsed.findings);
    documents.push(...parsed.documents.map((document) => ({ ...document, path })));
  }
  const collections = collectionsOf(documents, findings);
  const manifests = manifestsOf(documents, {
    collections,
    findings,
    overrides,
    mounts,
    readerBeside: (path) => reader.beside(path),
  });
  // A manifest with an error is not among them, and could name any.
  if (!hasErrors(findings))
    findings.push(...unusedCollections([...collections.values()], manifests));
  const byName: Record<string, Collection> = Object.create(null);
  for (const [name, { collection }] of collections) byName[name] = collection;
  return { manifests, collections: byName, findings: findings.sort(byPosition) };
}

interface LoadedCollection extends CollectionSource {
  readonly locator: Locator;
}

function collectionsOf(
  documents: readonly PlacedDocument[],
  findings: Finding[],
): ReadonlyMap<string, LoadedCollection> {
  const sources = new Map<string, LoadedCollection>();
  for (const { kind, document, path } of documents) {
    if (kind !== 'Collection') continue;
    const checked = checkCollection(document, path);
    findings.push(...checked.findings);
    if (!checked.collection) continue;
    const { name } = checked.collection;
    const first = sources.get(name);
    if (!first) {
      const { text, locator } = document;
      sources.set(name, { collection: checked.collection, text, locator });
    } else
      findings.push(
        duplicate(
          { what: `collection \`${name}\``, first: first.collection.path },
          { document, path },
        ),
      );
  }
  return sources;
}

interface ManifestContext {
  readonly collections: ReadonlyMap<string, CollectionSource>;
  readonly findings: Finding[];
  readonly overrides: readonly Override[];
  readonly mounts: readonly string[];
  readonly readerBeside: (manifestPath: string) => FileReader;
}

function manifestsOf(
  documents: readonly PlacedDocument[],
  { collections, findings, overrides, mounts, readerBeside }: ManifestContext,
): readonly Manifest[] {
  const byReference = new Map<string, Manifest>();
  const nameByScope = new Map<string, string>();
  for (const { kind, document, path } of documents) {
    if (kind !== 'ContextDomain') continue;
    const checked = checkContextDomain(document, {
      path,
      readFile: readerBeside(path),
      collections,
      overrides,
      mounts,
    });
    findings.push(...checked.findings);
    const { manifest } = checked;
    if (!manifest) continue;
    const reference = `${manifest.name}@${manifest.version}`;
    const first = byReference.get(reference);
    if (first) {
      findings.push(
        duplicate({ what: `manifest \`${reference}\``, first: first.path }, { document, path }),
      );
      continue;
    }
    byReference.set(reference, manifest);
    const other = nameByScope.get(manifest.scopeBlockType);
    if (other === undefined) nameByScope.set(manifest.scopeBlockType, manifest.name);
    else if (other !== manifest.name) findings.push(ambiguous(manifest, other, { document, path }));
  }
  return [...byReference.values()];
}

type Where = Pick<PlacedDocument, 'document' | 'path'>;

const duplicate = (
  { what, first }: { what: string; first: string },
  { document, path }: Where,
): Finding =>
  findingAt(
    'MANIFEST.DUPLICATE',
    { file: path, ...document.locator.position(['metadata', 'name'], 'value') },
    {
      message: `The ${what} is declared in \`${first}\` as well.`,
      fix: 'Give one of them another name or version.',
    },
  );

const ambiguous = (manifest: Manifest, other: string, { document, path }: Where): Finding =>
  findingAt(
    'MANIFEST.AMBIGUOUS_SCOPE',
    { file: path, ...document.locator.position(['metadata', 'scope_block_type'], 'value') },
    {
      message:
        `\`${manifest.name}\` and \`${other}\` both serve scopes of type ` +
        `\`${manifest.scopeBlockType}\`.`,
      fix: `Let calls name theirs: \`manifest: '${manifest.name}'\`.`,
    },
  );
