/**
 * Whatever a caller from JavaScript passes, at whatever place: an answer or a coded error, never a
 * fault of ours, and nothing half written.
 */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Composition,
  type ContextEngine,
  ContextEngineError,
  createContextEngine,
  createTokenCounter,
  LOCAL_PROFILE,
  migrateDatabase,
} from '../../src/index.ts';
import { createEmbedder, type EmbedderChoice } from '../../src/inference/create-embedder.ts';
import { at, ORACLE_MANIFESTS, openEngine, START_MS, type TestClock } from '../support/engines.ts';
import { GARBAGE, listingCalls, nameOf, placesOf, replaced } from '../support/garbage.ts';

const time: TestClock = { ms: START_MS };
let engine: ContextEngine;
let scope: string;
let fact: string;
let wrong: string;
let link: string;
let served: Composition;
let composition: string;
let digest: string;
const exported: unknown[] = [];
beforeAll(async () => {
  engine = await openEngine({ time });
  ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
  fact =
    (await engine.remember(scope, { content: 'the boiler is in the attic' })).receipts[0]
      ?.root_uuid ?? '';
  wrong = (await engine.remember(scope, { content: 'wrong' })).receipts[0]?.root_uuid ?? '';
  link = (await engine.link(scope, { type: 'pinned', to: fact })).receipts[0]?.root_uuid ?? '';
  const asked = {
    scope_block_uuid: scope,
    intent: 'fact',
    query: 'where is the boiler?',
    permission_profile: LOCAL_PROFILE,
  };
  served = await engine.composeBlockContext(asked);
  composition = served.composition_id;
  digest = served.manifest.digest;
  for await (const line of engine.exportScope(scope)) exported.push(line);
});
afterAll(() => engine.close());

/** Heads of all scopes of both tenants: what any write would move. */
const headsOf = async (): Promise<string> => {
  const lists = await Promise.all(
    ['local', 'elsewhere'].map((tenant) =>
      engine.scopes.list({ permission_profile: { ...LOCAL_PROFILE, tenant } }),
    ),
  );
  return JSON.stringify(lists.flat().map((entry) => [entry.scope_block_uuid, entry.head]));
};

