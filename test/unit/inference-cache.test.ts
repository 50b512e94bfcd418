import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContextEngineError } from '../../src/codes/errors.ts';
import { cachedEmbedder } from '../../src/inference/cached-embedder.ts';
import type { Embedder } from '../../src/inference/embedder.ts';
import { wordEmbedder } from '../../src/inference/word-embedder.ts';
import { parseTenant } from '../../src/model/ids.ts';

/** An embedder that answers when it is told to, and knows what it was asked. */
interface Gated extends Embedder {
  readonly asked: (readonly string[])[];
  readonly signals: AbortSignal[];
  release(error?: Error): void;
}
function gated(): Gated {
  const asked: (readonly string[])[] = [];
  const signals: AbortSignal[] = [];
  const waiting: {
    readonly resolve: (vectors: number[][]) => void;
    readonly reject: (error: Error) => void;
    readonly texts: readonly string[];
  }[] = [];
  return {
    space: { provider: 'test', model: 'gated', dimensions: 2 },
    asked,
    signals,
    embed(texts, { signal }) {
      asked.push(texts);
      if (signal) signals.push(signal);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject, texts });
      });
    },
    release(error) {
      for (const { resolve, reject, texts } of waiting.splice(0)) {
        if (error) reject(error);
        else resolve(texts.map((text) => [text.length, 0.1]));
      }
    },
    async close() {},
  };
}
const document = { kind: 'document' } as const;
const down = new ContextEngineError('INFERENCE.UNAVAILABLE', { message: 'down', fix: 'wait' });

describe('cachedEmbedder', () => {
  it('asks once for what it knows, also within one call, and gives the same bytes fresh or kept', async () => {
    const inner = gated();
    const cached = cachedEmbedder(inner, { maxEntries: 10 });
    const first = cached.embed(['a', 'bb', 'a'], document);
    inner.release();
    const fresh = await first;
    expect(inner.asked).toEqual([['a', 'bb']]);
    expect(fresh[0]).toEqual(fresh[2]);
    expect(await cached.embed(['bb', 'a'], document)).toEqual([fresh[1], fresh[0]]);
    expect(inner.asked).toHaveLength(1);
    expect(cached.stats()).toEqual({ entries: 2, hits: 2, misses: 3 });
  });

  it('keeps nothing that was asked before it was cleared, and joins no such call', async () => {
    const inner = gated();
    const cached = cachedEmbedder(inner, { maxEntries: 10 });
    const early = cached.embed(['forgotten'], document);
    cached.clear();
    const late = cached.embed(['forgotten'], document);
    expect(inner.asked).toEqual([['forgotten'], ['forgotten']]);
    cached.clear();
    inner.release();
    expect([(await early).length, (await late).length]).toEqual([1, 1]);
    expect(cached.stats().entries).toBe(0);
  });

  it('keeps tenants apart: that another one asked would show', async () => {
    const inner = gated();
    const cached = cachedEmbedder(inner, { maxEntries: 10 });
    for (const tenant of ['acme', 'rival'].map((name) => parseTenant(name))) {
      const asked = cached.embed(['merger'], { ...document, tenant });
      inner.release();
      await asked;
    }
    expect(inner.asked).toEqual([['merger'], ['merger']]);
  });

  it('keeps queries and documents apart', async () => {
    const inner = gated();
    const cached = cachedEmbedder(inner, { maxEntries: 10 });
    const both = Promise.all([
      cached.embed(['a'], document),
      cached.embed(['a'], { kind: 'query' }),
    ]);
    inner.release();
    await both;
    expect(inner.asked).toHaveLength(2);
  });

  it('joins a request that is under way', async () => {
    const inner = gated();
    const cached = cachedEmbedder(inner, { maxEntries: 10 });
    const both = Promise.all([
      cached.embed(['a', 'bb'], document),
      cached.embed(['bb', 'ccc'], document),
    ]);
    inner.release();
    const [[, first], [second]] = await both;
    expect(inner.asked).toEqual([['a', 'bb'], ['ccc']]);
    expect(first).toEqual(second);
  });

  it('forgets what was asked for least recently', async () => {
    const cached = cachedEmbedder(wordEmbedder(), { maxEntries: 2 });
    for (const text of ['one', 'two', 'one', 'three', 'one']) await cached.embed([text], document);
    expect(cached.stats()).toEqual({ entries: 2, hits: 2, misses: 3 });
    await cached.embed(['two'], document);
    expect(cached.stats().misses).toBe(4);
  });

  it('does not keep a failure', async () => {
    const inner = gated();
    const cached = cachedEmbedder(inner, { maxEntries: 10 });
    const failing = cached.embed(['a'], document);
    inner.release(down);
    await expect(failing).rejects.toBe(down);
    const again = cached.embed(['a'], document);
    inner.release();
    expect(await again).toHaveLength(1);
  });

  it('lets one caller go and calls the request off when the last one has gone', async () => {
    const inner = gated();
    const cached = cachedEmbedder(inner, { maxEntries: 10 });
    const [one, two] = [new AbortController(), new AbortController()];
    const first = cached.embed(['a'], { ...document, signal: one.signal });
    const second = cached.embed(['a'], { ...document, signal: two.signal });
    one.abort();
    await expect(first).rejects.toMatchObject({ code: 'CONNECTOR.DEADLINE' });
    expect(inner.signals[0]?.aborted).toBe(false);
    two.abort();
    await expect(second).rejects.toMatchObject({ code: 'CONNECTOR.DEADLINE' });
    expect(inner.signals[0]?.aborted).toBe(true);
    const third = cached.embed(['a'], document);
    inner.release();
    expect(await third).toHaveLength(1);
    expect(inner.asked).toHaveLength(2);
    await expect(cached.embed(['a'], { ...document, signal: one.signal })).rejects.toMatchObject({
      code: 'CONNECTOR.DEADLINE',
    });
  });
});

