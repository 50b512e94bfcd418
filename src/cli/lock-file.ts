/** The lock file of the manifests of a call: beside the first of them. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Finding, ManifestSet } from '../index.ts';
import { checkLock, LOCK_FILE } from '../manifest/lock.ts';

export interface LockFile {
  readonly path: string;
  /** null where there is none. */
  readonly text: string | null;
}

/** The lock in the folder that is given first, or in that of the file that is. */
export function readLockFile(paths: readonly string[]): LockFile {
  const [first = '.'] = paths;
  const path = join(isFolder(first) ? first : dirname(first), LOCK_FILE);
  return { path, text: isThere(path) ? readFileSync(path, 'utf8') : null };
}

/**
 * What the lock finds in manifests, where there is one. Only for a whole folder: a manifest that is loaded without the collections that it
 * names has another digest than the locked one.
 */
export function lockFindings(set: ManifestSet, paths: readonly string[]): readonly Finding[] {
  const { path, text } = readLockFile(paths);
  return text === null || !isFolder(paths[0] ?? '.') ? [] : checkLock(set, { text, file: path });
}

/** A path as the lock at `lockPath` writes it, the same on every system. */
export const inLock = (lockPath: string, path: string): string => relative(dirname(lockPath), path).split(sep).join('/');

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
