/**
 * Copies of the projection below the folder of a mount. One serves: the file `current.json` names
 * it, and is replaced in one step. Others are being made, or were left by a process that died.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Connection, Table } from '@lancedb/lancedb';
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { ProjectionOptions } from '../../src/cxri/projection.ts';
import { WORD_RULES } from '../../src/text/bm25.ts';
import type { Lance } from './load.ts';
import { schemaOf } from './records.ts';

/** What a copy was made for; another space, or other words, takes another copy. */
export interface CopyFacts {
  readonly name: string;
  readonly space: ProjectionOptions['space'];
  readonly words: number;
}
export interface Copy extends CopyFacts {
  readonly folder: string;
  readonly rows: Table;
  close(): void;
}

export interface Copies {
  readonly folder: string;
  /** The copy that serves, read anew where another process replaced it; null = there is none. */
  current(): Promise<Copy | null>;
  make(): Promise<Copy>;
  /**
   * Serves from now on; the one before is removed, and so are all others, unless another process
   * makes one: `others` are to `go` only by the holder of both locks.
   */
  serve(copy: Copy, others: 'go' | 'stay'): Promise<void>;
  /** Removes what dead processes left: all but the copy that serves. For whom as above. */
  tidy(): void;
  drop(copy: Copy): void;
  close(): void;
}

const POINTER = 'current.json';
const PREFIX = 'copy-';

export function copiesIn(folder: string, space: ProjectionOptions['space'], lance: Lance): Copies {
  const pointer = join(folder, POINTER);
  let held: Copy | null = null;
  const current = async (): Promise<Copy | null> => {
    const facts = readPointer(pointer);
    if (held && held.name !== facts?.name) {
      held.close();
      held = null;
    }
    if (facts) held ??= await openCopy(folder, facts, lance);
    return held;
  };
  return {
    folder,
    current,
    make: async () => {
      const facts = { name: `${PREFIX}${randomUUID()}`, space, words: WORD_RULES };
      return makeCopy(folder, facts, lance);
    },
    serve: async (copy, others) => {
      const { name, space: of, words } = copy;
      const before = servingName(pointer);
      await replaceFile(pointer, JSON.stringify({ name, space: of, words }));
      if (others === 'go') removeOthers(folder, name);
      else if (before !== undefined && before !== name)
        rmSync(join(folder, before), { recursive: true, force: true });
    },
    tidy: () => removeOthers(folder, readPointer(pointer)?.name),
    drop: (copy) => {
      copy.close();
      rmSync(copy.folder, { recursive: true, force: true });
    },
    close: () => {
      held?.close();
      held = null;
    },
  };
}

/** Written by `serve`, whole or not at all, hence the cast. */
function readPointer(pointer: string): CopyFacts | null {
  if (!existsSync(pointer)) return null;
  try {
    return JSON.parse(readFileSync(pointer, 'utf8')) as CopyFacts;
  } catch (cause) {
    throw new ContextEngineError('CONNECTOR.CORRUPT', {
      message: `The mount is damaged: its file \`${POINTER}\` cannot be read.`,
      fix: 'Run `contextengine rebuild MOUNT`.',
      cause,
    });
  }
}

/** A rebuild takes the place of what is damaged as well. */
function servingName(pointer: string): string | undefined {
  try {
    return readPointer(pointer)?.name;
  } catch {
    return undefined;
  }
}

function removeOthers(folder: string, name: string | undefined): void {
  for (const entry of readdirSync(folder))
    if ((entry.startsWith(PREFIX) && entry !== name) || entry.startsWith(`${POINTER}.`))
      rmSync(join(folder, entry), { recursive: true, force: true });
}

/** Whole or as before, whatever dies meanwhile. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const prepared = `${path}.${randomUUID()}`;
  const file = await open(prepared, 'wx');
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(prepared, path);
}

interface Tables {
  readonly db: Connection;
  readonly rows: Table;
}
const opened = (path: string, facts: CopyFacts, { db, rows }: Tables): Copy => ({
  ...facts,
  folder: path,
  rows,
  close: () => {
    rows.close();
    db.close();
  },
});

/** Rows of other processes are seen at once: a connection looks for them at each call. */
const connect = ({ lancedb }: Lance, path: string): Promise<Connection> =>
  lancedb.connect(path, { readConsistencyInterval: 0 });

async function openCopy(folder: string, facts: CopyFacts, lance: Lance): Promise<Copy> {
  const path = join(folder, facts.name);
  const db = await connect(lance, path);
  return opened(path, facts, { db, rows: await db.openTable('rows') });
}

async function makeCopy(folder: string, facts: CopyFacts, lance: Lance): Promise<Copy> {
  const path = join(folder, facts.name);
  await mkdir(path, { recursive: true });
  const db = await connect(lance, path);
  const rows = await db.createEmptyTable('rows', schemaOf(lance, facts.space?.dimensions ?? 0));
  const { Index } = lance.lancedb;
  // Terms are the authority's: nothing is left for a tokenizer to do.
  const words = Index.fts({
    baseTokenizer: 'whitespace',
    withPosition: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    lowercase: false,
    maxTokenLength: 200,
  });
  await rows.createIndex('words', { config: words });
  // Of a scope too: a tree gathers the rows of a large one anew at each search (12 ms at 230,000).
  for (const column of ['tenant', 'ledger', 'scope', 'category', 'class'])
    await rows.createIndex(column, { config: Index.bitmap() });
  for (const column of ['key', 'valid_from', 'valid_until', 'recorded_seq'])
    await rows.createIndex(column, { config: Index.btree() });
  await rows.createIndex('tags', { config: Index.labelList() });
  return opened(path, facts, { db, rows });
}

/** Of all files below a folder. */
export function bytesOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile())
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
