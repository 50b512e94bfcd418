/** The lock file of the manifests of a call: beside the first of them. */
import { statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Finding, ManifestSet } from '../index.ts';
import { ContextEngineError } from '../index.ts';
import { checkLock, LOCK_FILE } from '../manifest/lock.ts';
import { readRegularFile, refusalWords } from '../manifest/regular-file.ts';

/** Chosen: some thousand versions of manifests. */
const MAX_LOCK_BYTES = 8_388_608;

export interface LockFile {
  readonly path: string;
  /** null where there is none. */
  readonly text: string | null;
}

/**
 * The lock in the folder that is given first, or in that of the file that is. Throws `CLI.INPUT`
 * for one that is no regular file: a FIFO would never end.
 */
export function readLockFile(paths: readonly string[]): LockFile {
  const [first = '.'] = paths;
  const path = join(isFolder(first) ? first : dirname(first), LOCK_FILE);
  const file = readRegularFile(path, { maxBytes: MAX_LOCK_BYTES });
  if (file.kind === 'read') return { path, text: file.bytes.toString('utf8') };
  if (file.kind === 'unreadable' && file.reason === 'ENOENT') return { path, text: null };
  throw new ContextEngineError('CLI.INPUT', {
    message: `The lock \`${LOCK_FILE}\` ${refusalWords(file, MAX_LOCK_BYTES)}.`,
    fix: 'Remove it, and write it anew with `contextengine plan --write`.',
    where: { file: path },
  });
}

/**
 * What the lock finds in manifests, where there is one. Only for a whole folder: a manifest that is
 * loaded without the collections that it names has another digest than the locked one.
 */
export function lockFindings(set: ManifestSet, paths: readonly string[]): readonly Finding[] {
  const { path, text } = readLockFile(paths);
  return text === null || !isFolder(paths[0] ?? '.') ? [] : checkLock(set, { text, file: path });
}

/** A path as the lock at `lockPath` writes it, the same on every system. */
export const inLock = (lockPath: string, path: string): string =>
  relative(dirname(lockPath), path).split(sep).join('/');

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
