/** The engine as an app uses it: one manifest, one call, and what is promised around it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  ComposedItem,
  Composition,
  ContextEngine,
  Embedder,
  PermissionProfile,
} from '../../src/index.ts';
import { ContextEngineError, LOCAL_PROFILE } from '../../src/index.ts';
import {
  at,
  openEngine,
  refusalOf,
  SEED_MANIFEST,
  START_MS,
  type TestClock,
} from '../support/engines.ts';

const HOUR_MS = 3_600_000;
const itemOf = (composition: Composition, words: string): ComposedItem => {
  const found = composition.items.find(({ text }) => text.includes(words));
  if (!found) throw new Error(`no item says ${words}: ${composition.text}`);
  return found;
};

describe("the seed's manifest", () => {
  const time: TestClock = { ms: START_MS };
  let engine: ContextEngine;
  let scope: string;
  beforeAll(async () => {
    engine = await openEngine({ time, manifests: SEED_MANIFEST });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' }));
    await engine.append(
      scope,
      Array.from({ length: 20 }, (_, index) => ({
        content: `turn ${index} about the tomatoes on the balcony`,
        role: 'user',
      })),
    );
    const plants = [
      'tomatoes need full sun',
      'tomatoes like deep watering',
      'basil grows beside tomatoes',
      'the frost killed some tomatoes',
    ];
    const more = Array.from(
      { length: 8 },
      (_, index) =>
        `a ${['red', 'green', 'big', 'old', 'late', 'odd', 'sweet', 'wild'][index]} sort of tomatoes`,
    );
    await engine.remember(
      scope,
      [...plants, ...more].map((content) => ({ content })),
    );
    await engine.setTyped(scope, 'user', 'chat_user_profile', 'name', 'Ann');
  });
  afterAll(() => engine.close());
  const compose = (): Promise<Composition> =>
    engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: 'how are my tomatoes?',
      permission_profile: LOCAL_PROFILE,
    });

  it('composes within its budget, and says what is inert', async () => {
    const composition = await compose();
    expect(composition.manifest).toMatchObject({ name: 'chat-session', version: '0' });
    expect(composition.tokens.used).toBeLessThanOrEqual(composition.tokens.budget);
    // The summary layer asks for the whole history, and it fits.
    expect(composition.layers['recent']?.items).toBe(20);
    expect(composition.text).toContain('turn 19');
    expect(composition.warnings.map(({ code }) => code)).toContain('FEATURE.INERT');
    expect(engine.manifests.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('explains every item and every dropped one', async () => {
    const composition = await compose();
    const explanation = await engine.explain(composition.composition_id);
    expect(explanation.items.map(({ uuid }) => uuid)).toEqual(
      composition.items.map(({ uuid }) => uuid),
    );
    expect(explanation.items.every(({ why }) => why.length > 10)).toBe(true);
    expect(explanation.dropped.length).toBeGreaterThan(0);
    expect(explanation.dropped.every(({ why, layer }) => why.length > 10 && layer !== '')).toBe(
      true,
    );
    const seen = new Set([...explanation.items, ...explanation.dropped].map(({ uuid }) => uuid));
    const traced = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: 'how are my tomatoes?',
      permission_profile: LOCAL_PROFILE,
      trace: true,
    });
    for (const { uuid } of traced.trace?.dropped ?? []) expect(seen).toContain(uuid);
  });

  it('gives the shapes of three providers from one composition', async () => {
    const composition = await compose();
    expect(composition.messages('openai').at(-1)).toEqual({
      role: 'user',
      content: 'how are my tomatoes?',
    });
    // Under 1,024 tokens a provider caches nothing, so nothing is marked.
    expect(composition.messages('anthropic').system.some((block) => block.cache_control)).toBe(
      false,
    );
    expect(
      composition
        .messages('ai-sdk')
        .map(({ content }) => (typeof content === 'string' ? content : ''))
        .join(''),
    ).toContain('turn 19');
  });

  it('learns from outcomes: U and R of what was used move, and what was not served cannot be reported', async () => {
    const before = await compose();
    const used = itemOf(before, 'full sun');
    time.ms += 24 * HOUR_MS;
    const idle = itemOf(await compose(), 'full sun');
    expect(idle.signals['U']).toBe(0);
    await engine.recordOutcome({
      composition_id: before.composition_id,
      confirmed: [used.root_uuid ?? ''],
    });
    const after = itemOf(await compose(), 'full sun');
    expect(after.signals['U']).toBeGreaterThan(0.5);
    expect(after.signals['R']).toBeGreaterThan(idle.signals['R'] ?? 1);
    expect(after.score).toBeGreaterThan(idle.score ?? 1);
    expect(
      (
        await refusalOf(
          engine.recordOutcome({ composition_id: before.composition_id, used: [scope] }),
        )
      ).code,
    ).toBe('WRITE.INVALID');
  });
});

describe('the cache', () => {
  const time: TestClock = { ms: START_MS };
  let engine: ContextEngine;
  let scope: string;
  beforeAll(async () => {
    engine = await openEngine({ time });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
    await engine.remember(scope, { content: 'the office is in Bern' });
  });
  afterAll(() => engine.close());
  const compose = (profile = LOCAL_PROFILE, query = 'where is the office?'): Promise<Composition> =>
    engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'fact',
      query,
      permission_profile: profile,
    });

  it('hits on the same call, with the same bytes', async () => {
    const first = await compose();
    time.ms += 1000;
    const second = await compose();
    expect([first.cache.state, second.cache.state]).toEqual(['miss', 'hit']);
    expect(second.cache.age_ms).toBe(1000);
    expect(second.text).toBe(first.text);
    expect((await compose(LOCAL_PROFILE, 'another query')).cache.state).toBe('miss');
    expect((await compose({ ...LOCAL_PROFILE, principal: 'someone else' })).cache.state).toBe(
      'miss',
    );
  });

  it('serves calls side by side', async () => {
    await compose();
    const states = (await Promise.all([compose(), compose(), compose()])).map(
      ({ cache }) => cache.state,
    );
    expect(states).toEqual(['hit', 'hit', 'hit']);
  });

  it('misses after a write, after an outcome, and after its time', async () => {
    const first = await compose();
    await engine.remember(scope, { content: 'the office has a kitchen' });
    const second = await compose();
    expect([second.cache.state, second.text.includes('kitchen')]).toEqual(['miss', true]);
    expect((await compose()).cache.state).toBe('hit');
    await engine.recordOutcome({
      composition_id: first.composition_id,
      used: [itemOf(first, 'Bern').root_uuid ?? ''],
    });
    expect((await compose()).cache.state).toBe('miss');
    time.ms += 30_000;
    expect((await compose()).cache.state).toBe('miss');
  });

  it('misses at a validity edge, with no write between', async () => {
    await engine.remember(scope, {
      content: 'the office is closed until noon',
      valid_until: at(time.ms + 5000),
    });
    await engine.remember(scope, {
      content: 'the office opens late',
      valid_from: at(time.ms + 3000),
    });
    expect((await compose()).text).toContain('until noon');
    time.ms += 2999;
    expect((await compose()).cache.state).toBe('hit');
    time.ms += 1;
    const begun = await compose();
    expect([begun.cache.state, begun.text.includes('opens late')]).toEqual(['miss', true]);
    time.ms += 2000;
    const ended = await compose();
    expect([ended.cache.state, ended.text.includes('until noon')]).toEqual(['miss', false]);
  });

  it('is not asked for a what-if, which leaves no receipt', async () => {
    const past = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'fact',
      query: 'where?',
      permission_profile: LOCAL_PROFILE,
      as_of: at(time.ms),
    });
    expect(past.cache.state).toBe('off');
    expect((await refusalOf(engine.replay(past.composition_id))).code).toBe('RECEIPT.NOT_FOUND');
  });
});

describe('a failing embedder', () => {
  it.each([
    [
      'a coded error',
      () => new ContextEngineError('INFERENCE.UNAVAILABLE', { message: 'down', fix: 'wait' }),
    ],
    [
      'that its key is refused',
      () => new ContextEngineError('INFERENCE.REFUSED', { message: 'no', fix: 'check the key' }),
    ],
    ['an error of its own', () => new Error('socket hang up')],
  ])('that throws %s loses nothing and is mended by embedPending', async (_what, failure) => {
    let isDown = true;
    const flaky: Embedder = {
      space: { provider: 'test', model: 'flaky', dimensions: 4 },
      embed: async (texts) => {
        if (isDown) throw failure();
        return texts.map((text) => [1, text.length % 3, 1, 0.5]);
      },
      close: async () => {},
    };
    await using engine = await openEngine({ embedder: flaky });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    const written = await engine.remember(scope, { content: 'the boiler is in the attic' });
    expect(written.receipts[0]).toMatchObject({ outcome: 'stored', embedding: 'pending' });
    const compose = (): Promise<Composition> =>
      engine.composeBlockContext({
        scope_block_uuid: scope,
        intent: 'fact',
        query: 'where is the boiler?',
        permission_profile: LOCAL_PROFILE,
      });
    const down = await compose();
    expect(down.degraded).toMatchObject([{ part: 'embedding' }]);
    expect(itemOf(down, 'attic').signals['dense']).toBe(0);
    isDown = false;
    expect(await engine.embedPending()).toEqual({ embedded: 1, pending: 0 });
    const up = await compose();
    expect([up.cache.state, up.degraded]).toEqual(['miss', []]);
    expect(itemOf(up, 'attic').signals['dense']).toBeGreaterThan(0);
  });
});

describe('export and import', () => {
  it('moves a scope to another tenant with its past', async () => {
    const time: TestClock = { ms: START_MS };
    await using engine = await openEngine({ time });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    time.ms += HOUR_MS;
    const first = await engine.remember(scope, { content: 'the team sits in Bern' });
    time.ms += HOUR_MS;
    await engine.remember(scope, {
      content: 'the team sits in Basel',
      replaces: first.receipts[0]?.root_uuid ?? '',
    });
    const target: PermissionProfile = { ...LOCAL_PROFILE, tenant: 'elsewhere' };
    const { rows } = await engine.importScope(engine.exportScope(scope), {
      permission_profile: target,
    });
    expect(rows).toBe(3);
    await engine.embedPending({ permission_profile: target });
    const ask = (profile: PermissionProfile, hours: number): Promise<Composition> =>
      engine.composeBlockContext({
        scope_block_uuid: scope,
        intent: 'fact',
        query: 'where does the team sit?',
        permission_profile: profile,
        as_of: at(START_MS + hours * HOUR_MS),
      });
    for (const hours of [1.5, 2.5]) {
      const [here, there] = [await ask(LOCAL_PROFILE, hours), await ask(target, hours)];
      expect(here.text).toContain(hours < 2 ? 'Bern' : 'Basel');
      expect(here.text).not.toContain(hours < 2 ? 'Basel' : 'Bern');
      // What was known by the old journal's clock is known by position: the import is of today.
      const { text } = await engine.composeBlockContext({
        scope_block_uuid: scope,
        intent: 'fact',
        query: 'where does the team sit?',
        permission_profile: target,
        as_of: at(START_MS + hours * HOUR_MS),
        recorded_as_of: here.position,
      });
      expect(text).toBe(here.text);
      expect(there.manifest).toEqual(here.manifest);
    }
    expect(
      (
        await refusalOf(
          engine.importScope(engine.exportScope(scope), { permission_profile: target }),
        )
      ).code,
    ).toBe('WRITE.INVALID');
  });
});

describe('a retry', () => {
  const time: TestClock = { ms: START_MS };
  let engine: ContextEngine;
  let scope: string;
  beforeAll(async () => {
    engine = await openEngine({ time });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
  });
  afterAll(() => engine.close());

  it('without a time of its own is a duplicate whenever it comes', async () => {
    const calls = [
      () => engine.append(scope, { content: 'said once', idempotency_key: 'turn' }),
      () => engine.remember(scope, { content: 'known once', idempotency_key: 'fact' }),
      () => engine.setTyped(scope, 'user', 'profile', 'city', 'Bern', { idempotency_key: 'city' }),
    ];
    for (const call of calls) {
      const first = await call();
      time.ms += HOUR_MS;
      const again = await call();
      expect(again.counts).toMatchObject({ stored: 0, superseded: 0, duplicate: 1 });
      expect(again.receipts[0]?.uuid).toBe(first.receipts[0]?.uuid);
    }
  });

  it('that says another time, or another text, is a conflict', async () => {
    await engine.remember(scope, {
      content: 'known since',
      idempotency_key: 'timed',
      valid_from: at(START_MS),
    });
    const other = engine.remember(scope, {
      content: 'known since',
      idempotency_key: 'timed',
      valid_from: at(START_MS + 1),
    });
    expect((await refusalOf(other)).code).toBe('WRITE.IDEMPOTENCY_CONFLICT');
    expect(
      (await refusalOf(engine.append(scope, { content: 'said twice', idempotency_key: 'turn' })))
        .code,
    ).toBe('WRITE.IDEMPOTENCY_CONFLICT');
  });

  it('of a new scope finds it again, with what it inherits from', async () => {
    const { scope_block_uuid: outer } = await engine.scopes.create({ type: 'user' });
    const input = { type: 'chat_session', inherits: [outer], idempotency_key: 'the session' };
    const first = await engine.scopes.create(input);
    time.ms += HOUR_MS;
    const again = await engine.scopes.create(input);
    expect(again.scope_block_uuid).toBe(first.scope_block_uuid);
    expect(again.result.counts).toMatchObject({ stored: 0, duplicate: 2 });
  });

  it('of a correction is about the value that holds then', async () => {
    await engine.setTyped(scope, 'user', 'profile', 'town', 'Bonn');
    time.ms += HOUR_MS;
    await engine.setTyped(scope, 'user', 'profile', 'town', 'Bern');
    const corrected = await engine.setTyped(scope, 'user', 'profile', 'town', 'Basel', {
      correction: true,
    });
    const rows = await engine.history(corrected.receipts[0]?.root_uuid ?? '');
    expect(
      rows
        .filter(({ row }) => row.retired_seq === null)
        .map(({ row }) => ('value' in row ? row.value : null)),
    ).toEqual(['Bonn', 'Basel']);
  });
});