const profile = {
  principal: 'local',
  tenant: 'local',
  kind: 'human',
  scopes: '*',
  tiers: { reads: 'T1' },
};
const provenance = { source_type: 'test', source_class: 'user' };
type Calls = Readonly<Record<string, readonly unknown[]>>;
const readsOf = (): Calls => ({
  composeBlockContext: [
    {
      scope_block_uuid: scope,
      intent: 'fact',
      query: 'where?',
      permission_profile: profile,
      inputs: {},
      as_of: at(START_MS),
      recorded_as_of: at(START_MS),
      deadline_ms: 60_000,
      signal: new AbortController().signal,
      trace: true,
      format: 'xml',
      model: 'gpt-4o',
      manifest: 'short',
      time_zone: 'UTC',
      include_scopes: [],
      after: [{ scope, head: 1 }],
    },
  ],
  recordOutcome: [
    { composition_id: composition, used: [fact], cited: [fact] },
    { permission_profile: profile },
  ],
  capture: [scope, { time_zone: 'UTC', max_batches: 1 }, { permission_profile: profile }],
  ...listingCalls(scope, profile),
  explain: [composition, { permission_profile: profile }],
  replay: [composition, { permission_profile: profile }],
  preview: [
    { manifest: 'short', working: digest, against: digest, last: 3 },
    { permission_profile: profile },
  ],
  history: [fact, { permission_profile: profile }],
  'scopes.list': [{ permission_profile: profile }],
  messages: ['anthropic'],
  createTokenCounter: [['gpt-4o']],
});
const writesOf = (): Calls => ({ ...memoriesOf(), ...othersOf() });
const memoriesOf = (): Calls => ({
  append: [
    scope,
    [
      {
        content: 'a turn',
        role: 'user',
        author: 'Ann',
        occurred_at: at(START_MS),
        metadata: { a: 1 },
        provenance,
        idempotency_key: 'k',
      },
    ],
    { permission_profile: profile },
  ],
  remember: [
    scope,
    [
      {
        content: 'a fact',
        subject: 'Ann',
        category: 'decision',
        class: 'fact',
        importance: 0.5,
        confidence: 0.5,
        tags: ['a'],
        valid_from: at(START_MS),
        valid_until: at(START_MS + 1000),
        sources: [fact],
        provenance,
        idempotency_key: 'f',
      },
    ],
    { permission_profile: profile },
  ],
});
const othersOf = (): Calls => ({
  setTyped: [
    scope,
    'user',
    'profile',
    'city',
    'Bern',
    {
      valid_from: at(START_MS),
      correction: false,
      confidence: 1,
      provenance,
      sources: [fact],
      idempotency_key: 't',
      permission_profile: profile,
    },
  ],
  summarize: [
    scope,
    {
      kind: 'rolling',
      content: 'a summary',
      covers_to_seq: 1,
      sources: [fact],
      model: 'm',
      cost_usd: 0.1,
    },
    { permission_profile: profile },
  ],
  link: [
    scope,
    { type: 'co_occurs', from: fact, to: fact, ordinal: 1, weight: 1 },
    { permission_profile: profile },
  ],
  correct: [
    wrong,
    { content: 'otherwise', at: at(START_MS + 1e9), sources: [fact], reason: 'misread' },
    { permission_profile: profile },
  ],
  unlink: [scope, link, { permission_profile: profile }],
  'profile.get': [scope, 'user', { permission_profile: profile }],
  'profile.set': [
    ...[scope, 'user'],
    { trip: { city: 'Bern', stops: ['Thun'], seats: 2 } },
    { confidence: 1, provenance, sources: [fact], permission_profile: profile },
  ],
});
const operationsOf = (): Calls => ({
  write: [
    [
      { operation: 'NOOP', scope, reason: 'nothing new', idempotency_key: 'n' },
      {
        operation: 'ADD',
        scope,
        table: 'memory_open_set',
        uuid: randomUUID(),
        valid_from: at(START_MS),
        valid_until: at(START_MS + 1000),
        sources: [fact],
        content: {
          content: 'a fact',
          subject: null,
          category: null,
          class: 'fact',
          importance: 0.5,
          confidence: 1,
          tags: [],
          metadata: {},
          provenance,
        },
      },
    ],
    { permission_profile: profile, signal: new AbortController().signal },
  ],
});
const scopesOf = (): Calls => ({
  importScope: [exported, { permission_profile: { ...profile, tenant: 'elsewhere' } }],
  'scopes.create': [
    { type: 'short_scope', title: 'T', inherits: [scope], idempotency_key: 's' },
    { permission_profile: profile },
  ],
});
/**
 * Name -> the arguments of a call that succeeds. What makes scopes comes last: all heads are read
 * after every call.
 */
const callsOf = (): Calls => ({ ...readsOf(), ...writesOf(), ...operationsOf(), ...scopesOf() });

const methodOf = (name: string): ((...args: readonly unknown[]) => Promise<unknown>) => {
  if (name === 'messages') return async (format) => served.messages(format as 'openai');
  if (name === 'createTokenCounter')
    return async (models) => createTokenCounter(models as string[]);
  const [first = '', second] = name.split('.');
  if (first === 'profile' && second !== undefined)
    return async (of, subject, ...rest) =>
      Reflect.get(engine.profile(of as never, subject as never), second)(...rest);
  const target: unknown = Reflect.get(engine, first);
  return (second === undefined ? target : Reflect.get(Object(target), second)) as (
    ...args: readonly unknown[]
  ) => Promise<unknown>;
};

/** Read anew only after what may have written. */
let headsKnown: string | null = null;

/**
 * What is wrong with how a call ended; null = it gave an answer, or a coded error that leaves no
 * trace.
 */
async function faultOf(call: () => Promise<unknown>): Promise<string | null> {
  headsKnown ??= await headsOf();
  try {
    await call();
    headsKnown = null;
    return null;
  } catch (error) {
    if (!(error instanceof ContextEngineError)) return String(error).slice(0, 150);
    if (error.fix.length <= 10) return `${error.code} without a fix`;
    return (await headsOf()) === headsKnown ? null : `${error.code} after a write`;
  }
}

/** Of a call with many places the pieces of garbage take turns at them; at night each meets all. */
const MOST_TURNS = Number(process.env['CONTEXTENGINE_GARBAGE_TURNS'] ?? 4);

