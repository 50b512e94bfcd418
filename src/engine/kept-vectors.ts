/**
 * The vectors of an embedded folder's last run, so that the first query after a restart asks no
 * provider.
 *
 * They lie in the data folder under its lock, so one process writes them. The file holds keyed
 * digests (under the key of the folder's own tenant) and vectors, no text. The built-in embedder
 * has none: it embeds a text in less time than its
 * vector takes to read.
 */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { CachedEmbedder } from '../inference/cached-embedder.ts';
import type { TenantId } from '../model/ids.ts';
import type { DatabaseOptions } from './context-engine.ts';

const FILE = 'embedding-cache.bin';
/** The most recent ones; 12 MB at 1,536 dimensions, read in some 30 ms. */
const MOST_KEPT = 2_000;

export interface KeptVectors {
  /**
   * Never rejects: without the file the next process asks the provider again, and nothing else
   * changes.
   */
  save(): Promise<void>;
  /**
   * Drops what is kept, in memory and elsewhere: texts that it was made of are forgotten.
   * `CONNECTOR.UNAVAILABLE` where a shared level does not answer.
   */
  drop(tenant: TenantId): Promise<void>;
}

/**
 * Loads what the last run left. A file that is damaged, or of another space or program, counts as
 * none and is replaced.
 */
export async function keepVectors(
  embedder: CachedEmbedder | null,
  database: DatabaseOptions,
  digestKey: () => Promise<string>,
): Promise<KeptVectors> {
  if (!('dataDir' in database))
    return { save: async () => undefined, drop: async () => embedder?.clear() };
  const { dataDir } = database;
  const file = path.join(dataDir, FILE);
  // What a process that died while it saved left holds what this one may be asked to forget.
  await removeFiles(dataDir, isDraft);
  const isKept = embedder !== null && embedder.space.provider !== 'builtin';
  if (isKept) {
    embedder.useKey(await digestKey());
    await embedder.load(file);
  }
  // One after the other: a file that is being written would come back after it was dropped.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    const done = last.then(step);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    save: () =>
      inTurn(async () => {
        if (isKept && embedder.stats().misses > 0)
          await embedder.save(file, { maxEntries: MOST_KEPT }).catch(() => undefined);
      }),
    // Whatever embeds now: the file may be of a run with another embedder.
    drop: () => {
      embedder?.clear();
      return inTurn(() => removeFiles(dataDir, (name) => name === FILE || isDraft(name)));
    },
  };
}

const isDraft = (name: string): boolean => name.startsWith(`${FILE}.`) && name.endsWith('.tmp');

async function removeFiles(folder: string, isOne: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder))
    if (isOne(name)) await rm(path.join(folder, name), { force: true });
}
