/** Bad input: the right code, a message with the value, a fix, and nothing written. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  ComposeRequest,
  ContextEngine,
  Embedder,
  PermissionProfile,
  Position,
} from '../../src/index.ts';
import { LOCAL_PROFILE, parseUuid } from '../../src/index.ts';
import {
  at,
  ORACLE_MANIFESTS,
  openEngine,
  refusalOf,
  refusedAs,
  START_MS,
  type TestClock,
  told,
} from '../support/engines.ts';

const time: TestClock = { ms: START_MS };
const NOBODY = '00000000-0000-4000-8000-00000000dead';
const OTHER_TENANT: PermissionProfile = { ...LOCAL_PROFILE, tenant: 'other' };
const HOLDS_NOTHING: PermissionProfile = { ...LOCAL_PROFILE, principal: 'guest', scopes: [] };

let engine: ContextEngine;
let scope: string;
let turn: string;
beforeAll(async () => {
  engine = await openEngine({ time });
  ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
  const { receipts } = await engine.append(scope, { content: 'a turn', role: 'user' });
  turn = receipts[0]?.uuid ?? '';
});
afterAll(() => engine.close());

const headOf = async (): Promise<number | undefined> =>
  (await engine.scopes.list()).find((entry) => entry.scope_block_uuid === scope)?.head;
const request = (given: object): ComposeRequest => ({
  scope_block_uuid: scope,
  intent: 'follow_up',
  query: 'what now?',
  permission_profile: LOCAL_PROFILE,
  ...given,
});

describe('a compose call', () => {
  it.each<[string, object, Parameters<typeof refusedAs>[0]]>([
    ['an unknown field', { scope_uuid: NOBODY }, 'CONFIG.UNKNOWN_KEY'],
    ['a scope that is no uuid', { scope_block_uuid: 'chat-1' }, 'CONFIG.INVALID_VALUE'],
    ['a scope that is a number', { scope_block_uuid: 7 }, 'CONFIG.INVALID_VALUE'],
    ['no scope', { scope_block_uuid: undefined }, 'CONFIG.INVALID_VALUE'],
    ['a missing scope', { scope_block_uuid: NOBODY }, 'SCOPE.NOT_FOUND'],
    ['a scope of another tenant', { permission_profile: OTHER_TENANT }, 'SCOPE.NOT_FOUND'],
    ['a scope that is not held', { permission_profile: HOLDS_NOTHING }, 'PERMISSION.DENIED'],
    ['an unknown intent', { intent: 'folow_up' }, 'MANIFEST.UNKNOWN_INTENT'],
    ['an intent of the prototype', { intent: 'constructor' }, 'MANIFEST.UNKNOWN_INTENT'],
    ['an empty intent', { intent: '' }, 'CONFIG.INVALID_VALUE'],
    ['a query that is an object', { query: { text: 'x' } }, 'CONFIG.INVALID_VALUE'],
    ['a query of 100,001 characters', { query: 'q'.repeat(100_001) }, 'CONFIG.INVALID_VALUE'],
    ['a day that does not exist', { as_of: '2026-13-01' }, 'CONFIG.INVALID_VALUE'],
    [
      'a position with a negative head',
      { recorded_as_of: [{ scope: NOBODY, head: -1 }] },
      'CONFIG.INVALID_VALUE',
    ],
    ['a deadline of -1 ms', { deadline_ms: -1 }, 'CONFIG.INVALID_VALUE'],
    ['an endless deadline', { deadline_ms: Number.POSITIVE_INFINITY }, 'CONFIG.INVALID_VALUE'],
    ['a deadline in words', { deadline_ms: '5000' }, 'CONFIG.INVALID_VALUE'],
    ['an input that is not declared', { inputs: { product: 'x' } }, 'MANIFEST.UNKNOWN_INPUT'],
    ['an input that is a list', { inputs: ['x'] }, 'CONFIG.INVALID_VALUE'],
    ['an unknown manifest', { manifest: 'nope' }, 'MANIFEST.NOT_FOUND'],
    ['a format that does not exist', { format: 'html' }, 'CONFIG.INVALID_VALUE'],
    ['a time zone that does not exist', { time_zone: 'Mars/Olympus' }, 'CONFIG.INVALID_VALUE'],
    [
      'an unknown key of the profile',
      { permission_profile: { ...LOCAL_PROFILE, admin: true } },
      'PERMISSION.INVALID_PROFILE',
    ],
    [
      'a tier that does not exist',
      { permission_profile: { ...LOCAL_PROFILE, tiers: { reads: 'T0' } } },
      'PERMISSION.INVALID_PROFILE',
    ],
  ])('refuses %s', async (_what, given, code) => {
    expect(told(await refusalOf(engine.composeBlockContext(request(given))))).toEqual(
      refusedAs(code),
    );
  });

  it('refuses a block that is not a scope, and a call without a profile', async () => {
    expect(
      told(await refusalOf(engine.composeBlockContext(request({ scope_block_uuid: turn })))),
    ).toEqual(refusedAs('SCOPE.NOT_A_SCOPE'));
    const missing = await refusalOf(
      engine.composeBlockContext(request({ permission_profile: undefined })),
    );
    expect(missing.code).toBe('PERMISSION.PROFILE_MISSING');
  });

  it('shows the value in the message, and proposes the name that was meant', async () => {
    const error = await refusalOf(engine.composeBlockContext(request({ intent: 'folow_up' })));
    expect(error.message).toContain('`folow_up`');
    expect(`${error.message} ${error.fix}`).toContain('follow_up');
  });
});

describe('a write', () => {
  const long = 'x'.repeat(4_000_001);
  it.each<[string, () => Promise<unknown>, Parameters<typeof refusedAs>[0]]>([
    ['a NUL', () => engine.remember(scope, { content: 'a\0b' }), 'WRITE.INVALID'],
    [
      'half of a surrogate pair',
      () => engine.append(scope, { content: 'half \ud83d' }),
      'WRITE.INVALID',
    ],
    [
      'a NUL in metadata',
      () => engine.append(scope, { content: 'x', metadata: { a: 'b\0' } }),
      'WRITE.INVALID',
    ],
    [
      'half of a surrogate pair in metadata',
      () => engine.append(scope, { content: 'x', metadata: { a: '\udc00' } }),
      'WRITE.INVALID',
    ],
    ['an empty text', () => engine.remember(scope, { content: ' ' }), 'WRITE.INVALID'],
    [
      'a text of 4,000,001 characters',
      () => engine.append(scope, { content: long }),
      'WRITE.TOO_LARGE',
    ],
    ['a text that is a number', () => engine.append(scope, wrong({ content: 5 })), 'WRITE.INVALID'],
    [
      'an importance of 2',
      () => engine.remember(scope, { content: 'x', importance: 2 }),
      'WRITE.INVALID',
    ],
    [
      'a confidence that is not a number',
      () => engine.remember(scope, { content: 'x', confidence: Number.NaN }),
      'WRITE.INVALID',
    ],
    [
      'an end before the beginning',
      () => engine.remember(scope, { content: 'x', valid_until: '2020-01-01' }),
      'WRITE.INVALID',
    ],
    [
      'a time that is none',
      () => engine.remember(scope, { content: 'x', valid_from: 'yesterday' }),
      'CONFIG.INVALID_VALUE',
    ],
    [
      'an empty key',
      () => engine.remember(scope, { content: 'x', idempotency_key: '' }),
      'WRITE.INVALID',
    ],
    [
      'a root that is not there',
      () => engine.remember(scope, { content: 'x', replaces: NOBODY }),
      'WRITE.NOT_FOUND',
    ],
    [
      'a source that is not there',
      () => engine.remember(scope, { content: 'x', sources: [NOBODY] }),
      'WRITE.SOURCE_GONE',
    ],
    [
      'a typed value of no type',
      () => engine.setTyped(scope, 'user', 'profile', 'age', 1.5),
      'WRITE.TYPE_MISMATCH',
    ],
    [
      'a correction that is a word',
      () => engine.setTyped(scope, 'user', 'profile', 'x', 'y', wrong({ correction: 'no' })),
      'WRITE.INVALID',
    ],
    [
      'a profile that is empty',
      () => engine.setTyped(scope, 'user', 'profile', 'x', 'y', wrong({ permission_profile: '' })),
      'PERMISSION.INVALID_PROFILE',
    ],
    [
      'metadata that is a date',
      () => engine.append(scope, { content: 'x', metadata: wrong(new Date(0)) }),
      'WRITE.INVALID',
    ],
    [
      'a correction of nothing',
      () => engine.setTyped(scope, 'user', 'profile', 'x', 'y', { correction: true }),
      'WRITE.NOT_FOUND',
    ],
    ['a missing scope', () => engine.append(NOBODY, { content: 'x' }), 'SCOPE.NOT_FOUND'],
    [
      'a scope of another tenant',
      () => engine.append(scope, { content: 'x' }, { permission_profile: OTHER_TENANT }),
      'SCOPE.NOT_FOUND',
    ],
    [
      'a scope not held',
      () => engine.append(scope, { content: 'x' }, { permission_profile: HOLDS_NOTHING }),
      'PERMISSION.DENIED',
    ],
    [
      'an outer scope that is not there',
      () => engine.scopes.create({ type: 'short_scope', inherits: [NOBODY] }),
      'SCOPE.NOT_FOUND',
    ],
    [
      'a scope that inherits twice',
      () => engine.scopes.create({ type: 'short_scope', inherits: [scope, scope] }),
      'SCOPE.CYCLE',
    ],
    [
      'a link type that does not exist',
      () => engine.link(scope, { type: 'likes', to: turn }),
      'WRITE.INVALID',
    ],
    [
      'an operation that does not exist',
      () => engine.write(wrong([{ operation: 'UPSERT', scope: parseUuid(scope, 'scope') }])),
      'WRITE.INVALID',
    ],
    [
      'a second turn that is bad',
      () => engine.append(scope, [{ content: 'good' }, { content: '\0' }]),
      'WRITE.INVALID',
    ],
    [
      'a list of 10,001 turns',
      () =>
        engine.append(
          scope,
          Array.from({ length: 10_001 }, () => ({ content: 'x' })),
        ),
      'WRITE.INVALID',
    ],
  ])('with %s is refused and leaves nothing', async (_what, write, code) => {
    const before = await headOf();
    expect(told(await refusalOf(write()))).toEqual(refusedAs(code));
    expect(await headOf()).toBe(before);
    expect((await engine.scopes.list()).length).toBe(1);
  });

  it('as nobody is not done as the engine itself', async () => {
    const asNobody = engine.remember(scope, { content: 'x' }, wrong({ permission_profile: null }));
    expect((await refusalOf(asNobody)).code).toBe('PERMISSION.PROFILE_MISSING');
  });

  it('under one key with another payload is a conflict and leaves nothing', async () => {
    await engine.remember(scope, {
      content: 'keyed',
      valid_from: at(START_MS),
      idempotency_key: 'one',
    });
    const before = await headOf();
    const error = await refusalOf(
      engine.remember(scope, {
        content: 'otherwise',
        valid_from: at(START_MS),
        idempotency_key: 'one',
      }),
    );
    expect(told(error)).toEqual(refusedAs('WRITE.IDEMPOTENCY_CONFLICT'));
    expect(await headOf()).toBe(before);
  });
});

describe('looking back', () => {
  it.each<[string, () => Promise<unknown>, Parameters<typeof refusedAs>[0]]>([
    ['replay of nothing', () => engine.replay(NOBODY), 'RECEIPT.NOT_FOUND'],
    ['explain of no uuid', () => engine.explain('newest'), 'CONFIG.INVALID_VALUE'],
    [
      'an outcome of nothing',
      () => engine.recordOutcome({ composition_id: NOBODY }),
      'RECEIPT.NOT_FOUND',
    ],
  ])('%s', async (_what, call, code) => {
    expect(told(await refusalOf(call()))).toEqual(refusedAs(code));
  });

  it('refuses every call after close', async () => {
    const closed = await openEngine();
    await closed.close();
    expect((await refusalOf(closed.health())).code).toBe('CONNECTOR.CLOSED');
    expect((await refusalOf(closed.composeBlockContext(request({})))).code).toBe(
      'CONNECTOR.CLOSED',
    );
  });
});

describe('manifests', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'contextengine-bad-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const head =
    'apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: bad, version: 1, scope_block_type: bad }\nspec:\n  layers: { recent: { limit: 3 } }\n';
  it.each<[string, string, string, string]>([
    ['a negative budget', '  budget: { total_tokens: -5 }', '-5', 'total_tokens'],
    [
      'a formula that would leave the grammar',
      '  scoring: { formula: "process.exit()" }',
      'process',
      'formula',
    ],
    ['an unknown key', '  budgets: { total_tokens: 5 }', 'budgets', 'budget'],
    ['a wrong type', '  budget: { total_tokens: "many" }', 'many', 'total_tokens'],
  ])('with %s do not start an engine', async (what, line, value, hint) => {
    const file = path.join(folder, `${what.replaceAll(' ', '-')}.yaml`);
    writeFileSync(file, `${head}${line}\n`);
    const error = await refusalOf(openEngine({ manifests: [file] }));
    expect(told(error)).toEqual(refusedAs('MANIFEST.INVALID'));
    expect(error.message).toContain(value);
    expect(`${error.message} ${error.fix}`).toContain(hint);
    expect(error.where).toMatchObject({ file, line: 6 });
  });
});

describe('a clock set back', () => {
  it('leaves the journal monotone: what was known stays known', async () => {
    const own: TestClock = { ms: START_MS };
    await using ticking = await openEngine({ time: own, manifests: ORACLE_MANIFESTS });
    const { scope_block_uuid: place } = await ticking.scopes.create({ type: 'short_scope' });
    own.ms = START_MS + 600_000;
    const first = await ticking.append(place, {
      content: 'said at ten',
      occurred_at: at(START_MS),
    });
    own.ms = START_MS + 60_000;
    const second = await ticking.append(place, {
      content: 'said with the clock set back',
      occurred_at: at(START_MS),
    });
    const known = async (instant: number): Promise<Position> =>
      (
        await ticking.composeBlockContext({
          scope_block_uuid: place,
          intent: 'follow_up',
          query: '',
          permission_profile: LOCAL_PROFILE,
          as_of: at(instant),
        })
      ).position;
    expect(second.position[0]?.head).toBeGreaterThan(first.position[0]?.head ?? 0);
    // At the wrong clock's reading neither was known: the second cannot have come before the first.
    expect((await known(START_MS + 120_000))[0]?.head).toBeLessThan(first.position[0]?.head ?? 0);
    expect(await known(START_MS + 600_000)).toEqual(second.position);
  });
});

describe('an embedder of the wrong dimensions', () => {
  const lying = (dimensions: number, given: number): Embedder => ({
    space: { provider: 'test', model: 'lying', dimensions },
    embed: async (texts) => texts.map(() => Array.from({ length: given }, () => 1)),
    close: async () => {},
  });

  it('loses nothing: the ledger keeps the text, the vector stays pending, the composition says why', async () => {
    await using odd = await openEngine({ time, embedder: lying(8, 5) });
    const { scope_block_uuid: place } = await odd.scopes.create({ type: 'short_scope' });
    const { receipts } = await odd.remember(place, { content: 'the pump is in the cellar' });
    expect(receipts[0]).toMatchObject({ outcome: 'stored', embedding: 'pending' });
    expect(await odd.embedPending()).toEqual({ embedded: 0, pending: 1 });
    const composition = await odd.composeBlockContext(
      request({ scope_block_uuid: place, query: 'where is the pump?' }),
    );
    expect(composition.degraded).toMatchObject([
      { part: 'embedding', reason: expect.stringContaining('INFERENCE.DIMENSIONS') },
    ]);
    expect(composition.items.some(({ text }) => text.includes('the pump is in the cellar'))).toBe(
      true,
    );
  });
});

const wrong = <T>(value: unknown): T => value as T;
