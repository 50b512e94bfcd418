/**
 * The cache over a day: 10,000 texts, some asked for often and most seldom (Zipf), one in twenty
 * never asked for before, in a process that starts from the file of the last one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cachedEmbedder } from '../../src/inference/cached-embedder.ts';
import type { Embedder } from '../../src/inference/embedder.ts';

const REQUESTS = 10_000;
const NEW_SHARE = 0.05;
const KNOWN_TEXTS = 1500;
/** As of an engine: `src/engine/kept-vectors.ts`. */
const KEPT = 2000;

const counting = (): Embedder & { calls: number } => ({
  calls: 0,
  space: { provider: 'test', model: 'counting', dimensions: 2 },
  async embed(texts) {
    this.calls += texts.length;
    return texts.map((text) => [text.length, 1]);
  },
  async close() {},
});

/** Numbers from 0 to 1, the same in every run. */
function dice(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function zipf(roll: () => number): () => number {
  const weights = Array.from({ length: KNOWN_TEXTS }, (_, rank) => 1 / (rank + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return () => {
    let left = roll() * total;
    return weights.findIndex((weight) => {
      left -= weight;
      return left <= 0;
    });
  };
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cache-trace-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('serves 94 % of a day without the provider, its first query included', async () => {
  const file = join(folder, 'cache.bin');
  const yesterday = cachedEmbedder(counting(), { maxEntries: KEPT });
  const known = Array.from({ length: KNOWN_TEXTS }, (_, n) => `known text ${n}`);
  await yesterday.embed(known, { kind: 'query' });
  await yesterday.save(file, { maxEntries: KEPT });

  const provider = counting();
  const today = cachedEmbedder(provider, { maxEntries: KEPT });
  expect(await today.load(file)).toEqual({ loaded: KNOWN_TEXTS, reason: null });
  const roll = dice();
  const rank = zipf(roll);
  await today.embed([`known text ${rank()}`], { kind: 'query' });
  expect(provider.calls).toBe(0);
  for (let n = 1; n < REQUESTS; n += 1) {
    const text = roll() < NEW_SHARE ? `new text ${n}` : `known text ${Math.max(0, rank())}`;
    await today.embed([text], { kind: 'query' });
  }
  const { hits, misses } = today.stats();
  expect(hits + misses).toBe(REQUESTS);
  expect(hits / REQUESTS).toBeGreaterThanOrEqual(0.94);
  expect(provider.calls).toBe(misses);
});