/** The faults of a call with places of its arguments replaced, with some of what caused them. */
async function faultsOf(
  argsOf: () => readonly unknown[],
  call: (...args: readonly unknown[]) => Promise<unknown>,
  garbageToTry: readonly unknown[] = GARBAGE,
): Promise<readonly string[]> {
  const faults = new Map<string, string[]>();
  const places = [...placesOf(argsOf())].slice(1);
  const turns = Math.min(MOST_TURNS, Math.ceil(places.length / 8));
  for (const [place, path] of places.entries()) {
    for (const garbage of garbageToTry.filter((_, index) => (index + place) % turns === 0)) {
      const args = replaced(argsOf(), path, garbage) as readonly unknown[];
      const fault = await faultOf(() => call(...args));
      if (fault === null) continue;
      const key = `${path.join('.')}: ${fault}`;
      faults.set(key, [...(faults.get(key) ?? []), nameOf(garbage)]);
    }
  }
  return [...faults].map(([fault, values]) => `${fault} <- ${values.slice(0, 5).join(', ')}`);
}

describe.each(Object.keys(callsOf()))('%s', (name) => {
  const argsOf = (): readonly unknown[] => callsOf()[name] ?? [];

  it('gives an answer when it is called as it should be', async () => {
    await expect(methodOf(name)(...argsOf())).resolves.toBeDefined();
    headsKnown = null;
  });

  it('gives an answer or a coded error whatever stands at any place of its arguments', async () => {
    expect(await faultsOf(argsOf, methodOf(name))).toEqual([]);
  }, 600_000);
});

describe('the options of an embedder', () => {
  const CHOICES = [
    {
      provider: 'openai',
      model: 'm',
      dimensions: 4,
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: 'k',
      timeoutMs: 1,
      maxRetries: 0,
      batchSize: 1,
    },
    { provider: 'transformers', model: 'm', dimensions: 4, localPath: '/nowhere', batchSize: 1 },
  ];

  it.each(CHOICES)('of $provider are taken or refused with a code', async (choice) => {
    const create = async (given: unknown): Promise<unknown> =>
      createEmbedder(given as EmbedderChoice, () => 0)?.space;
    await expect(create(choice)).resolves.toMatchObject({
      provider: choice.provider,
      dimensions: 4,
    });
    expect(await faultsOf(() => [choice], create)).toEqual([]);
  });
});

describe('createContextEngine', () => {
  // Without options it opens the folder that the environment names.
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-entries-'));
  beforeAll(() => {
    vi.stubEnv('CONTEXTENGINE_DATA_DIR', folder);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  const argsOf = (): readonly unknown[] => [
    {
      database: { inMemory: true },
      manifests: [ORACLE_MANIFESTS],
      embedder: {
        space: { provider: 'test', model: 'm', dimensions: 4 },
        embed: async (texts: readonly string[]) => texts.map(() => [1, 0, 0, 0]),
        close: async () => undefined,
      },
      permission_profile: profile,
      authority: 'embedder_trusted',
      clock: () => START_MS,
      newId: randomUUID,
    },
  ];
  /**
   * Opened, used once, and closed: what is wrong with a clock or an embedder shows at the first
   * use.
   */
  const openAndAsk = async (...args: readonly unknown[]): Promise<unknown> => {
    await using opened = await createContextEngine(
      ...(args as Parameters<typeof createContextEngine>),
    );
    const { scope_block_uuid: made } = await opened.scopes.create({ type: 'short_scope' });
    await opened.remember(made, { content: 'the boiler is in the attic' });
    const asked = {
      scope_block_uuid: made,
      intent: 'fact',
      query: 'where is the boiler?',
      permission_profile: LOCAL_PROFILE,
    };
    return await opened.composeBlockContext(asked);
  };

  it('opens with the options as they should be', async () => {
    await expect(openAndAsk(...argsOf())).resolves.toMatchObject({ degraded: [] });
  });

  it('is what migrateDatabase checks as well', async () => {
    const garbage = GARBAGE.filter((value) => value !== true);
    expect(
      await faultsOf(
        () => [{ database: { inMemory: true } }],
        (request) => migrateDatabase(request as never),
        garbage,
      ),
    ).toEqual([]);
  });

  it('opens or gives a coded error whatever stands at any place of its options', async () => {
    // What opens costs a database each.
    const few = [undefined, null, true, Number.NaN, '', [null], { nonsense: 1 }, () => 'nonsense'];
    expect(await faultsOf(argsOf, openAndAsk, few)).toEqual([]);
  }, 600_000);
});
