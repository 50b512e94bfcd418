/**
 * The little of tar (POSIX ustar) that a database folder needs: regular files and folders, short
 * paths, no links. tar, because PGlite loads an in-memory database from one.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { InternalError } from '../../../../src/codes/errors.ts';

const BLOCK = 512;
const MODE = { file: 0o640, folder: 0o750 } as const;

interface TarEntry {
  /** With `/` between the parts, relative. */
  readonly path: string;
  /** null = a folder. */
  readonly content: Uint8Array | null;
}

function headerOf(entry: TarEntry): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  const isFolder = entry.content === null;
  if (Buffer.byteLength(entry.path) > 100)
    throw new InternalError(`path too long for the seed: \`${entry.path}\``);
  const octal = (value: number, width: number): string =>
    `${value.toString(8).padStart(width - 1, '0')}\0`;
  header.write(entry.path, 0, 'utf8');
  header.write(octal(isFolder ? MODE.folder : MODE.file, 8), 100);
  header.write(octal(0, 8), 108); // owner
  header.write(octal(0, 8), 116); // group
  header.write(octal(entry.content?.length ?? 0, 12), 124);
  header.write(octal(0, 12), 136); // time: none, so that the same tree gives the same bytes
  header.write('        ', 148); // the checksum counts its own field as blanks
  header.write(isFolder ? '5' : '0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

async function listTree(root: string, path: string): Promise<TarEntry[]> {
  const entries: TarEntry[] = [];
  const children = await readdir(join(root, path), { withFileTypes: true });
  for (const child of children.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const childPath = posix.join(path, child.name);
    if (child.isDirectory())
      entries.push({ path: childPath, content: null }, ...(await listTree(root, childPath)));
    else entries.push({ path: childPath, content: await readFile(join(root, childPath)) });
  }
  return entries;
}

/** The folder's tree as tar bytes, in path order. */
export async function packFolder(root: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const entry of await listTree(root, '')) {
    parts.push(headerOf(entry));
    if (entry.content === null) continue;
    parts.push(entry.content, Buffer.alloc((BLOCK - (entry.content.length % BLOCK)) % BLOCK));
  }
  parts.push(Buffer.alloc(2 * BLOCK));
  return Buffer.concat(parts);
}

function* entriesOf(tar: Uint8Array): Generator<TarEntry> {
  const text = new TextDecoder();
  const field = (start: number, length: number): string => {
    const [value = ''] = text.decode(tar.subarray(start, start + length)).split('\0');
    return value;
  };
  for (let offset = 0; offset + BLOCK <= tar.length; ) {
    const path = field(offset, 100);
    if (path === '') return;
    const size = Number.parseInt(field(offset + 124, 12).trim() || '0', 8);
    const isFolder = field(offset + 156, 1) === '5';
    const start = offset + BLOCK;
    if (start + size > tar.length) throw new InternalError('the seed is cut short');
    yield { path, content: isFolder ? null : tar.subarray(start, start + size) };
    offset = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/**
 * Writes the tree under `root`, which must exist. PostgreSQL refuses folders that others may enter,
 * hence the modes. Synchronously, because a thousand small files through the thread pool take
 * several times as long on a busy machine; it happens once a folder.
 */
export function unpackInto(root: string, tar: Uint8Array): void {
  for (const entry of entriesOf(tar)) {
    const target = join(root, entry.path);
    if (entry.content === null) mkdirSync(target, { recursive: true, mode: MODE.folder });
    else writeFileSync(target, entry.content, { mode: MODE.file });
  }
}
