/** Which adapter reads a path, and what it finds there. */

import { createWriteStream } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseJsonText } from '../text/json-text.ts';
import { openDocument, openFolder, openScripts } from './documents.ts';
import { isFactFile, openFacts } from './facts.ts';
import { decodeUtf8, inputError } from './input-error.ts';
import { isLocomo, openLocomo } from './locomo.ts';
import type { AdapterName, Source, SourceFile } from './record.ts';
import { openTurns } from './turns.ts';

export interface Opened {
  readonly adapter: AdapterName;
  readonly sources: readonly Source[];
  /**
   * Removes what was laid down for it: standard input is read twice, so it is kept in a file
   * meanwhile.
   */
  close(): Promise<void>;
}

/** Where relative paths start, and what `-` reads. */
export interface SourceTerminal {
  /** Absolute. */
  readonly cwd: string;
  readonly stdin: AsyncIterable<Uint8Array | string>;
}

export interface OpenRequest {
  /** A file, a folder, or `-` for standard input. */
  readonly path: string;
  readonly adapter: AdapterName | undefined;
  /** What `--source` says. */
  readonly name: string | undefined;
  readonly terminal: SourceTerminal;
}

/** JSON that is no JSON Lines is read whole. */
const MAX_JSON_BYTES = 256 * 1024 * 1024;

/** Throws `CLI.INPUT` when nothing there can be read as any source. */
export async function openSource(request: OpenRequest): Promise<Opened> {
  if (request.path === '-') return openStdin(request);
  const path = resolve(request.terminal.cwd, request.path);
  const shown = request.path.replace(/(?<!\/)\/+$/, '') || '/';
  const file: SourceFile = {
    path,
    shown,
    name: request.name ?? basename(path),
    isNamed: request.name !== undefined,
  };
  return { ...(await openFile(file, request.adapter)), close: () => Promise.resolve() };
}

async function openFile(
  file: SourceFile,
  asked: AdapterName | undefined,
): Promise<Omit<Opened, 'close'>> {
  const found = await stat(file.path).catch(() => null);
  if (found === null)
    throw inputError(
      `There is no file or folder \`${file.shown}\`.`,
      'Check the path; `-` reads standard input.',
      { file: file.shown },
    );
  if (asked === 'scripts') return { adapter: asked, sources: await openScripts(file) };
  if (found.isDirectory()) return { adapter: 'markdown', sources: await openFolder(file) };
  if (found.size === 0)
    throw inputError('The file is empty.', 'Write something into it first.', { file: file.shown });
  const adapter = asked ?? (await detect(file));
  if (adapter === 'jsonl') return { adapter, sources: await openTurns(file) };
  if (adapter === 'markdown' || adapter === 'text')
    return { adapter, sources: await openDocument(file) };
  return openJson(file, found.size, asked);
}

async function openJson(
  file: SourceFile,
  bytes: number,
  asked: AdapterName | undefined,
): Promise<Omit<Opened, 'close'>> {
  if (bytes > MAX_JSON_BYTES)
    throw inputError(
      `The JSON file is ${bytes} bytes; the limit is ${MAX_JSON_BYTES}.`,
      'Write JSON Lines: they are streamed.',
      {
        file: file.shown,
      },
    );
  const text = decodeUtf8(await readFile(file.path), { file: file.shown, offset: 0 }).replace(
    /^\ufeff/,
    '',
  );
  const value = parseJsonText(text, { file: file.shown, code: 'CLI.INPUT' });
  if (asked === 'locomo' || (asked === undefined && isLocomo(value)))
    return { adapter: 'locomo', sources: openLocomo(value, file.shown) };
  if (asked === 'facts' || isFactFile(value))
    return { adapter: 'facts', sources: openFacts(value, file) };
  throw inputError(
    'The JSON is neither LoCoMo conversations nor facts.',
    'Write turns as JSON Lines, facts as `{ "facts": [ … ] }`, or say what it is with `--as`.',
    { file: file.shown },
  );
}

/**
 * By extension; without a known one by how it begins: a `{` that closes on its line is JSON Lines.
 */
async function detect(file: SourceFile): Promise<AdapterName> {
  const extension = extname(file.name).toLowerCase();
  if (extension === '.jsonl' || extension === '.ndjson') return 'jsonl';
  if (extension === '.md' || extension === '.markdown' || extension === '.mdx') return 'markdown';
  if (extension === '.txt' || extension === '.text') return 'text';
  const head = await headOf(file.path);
  if (head.startsWith('[')) return 'locomo';
  if (!head.startsWith('{')) return 'text';
  return isWholeObject(head.split('\n')[0] ?? '') &&
    !/^\{\s*"(?:facts|typed)"/.test(head) &&
    (extension !== '.json' || /\n[^\S\n]*\{/.test(head))
    ? 'jsonl'
    : 'facts';
}

const isWholeObject = (line: string): boolean =>
  line.trimEnd().endsWith('}') || line.length >= HEAD_BYTES;

const HEAD_BYTES = 64 * 1024;

async function headOf(path: string): Promise<string> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\ufeff/, '')
      .trimStart();
  } finally {
    await handle.close();
  }
}

/** Standard input laid down in a file, so that it can be read twice. */
export async function keepStdin(
  terminal: Pick<SourceTerminal, 'stdin'>,
): Promise<{ readonly path: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'contextengine-stdin-'));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'stdin');
    await pipeline(Readable.from(terminal.stdin, { objectMode: false }), createWriteStream(path));
    return { path, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openStdin({ terminal, name, adapter }: OpenRequest): Promise<Opened> {
  const { path, close } = await keepStdin(terminal);
  try {
    return {
      ...(await openFile(
        { path, shown: '-', name: name ?? 'stdin', isNamed: name !== undefined },
        adapter,
      )),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