describe('the cache file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedding-cache-'));
    path = join(folder, 'deep', 'cache.bin');
  });
  afterEach(() => rm(folder, { recursive: true }));
  const saved = async (): Promise<readonly (readonly number[])[]> => {
    const cached = cachedEmbedder(wordEmbedder(), { maxEntries: 10 });
    const vectors = await cached.embed(['one', 'two', ''], document);
    expect(await cached.save(path)).toBe(3);
    return vectors;
  };

  it('brings back the same vectors, and leaves no draft', async () => {
    const vectors = await saved();
    const cached = cachedEmbedder(wordEmbedder(), { maxEntries: 10 });
    expect(await cached.load(path)).toEqual({ loaded: 3, reason: null });
    expect(await cached.embed(['one', 'two', ''], document)).toEqual(vectors);
    expect(cached.stats()).toEqual({ entries: 3, hits: 3, misses: 0 });
    expect(await readdir(join(folder, 'deep'))).toEqual(['cache.bin']);
  });

  it('keeps the most recent ones where there is room for fewer', async () => {
    await saved();
    const cached = cachedEmbedder(wordEmbedder(), { maxEntries: 1 });
    await cached.load(path);
    await cached.embed([''], document);
    expect(cached.stats()).toEqual({ entries: 1, hits: 1, misses: 0 });
  });

  it.each<[string, string, (file: string) => Promise<unknown>]>([
    ['missing', 'ENOENT', (file) => rm(file)],
    ['damaged', 'damaged', async (file) => truncate(file, (await readFile(file)).length - 5)],
    ['of another kind', 'not an embedding cache', (file) => writeFile(file, '{"format": 3}\nx')],
    ['empty', 'not an embedding cache', (file) => writeFile(file, '')],
    [
      'of another space',
      'of the space builtin/use-static-31k.2/256',
      async (file) =>
        writeFile(
          file,
          (await readFile(file, 'latin1')).replace('static-30k', 'static-31k'),
          'latin1',
        ),
    ],
  ])('says why a file that is %s gives nothing', async (_, reason, spoil) => {
    await saved();
    await spoil(path);
    const reading = await cachedEmbedder(wordEmbedder(), { maxEntries: 10 }).load(path);
    expect(reading.loaded).toBe(0);
    expect(reading.reason).toContain(reason);
  });
});
