/**
 * The first level of the embedding cache: least recently used vectors in process, and one request
 * for texts asked for at the same time.
 */
import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { assertThat } from '../codes/errors.ts';
import type { TenantId } from '../model/ids.ts';
import { abortedError, throwIfAborted } from './abort.ts';
import { readCacheFile, writeCacheFile } from './cache-file.ts';
import { type Embedder, type EmbedOptions, spaceName } from './embedder.ts';
import { fetchVectors, type SharedVectors } from './through-shared.ts';

export interface CacheOptions {
  /** Vectors kept; one of 256 dimensions takes about a kilobyte. */
  readonly maxEntries: number;
}
interface CacheStats {
  readonly entries: number;
  readonly hits: number;
  readonly misses: number;
}
/** Texts by the level that answered them, for one tenant. */
export interface LevelCounts {
  readonly process: number;
  readonly shared: number;
  readonly provider: number;
  readonly saved_chars: number;
}
const NO_COUNTS: LevelCounts = { process: 0, shared: 0, provider: 0, saved_chars: 0 };
export interface CachedEmbedder extends Embedder {
  readonly stats: () => CacheStats;
  /**
   * Writes the vectors, at most the `maxEntries` most recent ones, to a file, so that the next
   * process starts warm. Gives how many. Throws what the file system throws.
   */
  save(path: string, options?: CacheOptions): Promise<number>;
  /**
   * Adds the vectors of a file. Never throws: a file of another space, a damaged one or none gives
   * 0 and the reason.
   */
  load(path: string): Promise<{ readonly loaded: number; readonly reason: string | null }>;
  /**
   * Texts are known by their digests under this key (hexadecimal) from now on. To be called before
   * the first use; without it the key is empty, and nothing should be saved.
   */
  useKey(digestKey: string): void;
  /** Drops every vector: what they were made of is forgotten. */
  clear(): void;
  /** What this process does not hold is looked up there before the provider is asked. */
  shareWith(shared: SharedVectors): void;
  /** What was counted since the last call. */
  takeCounts(): ReadonlyMap<TenantId, LevelCounts>;
  /** Until what the provider made is in the shared level. */
  settled(): Promise<void>;
}

/** A request under way. It is aborted when the last of those who wait for it has gone. */
interface Flight {
  readonly vectors: Promise<ReadonlyMap<string, readonly number[]>>;
  readonly controller: AbortController;
  waiters: number;
}

/**
 * Vectors pass through single precision, hit or miss, so that both give the same bytes. Failures
 * are not kept.
 */
export function cachedEmbedder(inner: Embedder, { maxEntries }: CacheOptions): CachedEmbedder {
  const file = { space: spaceName(inner.space), dimensions: inner.space.dimensions };
  const vectors = new LRUCache<string, Float32Array>({ max: maxEntries });
  const flights = new Map<string, Flight>();
  const { count, fetch, ...levels } = throughLevels(inner);
  let digestKey = Buffer.alloc(0);
  let [hits, misses] = [0, 0];

  const start = (wanted: ReadonlyMap<string, string>, options: EmbedOptions): Flight => {
    const flight = takeOff(fetch, { wanted, options });
    for (const key of wanted.keys()) flights.set(key, flight);
    keepLanded(flight, { flights, vectors });
    return flight;
  };

  return {
    space: inner.space,
    stats: () => ({ entries: vectors.size, hits, misses }),
    async embed(texts, { kind, signal, tenant }) {
      throwIfAborted(signal);
      const keys = texts.map((text) => keyOf(digestKey, { kind, tenant }, text));
      const found = new Map<string, readonly number[]>();
      const joined = new Set<Flight>();
      const wanted = new Map<string, string>();
      keys.forEach((key, index) => {
        const vector = vectors.get(key);
        const flight = flights.get(key);
        if (vector) found.set(key, Array.from(vector));
        else if (flight && !flight.controller.signal.aborted) joined.add(flight);
        else wanted.set(key, texts[index] ?? '');
        if (vector) hits += 1;
        else misses += 1;
      });
      const own = texts.filter((_, place) => !wanted.has(keys[place] ?? ''));
      count(tenant, { process: own.length, saved_chars: charsOf(own) });
      if (wanted.size > 0) joined.add(start(wanted, { kind, ...(tenant && { tenant }) }));
      for (const fresh of await arrivals([...joined], signal))
        for (const [key, vector] of fresh) found.set(key, vector);
      return keys.map((key) => {
        const vector = found.get(key);
        assertThat(vector?.length === file.dimensions, 'an embedder gives a vector for every text');
        return vector;
      });
    },
    save: (path, most) =>
      writeCacheFile(path, {
        ...file,
        entries: [...vectors.keys()]
          .slice(0, most?.maxEntries ?? maxEntries)
          .reverse()
          .flatMap((key) => entryOf(vectors, key)),
      }),
    async load(path) {
      const { entries, reason } = await readCacheFile(path, file);
      for (const [key, vector] of entries) if (!vectors.has(key)) vectors.set(key, vector);
      return { loaded: entries.length, reason };
    },
    useKey(given) {
      digestKey = Buffer.from(given, 'hex');
    },
    clear: () => {
      flights.clear();
      vectors.clear();
    },
    ...levels,
    close: () => inner.close(),
  };
}

