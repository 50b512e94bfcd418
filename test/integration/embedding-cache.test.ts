/**
 * The embedding cache in three levels: what one process asked for, another finds; a day of texts
 * after a restart; nothing of what is forgotten; nothing of another tenant; down is only slower.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { createRedisLevel } from '../../connectors/redis/index.ts';
import type { ContextEngine, Embedder, EngineOptions, ScopeUuid } from '../../src/index.ts';
import { cachedEmbedder } from '../../src/inference/cached-embedder.ts';
import { parseTenant, toInstant } from '../../src/model/ids.ts';
import type { SharedLevel } from '../../src/model/shared-level.ts';
import { newKey, signed } from '../support/approvals.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS } from '../support/engines.ts';
import { day } from '../support/ledger.ts';
import { HAS_REDIS, startRedis } from '../support/redis.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const PROFILE = { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' } as const;

/** Counts what it is asked for; the vector of a text is always the same. */
function countingProvider(): Embedder & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    space: { provider: 'test', model: 'counting', dimensions: 8 },
    embed: async (texts) => {
      asked.push(...texts);
      return texts.map((text) => {
        const values = Array.from({ length: 8 }, (_, n) => Math.sin(n + 1 + hash(text)));
        const norm = Math.hypot(...values);
        return values.map((value) => value / norm);
      });
    },
    close: async () => undefined,
  };
}
const hash = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);

interface Place {
  readonly database: NonNullable<EngineOptions['database']>;
  readonly embeddingCache?: EngineOptions['embeddingCache'];
}
async function open({ database, embeddingCache }: Place, provider: Embedder) {
  return openEngine({
    ...{ database, embedder: provider, time: { ms: START_MS }, permission_profile: PROFILE },
    ...(embeddingCache && { embeddingCache }),
  });
}
const newScope = async (engine: ContextEngine): Promise<ScopeUuid> =>
  (await engine.scopes.create({ type: 'short_scope' })).scope_block_uuid;
const search = (engine: ContextEngine, scope: ScopeUuid, query: string) =>
  engine.facts.search(query, { scope });

/** 10,000 texts, 5 % of them never seen before, the rest by Zipf over 1,000. */
function trace(): { readonly before: readonly string[]; readonly day: readonly string[] } {
  let state = 42;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const weights = Array.from({ length: 1_000 }, (_, rank) => 1 / (rank + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const zipf = (): number => {
    let left = random() * total;
    return weights.findIndex((weight) => (left -= weight) <= 0);
  };
  const known = (rank: number): string => `What was said of the tram of line ${rank}?`;
  return {
    before: weights.map((_, rank) => known(rank)),
    day: Array.from({ length: 10_000 }, (_, n) =>
      n % 20 === 0 ? `What is new about the ferry number ${n}?` : known(zipf()),
    ),
  };
}

const TENANT = parseTenant('local');
const KEY = 'ab'.repeat(32);

/** Two processes, one after the other, each with a first level of its own. */
async function dayOfTexts(level: SharedLevel): Promise<void> {
  const { before, day: texts } = trace();
  const provider = countingProvider();
  const counted = { process: 0, shared: 0, provider: 0 };
  const run = async (part: readonly string[]): Promise<void> => {
    const embedder = cachedEmbedder(provider, { maxEntries: 10_000 });
    embedder.shareWith({ level, digestKey: async () => KEY, patienceMs: 60_000 });
    // As many texts as callers have at once; the same text of two of them is asked for once.
    for (let start = 0; start < part.length; start += 25)
      await Promise.all(
        part
          .slice(start, start + 25)
          .map((text) => embedder.embed([text], { kind: 'query', tenant: TENANT })),
      );
    await embedder.settled();
    const counts = embedder.takeCounts().get(TENANT);
    counted.process += counts?.process ?? 0;
    counted.shared += counts?.shared ?? 0;
    counted.provider += counts?.provider ?? 0;
  };
  await run(before);
  const known = provider.asked.length;
  Object.assign(counted, { process: 0, shared: 0, provider: 0 });
  await run(texts.slice(0, 5_000));
  await run(texts.slice(5_000));
  const share = 1 - (provider.asked.length - known) / texts.length;
  expect(share).toBeGreaterThanOrEqual(0.94);
  expect(counted.process + counted.shared + counted.provider).toBe(texts.length);
  expect(new Set(provider.asked).size).toBe(provider.asked.length);
}

function levels(place: () => Promise<Place>): void {
  let there: Place;
  beforeAll(async () => {
    there = await place();
  });

  it('asks no provider for the first query after a restart, and gives the same', async () => {
    const [first, second] = [countingProvider(), countingProvider()];
    const one = await open(there, first);
    const scope = await newScope(one);
    await one.remember(scope, { content: 'The tram of line 4 stops at the harbour.' });
    const found = await search(one, scope, 'Where does the tram stop?');
    expect(first.asked).toContain('Where does the tram stop?');
    await one.close();
    await using two = await open(there, second);
    expect(await search(two, scope, 'Where does the tram stop?')).toEqual(found);
    expect(second.asked).toEqual([]);
    await using three = await open(there, countingProvider()).catch(() => two);
    const agent = { ...PROFILE, principal: 'helper', kind: 'agent' } as const;
    const scoped = { ...PROFILE, scopes: [scope] } as const;
    for (const profile of [agent, scoped])
      expect(await three.costs.embeddings('2026-01-01', { permission_profile: profile })).toEqual(
        [],
      );
    const [use] = await three.costs.embeddings('2026-01-01');
    expect([use?.provider, use?.hit_rate]).toEqual([2, expect.any(Number)]);
  });

  it('takes all of the tenant along when something is forgotten', async () => {
    const one = await open(there, countingProvider());
    const scope = await newScope(one);
    const { receipts } = await one.remember(scope, { content: 'The quay hides a quetzalcoatlus.' });
    const query = 'Who hides on the quay of the quetzalcoatlus?';
    await search(one, scope, query);
    await one.forget({ root: receipts[0]?.root_uuid ?? '' });
    await one.close();
    const provider = countingProvider();
    await using two = await open(there, provider);
    await search(two, scope, query);
    expect(provider.asked).toEqual([query]);
  });
}

describeOnDatabases('the embedding cache in the database', (openDatabase) => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const rights = async (): Promise<Place> => {
    const { url, database } = await openDatabase();
    if (url !== null) {
      const change = { ...PROFILE, action: 'set', tiers: { redactions: 'T1' } } as const;
      const by = { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) };
      await pgvectorAuthority(database).changeRights(TENANT, change, by);
      return { database: { url } };
    }
    const folder = mkdtempSync(join(tmpdir(), 'embedding-cache-'));
    folders.push(folder);
    return { database: { dataDir: folder } };
  };
  levels(rights);

  it('answers 94 % of a day of texts by its first two levels, with a restart at noon', async () => {
    const authority = pgvectorAuthority((await openDatabase()).database);
    const at = toInstant(START_MS);
    await dayOfTexts({
      find: (tenant, asked) => authority.sharedVectors(tenant, asked),
      share: (tenant, given) => authority.shareVectors(tenant, { ...given, at, kept_since: at }),
      drop: (tenant) => authority.dropSharedVectors(tenant),
      close: async () => undefined,
    });
  });
});

