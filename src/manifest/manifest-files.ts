/**
 * Which files are manifests, and what stands in them and in the files that their layers name. The
 * only file of this folder that walks folders. Everything has a bound, because whoever can put a
 * file into the folder decides how many there are and how large they are.
 */
import { opendirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { Finding } from '../codes/finding.ts';
import type { FileReader } from './layer-file.ts';
import { type RegularFile, readRegularFile, refusalWords } from './regular-file.ts';
import { findingAt } from './reporter.ts';
import { MAX_TEXT_LENGTH } from './yaml-document.ts';

/** Folders in folders: deeper is a mistake. */
const MAX_DEPTH = 8;
/** Entries of all folders together. Chosen: far more than a folder of manifests holds. */
const MAX_ENTRIES = 20_000;
/** All manifests of a process. Chosen. */
const MAX_MANIFEST_BYTES = 4_194_304;
/** A character of a manifest takes at most three bytes of UTF-8. */
const MAX_FILE_BYTES = MAX_TEXT_LENGTH * 3;
/** A file that a layer names may be larger than a manifest: the budget judges it. Chosen. */
const MAX_LAYER_FILE_BYTES = 1_048_576;
/** All files that layers of a process name. Chosen: they stay in memory. */
const MAX_LAYER_BYTES = 33_554_432;

/** The files behind paths, each once. What cannot be read is added to the findings. */
export function manifestFiles(paths: readonly string[], findings: Finding[]): readonly string[] {
  const walk: Walk = { findings, entries: 0, isCut: false };
  const found = paths.flatMap((path) => {
    const files = filesOf(path, { walk, depth: 0 });
    return files.filter((file) => file === path || staysInside(file, path, findings));
  });
  // One file under two paths, or given and found, is one file.
  const byPlace = new Map<string, string>();
  for (const path of found) {
    const place = placeOf(path);
    if (!byPlace.has(place)) byPlace.set(place, path);
  }
  return [...byPlace.values()];
}

/**
 * Whether a file that was found in a folder is inside it. A link to elsewhere would bring out, in
 * messages about its text, what whoever wrote the folder may not read.
 */
function staysInside(file: string, folder: string, findings: Finding[]): boolean {
  const root = placeOf(folder);
  const place = placeOf(file);
  const isInside = place === file || place.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
  if (!isInside) findings.push(missing(file, 'leads out of the folder'));
  return isInside;
}

/** The real path; the path itself where the file is gone by now, which reading it says. */
function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

interface Walk {
  readonly findings: Finding[];
  entries: number;
  /** Whether a bound was reached; it is reported once. */
  isCut: boolean;
}

interface Folder {
  readonly walk: Walk;
  readonly depth: number;
}

/**
 * A path that was given is taken whatever its name; a folder's entries by theirs. Linked folders
 * inside a folder are not followed.
 */
function filesOf(path: string, { walk, depth }: Folder): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    if (depth >= MAX_DEPTH)
      return cut(walk, path, `is nested deeper than \`${MAX_DEPTH}\` folders`);
    return entriesOf(path, walk).flatMap((name) =>
      filesOf(join(path, name), { walk, depth: depth + 1 }),
    );
  } catch (error) {
    walk.findings.push(missing(path, `cannot be read: \`${reasonOf(error)}\``));
    return [];
  }
}

/** The folders and manifests in a folder, by name. */
function entriesOf(path: string, walk: Walk): readonly string[] {
  const wanted: string[] = [];
  const folder = opendirSync(path);
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      walk.entries += 1;
      if (walk.entries > MAX_ENTRIES)
        return cut(walk, path, `has more than \`${MAX_ENTRIES}\` entries`);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory() || /\.ya?ml$/i.test(entry.name)) wanted.push(entry.name);
    }
  } finally {
    folder.closeSync();
  }
  return wanted.sort((a, b) => (a < b ? -1 : 1));
}

function cut(walk: Walk, path: string, what: string): readonly [] {
  if (!walk.isCut) walk.findings.push(limit(path, `\`${path}\` ${what}: the rest is not read.`));
  walk.isCut = true;
  return [];
}

const limit = (file: string, message: string): Finding =>
  findingAt(
    'MANIFEST.LIMIT',
    { file },
    {
      message,
      fix: 'Name the manifests by narrower paths, or keep them in a folder of their own.',
    },
  );

const missing = (file: string, what: string): Finding =>
  findingAt(
    'MANIFEST.MISSING',
    { file },
    {
      message: `\`${file}\` ${what}.`,
      fix: 'Correct the path, or make it a file that this process can read.',
    },
  );

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** Reads the files of one load, within bounds that hold for all of them together. */
export interface SourceReader {
  /** The text of a manifest; undefined where it is none, which is added to the findings. */
  manifest(path: string): string | undefined;
  /** Reads files beside a manifest. */
  beside(manifestPath: string): FileReader;
}

export function createSourceReader(findings: Finding[]): SourceReader {
  const left = { manifests: MAX_MANIFEST_BYTES, layers: MAX_LAYER_BYTES };
  return {
    manifest(path) {
      const file = readRegularFile(path, { maxBytes: Math.min(MAX_FILE_BYTES, left.manifests) });
      if (file.kind === 'read') left.manifests -= file.bytes.length;
      const isSpent = file.kind === 'too_large' && left.manifests < MAX_FILE_BYTES;
      if (!isSpent) return manifestText(path, file, findings);
      const message = `The manifests have more than \`${MAX_MANIFEST_BYTES}\` bytes together.`;
      findings.push(limit(path, message));
      return undefined;
    },
    beside: (manifestPath) => (name) => {
      const folder = dirname(manifestPath);
      const maxBytes = Math.min(MAX_LAYER_FILE_BYTES, left.layers);
      const file = readRegularFile(resolve(folder, name), { maxBytes, inside: folder });
      if (file.kind !== 'read') return { refused: refusalWords(file, maxBytes) };
      left.layers -= file.bytes.length;
      const text = decoded(file.bytes);
      return text.broken < 0 ? text.text : { refused: 'is not valid UTF-8' };
    },
  };
}

/**
 * The text of a manifest file by itself; undefined where it is none, which is added to the
 * findings.
 */
export const readManifestText = (path: string, findings: Finding[]): string | undefined =>
  createSourceReader(findings).manifest(path);

function manifestText(path: string, file: RegularFile, findings: Finding[]): string | undefined {
  if (file.kind === 'too_large') {
    findings.push(
      limit(path, `\`${path}\` is larger than \`${MAX_FILE_BYTES}\` bytes; no manifest is.`),
    );
    return undefined;
  }
  if (file.kind !== 'read') {
    findings.push(missing(path, refusalWords(file, MAX_FILE_BYTES)));
    return undefined;
  }
  const { text, broken } = decoded(file.bytes);
  if (broken < 0) return text;
  const before = text.slice(0, broken).split('\n');
  findings.push(
    findingAt(
      'MANIFEST.SYNTAX',
      { file: path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
      { message: 'The file is not valid UTF-8 from here on.', fix: 'Save it as UTF-8.' },
    ),
  );
  return undefined;
}

/** UTF-8, and the place from which on it is none; -1 where it is sound. */
function decoded(bytes: Buffer): { readonly text: string; readonly broken: number } {
  const text = bytes.toString('utf8');
  const isSound = Buffer.from(text, 'utf8').equals(bytes);
  return { text, broken: isSound ? -1 : text.indexOf('\uFFFD') };
}
