/**
 * Globs -> the code files that are linted, with `tinyglobby`: `**`, `*`, `?`, `[abc]`, `{a,b}` and
 * `!negation`.
 */
import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { escapePath, type FileSystemAdapter, globSync } from 'tinyglobby';
import { ContextEngineError } from '../codes/errors.ts';
import type { Finding } from '../codes/finding.ts';
import { shown } from '../model/ids.ts';
import { folderLimit } from './limits.ts';

const CODE_FILE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const DECLARATION_FILE = /\.d\.(?:[cm]?ts|[a-z]+\.ts)$/;
const OUTPUT_FOLDERS = ['dist', 'build', 'out', 'coverage'];
/** Entries of all folders that are looked into. Chosen: more than a large repository holds. */
const MAX_ENTRIES = 200_000;

export interface FoundFiles {
  /** Absolute, with `/`, in order. */
  readonly files: readonly string[];
  /** Globs that matched no file. */
  readonly unmatched: readonly string[];
  /** Folders that are not looked into. */
  readonly findings: readonly Finding[];
}

/**
 * All code files that a glob names and no `!glob` takes away. A folder stands for the code below it
 * but its `dist`, `build`, `out` and `coverage`; `node_modules`, hidden folders and `.d.ts` are
 * out, and linked folders are not followed.
 *
 * A folder that cannot be read, and one of too many entries, is a finding.
 *
 * @throws `CONFIG.INVALID_VALUE` for a glob that is no path and no pattern.
 */
export function findCodeFiles(globs: readonly string[], cwd: string): FoundFiles {
  const findings: Finding[] = [];
  const search: Search = { cwd, fs: boundedFolders(findings) };
  const taken = globs
    .filter((glob) => glob.startsWith('!'))
    .flatMap((glob) => patternOf(glob.slice(1), cwd).include);
  const found = new Set<string>();
  const unmatched: string[] = [];
  for (const glob of globs) {
    if (glob.startsWith('!')) continue;
    const files = filesOf(patternOf(glob, cwd), taken, search);
    if (files.length === 0) unmatched.push(glob);
    for (const path of files) found.add(path);
  }
  return { files: [...found].sort(), unmatched, findings };
}

interface Search {
  readonly cwd: string;
  readonly fs: FileSystemAdapter;
}

interface Pattern {
  readonly include: string;
  readonly exclude: readonly string[];
}

const slashed = (path: string): string => path.replaceAll('\\', '/');

/**
 * A path that is there is taken as it is written, whatever characters it holds; a folder stands for
 * what is below it.
 */
function patternOf(glob: string, cwd: string): Pattern {
  const path = slashed(resolve(cwd, glob));
  const facts = statsOf(path);
  if (!facts) return { include: slashed(glob).replace(/^(?:\.\/)+/, ''), exclude: [] };
  const fixed = escapePath(path);
  if (!facts.isDirectory()) return { include: fixed, exclude: [] };
  // What stands in the output folders was compiled from the code beside them, and has lost its
  // types.
  return {
    include: `${fixed}/**`,
    exclude: OUTPUT_FOLDERS.map((name) => `${fixed}/${name}/**`),
  };
}

function filesOf(
  { include, exclude }: Pattern,
  taken: readonly string[],
  { cwd, fs }: Search,
): readonly string[] {
  const files = globSync(include, {
    cwd,
    fs,
    absolute: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**', ...exclude, ...taken],
  });
  return files.filter((path) => CODE_FILE.test(path) && !DECLARATION_FILE.test(path));
}

/**
 * The file system as `tinyglobby` sees it: it passes over folders that it cannot read, as if they
 * held nothing wrong, and has no bound of its own.
 */
function boundedFolders(findings: Finding[]): FileSystemAdapter {
  const passed = new Set<string>();
  const pass = (path: string, why: string): [] => {
    if (!passed.has(path)) findings.push(folderLimit(path, why));
    passed.add(path);
    return [];
  };
  let left = MAX_ENTRIES;
  const list = (path: string, options: { readonly withFileTypes: true }) => {
    if (left < 0) return [];
    try {
      const entries = readdirSync(path, options);
      left -= entries.length;
      if (left >= 0) return entries;
      return pass(path, `and those before it have more than \`${MAX_ENTRIES}\` entries`);
    } catch (error) {
      // A glob may begin with a folder that is not there: it matches nothing.
      if (reasonOf(error) === 'ENOENT') return [];
      return pass(path, `cannot be read: \`${reasonOf(error)}\``);
    }
  };
  // called with these options alone
  return { readdirSync: list as typeof readdirSync, realpathSync, statSync };
}

const statsOf = (path: string): Stats | undefined =>
  looked(path, () => statSync(path, { throwIfNoEntry: false }));

/** What cannot be read would be passed over as if it were sound. */
function looked<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (cause) {
    throw unreadable(path, `\`${reasonOf(cause)}\``, cause);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

const unreadable = (path: string, reason: string, cause?: unknown): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${shown(path)}\` cannot be read: ${reason}.`,
    fix: 'Name the code by narrower globs, or make it readable.',
    where: { field: 'code' },
    cause,
  });