describe.runIf(HAS_REDIS)('the embedding cache in Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let folder = '';
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    folder ||= mkdtempSync(join(tmpdir(), 'embedding-cache-redis-'));
  });
  levels(async () => {
    folder ||= mkdtempSync(join(tmpdir(), 'embedding-cache-redis-'));
    return { database: { dataDir: folder }, embeddingCache: redis.url as `redis://${string}` };
  });

  it('answers 94 % of a day of texts by its first two levels, with a restart at noon', async () => {
    const level = await createRedisLevel(redis.url);
    await dayOfTexts(level);
    await level.close();
  });
});

describe('a shared level that is not there', () => {
  it('costs a moment, never an answer', async () => {
    const provider = countingProvider();
    const embeddingCache = 'redis://127.0.0.1:1';
    await using engine = await open({ database: { inMemory: true }, embeddingCache }, provider);
    const scope = await newScope(engine);
    await engine.remember(scope, { content: 'The tram of line 4 stops at the harbour.' });
    expect((await search(engine, scope, 'tram')).length).toBe(1);
    expect(provider.asked.length).toBe(2);
  });

  it('puts out of sight what is forgotten, and certifies nothing before it answers', async () => {
    const embeddingCache = 'redis://127.0.0.1:1';
    const there: Place = { database: { inMemory: true }, embeddingCache };
    await using engine = await open(there, countingProvider());
    const scope = await newScope(engine);
    const { receipts } = await engine.remember(scope, { content: 'The quay hides a dodo.' });
    const root = receipts[0]?.root_uuid ?? '';
    const error = await refusalOf(engine.forget({ root }, { now: true }));
    expect([error.code, error.fix]).toEqual(['CONNECTOR.UNAVAILABLE', expect.any(String)]);
    expect(await engine.history(root)).toEqual([]);
    expect(await engine.erasure.list()).toMatchObject([{ state: 'suppressed', erased_at: null }]);
  });

  it('leaves an approval to erase at once waiting', async () => {
    const there: Place = { database: { inMemory: true }, embeddingCache: 'redis://127.0.0.1:1' };
    await using engine = await open(there, countingProvider());
    const scope = await newScope(engine);
    await engine.remember(scope, { content: 'The quay hides an emu.' });
    const key = newKey();
    const tiers = { approvals: 'T1' } as const;
    await engine.principals.set({ principal: 'carol', kind: 'human', scopes: '*', tiers });
    await engine.principals.addKey('carol', key.publicKey);
    const by = (principal: string) => ({ permission_profile: { ...PROFILE, principal } });
    const { proposal } = await engine.forget({ text: 'an emu' }, { ...by('erin'), now: true });
    if (!proposal) throw new Error('nothing waits');
    const { proposal_uuid: id, digest } = proposal;
    const error = await refusalOf(engine.approvals.approve(id, signed(digest, key), by('carol')));
    expect(error.code).toBe('CONNECTOR.UNAVAILABLE');
    expect(await engine.erasure.list()).toEqual([]);
    expect((await engine.approvals.show(id, by('carol'))).state).toBe('pending');
  });

  it('is refused by a name that is none', async () => {
    const options = { database: { inMemory: true }, embeddingCache: 'memcached' } as never;
    expect((await refusalOf(openEngine(options))).code).toBe('CONFIG.INVALID_VALUE');
  });
});
