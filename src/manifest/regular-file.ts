/**
 * The door through which files that others wrote are read: a regular file of bounded size, inside
 * of a folder where one is given. Never throws and never waits: a FIFO, a device and a file that
 * grows are answers.
 *
 * Invariant: what is judged is what is read. The file is opened once; its kind, its size and its
 * place are those of the open file (test/attack/hostile-files.test.ts).
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

export interface RegularFileLimits {
  readonly maxBytes: number;
  /** The folder that the real path must lie in. */
  readonly inside?: string;
}

export type RegularFile =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  /** Larger than `maxBytes`. */
  | { readonly kind: 'too_large' }
  /** The real path is not below `inside`. */
  | { readonly kind: 'outside' }
  /** A folder, a FIFO, a socket or a device. */
  | { readonly kind: 'no_file' }
  /** The system's code, such as `ENOENT`. */
  | { readonly kind: 'unreadable'; readonly reason: string };

export type FileRefusal = Exclude<RegularFile, { readonly kind: 'read' }>;

/** What a refusal says of a path: the end of a sentence. */
export function refusalWords(refusal: FileRefusal, maxBytes: number): string {
  if (refusal.kind === 'too_large') return `is larger than \`${maxBytes}\` bytes`;
  if (refusal.kind === 'outside') return 'leads out of its folder';
  if (refusal.kind === 'no_file') return 'is no regular file';
  return `cannot be read: \`${refusal.reason}\``;
}

/** Reads a regular file of at most `maxBytes`. */
export function readRegularFile(path: string, limits: RegularFileLimits): RegularFile {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK the open itself would wait for the writer of a FIFO. Windows has no such
    // flag.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return readOpen(descriptor, path, limits);
  } catch (error) {
    return { kind: 'unreadable', reason: systemCode(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readOpen(descriptor: number, path: string, limits: RegularFileLimits): RegularFile {
  const facts = fstatSync(descriptor);
  if (!facts.isFile()) return { kind: 'no_file' };
  if (limits.inside !== undefined && !isInside(descriptor, path, limits.inside)) {
    return { kind: 'outside' };
  }
  if (facts.size > limits.maxBytes) return { kind: 'too_large' };
  const bytes = readAtMost(descriptor, limits.maxBytes + 1);
  return bytes.length > limits.maxBytes ? { kind: 'too_large' } : { kind: 'read', bytes };
}

/**
 * Whether the open file is the one that the real path names, and that path is inside the folder. A
 * link that is exchanged between the open and this check names another file, which is refused.
 */
function isInside(descriptor: number, path: string, folder: string): boolean {
  const real = realpathSync(path);
  const open = fstatSync(descriptor, { bigint: true });
  const named = statSync(real, { bigint: true });
  if (open.dev !== named.dev || open.ino !== named.ino) return false;
  const inner = relative(realpathSync(folder), real);
  return inner !== '' && inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}

const CHUNK_BYTES = 65_536;

/**
 * Up to `most` bytes. The size that a file states says nothing below `/proc`, or while it grows.
 */
function readAtMost(descriptor: number, most: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, most - length));
    const read = readSync(descriptor, chunk);
    if (read === 0) break;
    chunks.push(chunk.subarray(0, read));
    length += read;
  }
  return Buffer.concat(chunks, length);
}

const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
