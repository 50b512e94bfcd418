/** Files and folders -> the manifests of a process, checked together. The only file of this folder that reads files. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Finding } from '../model/finding.ts';
import type { Collection, Manifest, ManifestSet } from '../model/manifest.ts';
import { type CollectionSource, checkCollection } from './collection.ts';
import { checkContextDomain } from './context-domain.ts';
import type { FileReader } from './layer-file.ts';
import { type KindedDocument, parseDocuments } from './parse.ts';
import { byPosition, findingAt } from './reporter.ts';
import { MAX_TEXT_LENGTH } from './yaml-document.ts';

export interface LoadManifestsOptions {
  /** Files, and folders that are searched for `*.yaml` and `*.yml`, hidden ones and `node_modules` aside. */
  readonly paths: readonly string[];
}

/** Folders in folders: deeper is a mistake, or a link that leads back. */
const MAX_DEPTH = 8;

interface PlacedDocument extends KindedDocument {
  readonly path: string;
}

/** Reads and checks everything. Never throws: what cannot be read is a finding. Manifests with errors are left out of the set. */
export function loadManifests({ paths }: LoadManifestsOptions): ManifestSet {
  const findings: Finding[] = [];
  const files = manifestFiles(paths, findings);
  const documents: PlacedDocument[] = [];
  for (const path of files) {
    const text = readManifestText(path, findings);
    if (text === undefined) continue;
    const parsed = parseDocuments(text, path);
    findings.push(...parsed.findings);
    documents.push(...parsed.documents.map((document) => ({ ...document, path })));
  }
  const collections = collectionsOf(documents, findings);
  const manifests = manifestsOf(documents, { collections, findings });
  const byName: Record<string, Collection> = Object.create(null);
  for (const [name, { collection }] of collections) byName[name] = collection;
  return { manifests, collections: byName, findings: findings.sort(byPosition) };
}

/** The files behind paths, each once. What cannot be read is added to the findings. */
export const manifestFiles = (paths: readonly string[], findings: Finding[]): readonly string[] =>
  withoutRepeats(paths.flatMap((path) => filesOf(path, findings)));

/** One file under two paths, or given and found, is one file. */
function withoutRepeats(files: readonly string[]): readonly string[] {
  const places = files.map((path) => realpathSync(path));
  return files.filter((_path, index) => places.indexOf(places[index] ?? '') === index);
}

/** A path that was given is taken whatever its name; a folder's entries by theirs. Linked folders inside a folder are not followed. */
function filesOf(path: string, findings: Finding[], depth = MAX_DEPTH): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    if (depth === 0) return [];
    const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    const wanted = entries.filter(
      (entry) => !entry.name.startsWith('.') && entry.name !== 'node_modules' && (entry.isDirectory() || /\.ya?ml$/i.test(entry.name)),
    );
    return wanted.flatMap((entry) => filesOf(join(path, entry.name), findings, depth - 1));
  } catch (error) {
    findings.push(
      findingAt(
        'MANIFEST.MISSING',
        { file: path },
        { message: `\`${path}\` cannot be read: \`${reasonOf(error)}\`.`, fix: 'Correct the path, or create the file.' },
      ),
    );
    return [];
  }
}

/** The text of a manifest file; undefined where it is none, which is added to the findings. */
export function readManifestText(path: string, findings: Finding[]): string | undefined {
  try {
    const bytes = readFileSync(path);
    // Bytes are never fewer than UTF-16 units of the text but for a factor of 3, so this only spares decoding what is too long anyway.
    if (bytes.length > MAX_TEXT_LENGTH * 3) return ' '.repeat(MAX_TEXT_LENGTH + 1);
    const text = bytes.toString('utf8');
    const broken = Buffer.from(text, 'utf8').equals(bytes) ? -1 : text.indexOf('\uFFFD');
    if (broken < 0) return text;
    const before = text.slice(0, broken).split('\n');
    findings.push(
      findingAt(
        'MANIFEST.SYNTAX',
        { file: path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
        { message: 'The file is not valid UTF-8 from here on.', fix: 'Save it as UTF-8.' },
      ),
    );
  } catch (error) {
    findings.push(
      findingAt(
        'MANIFEST.MISSING',
        { file: path },
        { message: `\`${path}\` cannot be read: \`${reasonOf(error)}\`.`, fix: 'Make it readable for this process.' },
      ),
    );
  }
  return undefined;
}

/** A file that a layer names may be larger than a manifest: the budget judges it. */
const MAX_LAYER_FILE_BYTES = 1_048_576;

/** Reads files beside the manifest; what is no valid UTF-8, no plain file or too large is as good as not there. */
function readerBeside(manifestPath: string): FileReader {
  return (path) => {
    try {
      const full = resolve(dirname(manifestPath), path);
      const facts = statSync(full);
      return facts.isFile() && facts.size <= MAX_LAYER_FILE_BYTES
        ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(full))
        : undefined;
    } catch {
      return undefined; // the caller reports it at the place that names the file
    }
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : String(error));

function collectionsOf(documents: readonly PlacedDocument[], findings: Finding[]): ReadonlyMap<string, CollectionSource> {
  const sources = new Map<string, CollectionSource>();
  for (const { kind, document, path } of documents) {
    if (kind !== 'Collection') continue;
    const checked = checkCollection(document, path);
    findings.push(...checked.findings);
    if (!checked.collection) continue;
    const { name } = checked.collection;
    const first = sources.get(name);
    if (!first) sources.set(name, { collection: checked.collection, text: document.text });
    else findings.push(duplicate({ what: `collection \`${name}\``, first: first.collection.path }, { document, path }));
  }
  return sources;
}

function manifestsOf(
  documents: readonly PlacedDocument[],
  { collections, findings }: { collections: ReadonlyMap<string, CollectionSource>; findings: Finding[] },
): readonly Manifest[] {
  const byReference = new Map<string, Manifest>();
  const nameByScope = new Map<string, string>();
  for (const { kind, document, path } of documents) {
    if (kind !== 'ContextDomain') continue;
    const checked = checkContextDomain(document, { path, readFile: readerBeside(path), collections });
    findings.push(...checked.findings);
    const { manifest } = checked;
    if (!manifest) continue;
    const reference = `${manifest.name}@${manifest.version}`;
    const first = byReference.get(reference);
    if (first) {
      findings.push(duplicate({ what: `manifest \`${reference}\``, first: first.path }, { document, path }));
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

const duplicate = ({ what, first }: { what: string; first: string }, { document, path }: Where): Finding =>
  findingAt(
    'MANIFEST.DUPLICATE',
    { file: path, ...document.locator.position(['metadata', 'name'], 'value') },
    { message: `The ${what} is declared in \`${first}\` as well.`, fix: 'Give one of them another name or version.' },
  );

const ambiguous = (manifest: Manifest, other: string, { document, path }: Where): Finding =>
  findingAt(
    'MANIFEST.AMBIGUOUS_SCOPE',
    { file: path, ...document.locator.position(['metadata', 'scope_block_type'], 'value') },
    {
      message: `\`${manifest.name}\` and \`${other}\` both serve scopes of type \`${manifest.scopeBlockType}\`.`,
      fix: `Let calls name theirs: \`manifest: '${manifest.name}'\`.`,
    },
  );