interface Kept {
  readonly flights: Map<string, Flight>;
  readonly vectors: LRUCache<string, Float32Array>;
}

/** What was asked before the cache was cleared answers its caller, and is kept nowhere. */
function keepLanded(flight: Flight, { flights, vectors }: Kept): void {
  const isAwaited = (key: string): boolean => flights.get(key) === flight;
  const keep = (fresh: ReadonlyMap<string, readonly number[]>): void => {
    for (const [key, vector] of fresh)
      if (isAwaited(key)) vectors.set(key, Float32Array.from(vector));
  };
  const land = (): void => {
    for (const key of flights.keys()) if (isAwaited(key)) flights.delete(key);
  };
  flight.vectors.then(keep).then(land, land);
}

/** The levels behind this one, and what was counted of all. */
function throughLevels(inner: Embedder) {
  let shared: SharedVectors | null = null;
  let counts = new Map<TenantId, LevelCounts>();
  const storing = new Set<Promise<void>>();
  const count = (tenant: TenantId | undefined, more: Partial<LevelCounts>): void => {
    if (tenant === undefined) return;
    const { process, shared: others, provider, saved_chars } = counts.get(tenant) ?? NO_COUNTS;
    counts.set(tenant, {
      process: process + (more.process ?? 0),
      shared: others + (more.shared ?? 0),
      provider: provider + (more.provider ?? 0),
      saved_chars: saved_chars + (more.saved_chars ?? 0),
    });
  };
  const fetch: Fetch = async (texts, options) => {
    const {
      vectors: found,
      shared: known,
      ...rest
    } = await fetchVectors(texts, options, {
      inner,
      shared,
    });
    storing.add(rest.storing);
    rest.storing.then(() => storing.delete(rest.storing));
    const saved = texts.filter((_, place) => known.has(place));
    count(options.tenant, {
      shared: saved.length,
      provider: texts.length - saved.length,
      saved_chars: charsOf(saved),
    });
    return found;
  };
  return {
    count,
    fetch,
    shareWith(given: SharedVectors) {
      shared = given;
    },
    takeCounts(): ReadonlyMap<TenantId, LevelCounts> {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    settled: async () => void (await Promise.all(storing)),
  };
}

type Fetch = (
  texts: readonly string[],
  options: EmbedOptions,
) => Promise<readonly (readonly number[])[]>;

const charsOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length, 0);

function takeOff(
  fetch: Fetch,
  {
    wanted,
    options,
  }: { readonly wanted: ReadonlyMap<string, string>; readonly options: EmbedOptions },
): Flight {
  const controller = new AbortController();
  const keys = [...wanted.keys()];
  const vectors = fetch([...wanted.values()], { ...options, signal: controller.signal }).then(
    (result) =>
      new Map(keys.map((key, index) => [key, Array.from(result[index] ?? [], Math.fround)])),
  );
  return { vectors, controller, waiters: 0 };
}

/**
 * What the flights bring; whoever gives up leaves at once, and the last one to leave calls the
 * request off.
 */
async function arrivals(
  flights: readonly Flight[],
  signal: AbortSignal | undefined,
): Promise<readonly ReadonlyMap<string, readonly number[]>[]> {
  for (const flight of flights) flight.waiters += 1;
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortedError(signal?.reason));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([Promise.all(flights.map(({ vectors }) => vectors)), aborted]);
  } finally {
    if (onAbort) signal?.removeEventListener('abort', onAbort);
    for (const flight of flights) {
      flight.waiters -= 1;
      if (flight.waiters === 0) flight.controller.abort(signal?.reason);
    }
  }
}

const entryOf = (
  vectors: LRUCache<string, Float32Array>,
  key: string,
): readonly (readonly [string, Float32Array])[] => {
  const vector = vectors.peek(key);
  return vector ? [[key, vector]] : [];
};

/**
 * HMAC-SHA-256 over tenant, kind and text, hexadecimal: that another tenant asked would show by the
 * vector being there, and a query and a document of the same words may have different ones.
 */
const keyOf = (
  digestKey: Buffer,
  { kind, tenant }: { kind: EmbedOptions['kind']; tenant: TenantId | undefined },
  text: string,
): string =>
  createHmac('sha256', digestKey)
    .update(`${tenant ?? ''}\0${kind}\0`)
    .update(text)
    .digest('hex');
