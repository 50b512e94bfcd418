/**
 * The word vectors that ship with the package: read when first needed, once in a process, and never
 * copied.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { assertThat, ContextEngineError } from '../codes/errors.ts';

/** Numbers in a row of the table. */
export const ROW_LENGTH = 256;

/**
 * English words, the most frequent first. Made by scripts/make-word-vectors.mjs, which states the
 * method.
 */
export interface WordTable {
  /** Lower-case word to its row. */
  readonly rows: ReadonlyMap<string, number>;
  /** `ROW_LENGTH` signed bytes a row. */
  readonly vectors: Int8Array;
  /** A row times its scale is the weighted vector of the word: the rarer the word, the longer. */
  readonly scales: Float32Array;
}

let shared: Promise<WordTable> | undefined;
let kept: WordTable | undefined;

/** Asked for late: a bundle in CommonJS has no URL, and refuses with a code of its own. */
const own = (): URL => new URL('./word-vectors/', import.meta.url);
const FILES = ['vocab.txt', 'vectors.i8', 'scales.f32'] as const;

/**
 * About 40 ms the first time, 8 MB that stay. Throws `INFERENCE.UNAVAILABLE` where the files of the
 * package are damaged; a later call tries again.
 */
export function loadWordTable(): Promise<WordTable> {
  shared ??= (kept ? Promise.resolve(kept) : readWordTable(own())).then(
    (table) => (kept = table),
    (error: unknown) => {
      shared = undefined;
      throw error;
    },
  );
  return shared;
}

/** The same table for a caller that cannot wait: it is read on its thread, if nobody has yet. */
export function wordTableNow(): WordTable {
  kept ??= toTable(
    FILES.map((name) => {
      try {
        return readFileSync(new URL(name, own()));
      } catch (cause) {
        return damaged(cause);
      }
    }),
  );
  return kept;
}

/** Reads `vocab.txt`, `vectors.i8` and `scales.f32` of a folder; its URL ends with a slash. */
export const readWordTable = async (folder: URL): Promise<WordTable> =>
  toTable(await Promise.all(FILES.map((name) => readFile(new URL(name, folder)).catch(damaged))));

function toTable([words, vectors, scales]: readonly Buffer[]): WordTable {
  assertThat(words && vectors && scales, 'three files are read');
  const rows = new Map<string, number>();
  for (const word of words.toString('utf8').trimEnd().split('\n')) rows.set(word, rows.size);
  if (vectors.length !== rows.size * ROW_LENGTH || scales.length !== rows.size * 4)
    damaged(
      new Error(
        `${rows.size} words, ${vectors.length} bytes of vectors, ${scales.length} bytes of scales`,
      ),
    );
  return {
    rows,
    vectors: new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length),
    /**
     * Read number by number: a file has no alignment, and its bytes are little-endian on every
     * machine.
     */
    scales: Float32Array.from({ length: rows.size }, (_, row) => scales.readFloatLE(row * 4)),
  };
}

function damaged(cause: unknown): never {
  throw new ContextEngineError('INFERENCE.UNAVAILABLE', {
    message:
      'The word vectors of the built-in embedder cannot be read: ' +
      `\`${cause instanceof Error ? cause.message : String(cause)}\`.`,
    fix:
      'Install contextengine again. In a bundle, keep `word-vectors/` beside the module that ' +
      'reads it, or mark contextengine as external.',
    cause,
  });
}
