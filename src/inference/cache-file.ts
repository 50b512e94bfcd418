/**
 * The file of the embedding cache: one line of JSON (format, space, dimensions, count, SHA-256 of
 * the rest), then per entry 32 bytes of key and the vector in little-endian single precision, least
 * recently used first.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** In 1, texts were known by digests without a key; in 2, without their tenant. */
const FORMAT = 'contextengine-embedding-cache/3';
const KEY_BYTES = 32;
const FLOAT_BYTES = 4;
const NEWLINE = 0x0a;
/**
 * No cache written here comes near it: 2,000 vectors of 16,000 dimensions are 128 MB. A larger file
 * is not read.
 */
const MAX_BYTES = 256 * 1024 * 1024;

export type CacheEntry = readonly [key: string, vector: Float32Array];
export interface CacheFileSpace {
  readonly space: string;
  readonly dimensions: number;
}
export interface CacheFileReading {
  readonly entries: readonly CacheEntry[];
  /** Why there are none; null when the file was read. */
  readonly reason: string | null;
}

/**
 * Writes beside the file and renames, so that a crash leaves the old file or the new one. Gives the
 * number of entries.
 */
export async function writeCacheFile(
  path: string,
  { space, dimensions, entries }: CacheFileSpace & { readonly entries: readonly CacheEntry[] },
): Promise<number> {
  const recordBytes = KEY_BYTES + dimensions * FLOAT_BYTES;
  const body = Buffer.alloc(entries.length * recordBytes);
  entries.forEach(([key, vector], index) => {
    const at = index * recordBytes;
    body.write(key, at, 'hex');
    vector.forEach((value, dimension) => {
      body.writeFloatLE(value, at + KEY_BYTES + dimension * FLOAT_BYTES);
    });
  });
  const header = JSON.stringify({
    format: FORMAT,
    space,
    dimensions,
    count: entries.length,
    sha256: digest(body),
  });
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(draft, Buffer.concat([Buffer.from(`${header}\n`), body]));
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return entries.length;
}

/** Never throws. A file of another space is as good as none. */
export async function readCacheFile(
  path: string,
  expected: CacheFileSpace,
): Promise<CacheFileReading> {
  let bytes: Buffer;
  try {
    if ((await stat(path)).size > MAX_BYTES) return nothing('it is too large');
    bytes = await readFile(path);
  } catch (error) {
    return nothing(
      'it cannot be read ' +
        `(${error instanceof Error && 'code' in error ? String(error.code) : String(error)})`,
    );
  }
  const end = bytes.indexOf(NEWLINE);
  const header = end < 0 ? null : parseHeader(bytes.toString('utf8', 0, end));
  if (header === null) return nothing('it is not an embedding cache');
  if (header['space'] !== expected.space || header['dimensions'] !== expected.dimensions)
    return nothing(`it is of the space ${String(header['space'])}`);
  const body = bytes.subarray(end + 1);
  if (
    header['sha256'] !== digest(body) ||
    body.length % (KEY_BYTES + expected.dimensions * FLOAT_BYTES) !== 0
  )
    return nothing('it is damaged');
  return { entries: entriesOf(body, expected.dimensions), reason: null };
}

function entriesOf(body: Buffer, dimensions: number): readonly CacheEntry[] {
  const recordBytes = KEY_BYTES + dimensions * FLOAT_BYTES;
  return Array.from({ length: body.length / recordBytes }, (_, index) => {
    const at = index * recordBytes;
    const vector = Float32Array.from({ length: dimensions }, (_value, dimension) =>
      body.readFloatLE(at + KEY_BYTES + dimension * FLOAT_BYTES),
    );
    return [body.toString('hex', at, at + KEY_BYTES), vector];
  });
}

function parseHeader(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const header: unknown = JSON.parse(line);
    return typeof header === 'object' &&
      header !== null &&
      'format' in header &&
      header.format === FORMAT
      ? { ...header }
      : null;
  } catch {
    return null;
  }
}

const nothing = (reason: string): CacheFileReading => ({ entries: [], reason });
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
