/**
 * The vectors of an embedded folder's last run, so that the first query after a restart asks no
 * provider.
 *
 * They lie in the data folder under its lock, so one process writes them. The file holds keyed
 * digests (under the key of the folder's own tenant) and vectors, no text. The built-in embedder
 * has none: it embeds a text in less time than its
 * vector takes to read.
 */
import { rm } from 'node:fs/promises';
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
  if (embedder === null || embedder.space.provider === 'builtin' || !('dataDir' in database))
    return { save: async () => undefined, drop: async () => embedder?.clear() };
  const file = path.join(database.dataDir, FILE);
  embedder.useKey(await digestKey());
  await embedder.load(file);
  return {
    async save() {
      if (embedder.stats().misses > 0)
        await embedder.save(file, { maxEntries: MOST_KEPT }).catch(() => undefined);
    },
    async drop() {
      embedder.clear();
      await rm(file, { force: true });
    },
  };
}
