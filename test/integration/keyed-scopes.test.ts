/** Scopes under keys of the application: found, made once, and told apart by who asks. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, refusalOf } from '../support/engines.ts';

const OWNER = { principal: 'app', kind: 'service', tenant: 'keyed', scopes: '*' } as const;
const KEY = 'auth0|dana';

describeOnDatabases('a scope under a key', (open, flavor) => {
  let engine: ContextEngine;
  const as = { permission_profile: OWNER };
  beforeAll(async () => {
    const url = flavor === 'postgres' ? (await open()).url : null;
    engine = await openEngine({
      embedder: 'off',
      database: url === null ? { inMemory: true } : { url },
    });
  }, 600_000);
  afterAll(() => engine.close());

  const titleOf = async (uuid: string) =>
    (await engine.scopes.list(as)).find(({ scope_block_uuid: of }) => of === uuid)?.title;

  it('is made once, found again, and takes another title', async () => {
    expect(await engine.scopes.find(KEY, as)).toBeNull();
    const input = { type: 'short_scope', key: KEY, title: 'Dana' } as const;
    const first = await engine.scopes.getOrCreate(input, as);
    expect(first.is_new).toBe(true);
    const again = await engine.scopes.getOrCreate(input, as);
    expect(again).toEqual({
      scope_block_uuid: first.scope_block_uuid,
      is_new: false,
      result: null,
    });
    expect(await engine.scopes.find(KEY, as)).toBe(first.scope_block_uuid);
    const titled = await engine.scopes.getOrCreate({ ...input, title: 'Dana Wu' }, as);
    expect(titled.result?.counts).toMatchObject({ superseded: 1 });
    expect(await titleOf(first.scope_block_uuid)).toBe('Dana Wu');
    await engine.scopes.getOrCreate({ type: 'short_scope', key: KEY }, as);
    expect(await titleOf(first.scope_block_uuid)).toBe('Dana Wu');
    expect(await engine.history(first.scope_block_uuid, as)).toHaveLength(2);
  });

  it('is the scope that `create` made under that key', async () => {
    const made = await engine.scopes.create({ type: 'short_scope', idempotency_key: 'k-1' }, as);
    const found = await engine.scopes.getOrCreate({ type: 'short_scope', key: 'k-1' }, as);
    expect(found).toMatchObject({ scope_block_uuid: made.scope_block_uuid, is_new: false });
  });

  it('is one for ten calls at once', async () => {
    const calls = Array.from({ length: 10 }, () =>
      engine.scopes.getOrCreate({ type: 'short_scope', key: 'at once' }, as),
    );
    const made = await Promise.all(calls);
    expect(new Set(made.map(({ scope_block_uuid: uuid }) => uuid)).size).toBe(1);
    expect(made.filter(({ is_new: isNew }) => isNew)).toHaveLength(1);
  });

  it('is not of another type, nor inherits what it did not, and says what to do', async () => {
    const before = await engine.scopes.list(as);
    const outer = await engine.scopes.getOrCreate({ type: 'short_scope', key: 'outer' }, as);
    const input = { type: 'short_scope', key: 'inner', inherits: [outer.scope_block_uuid] };
    await engine.scopes.getOrCreate(input, as);
    expect((await engine.scopes.getOrCreate(input, as)).result).toBeNull();
    const typed = await refusalOf(engine.scopes.getOrCreate({ type: 'other', key: 'inner' }, as));
    expect(typed.code).toBe('WRITE.IDEMPOTENCY_CONFLICT');
    expect(typed.message).toContain('is of type `short_scope`');
    expect(typed.fix).toContain('a scope that was forgotten keeps its key');
    const inherited = await refusalOf(
      engine.scopes.getOrCreate({ ...input, key: 'outer', title: 'x' }, as),
    );
    expect(inherited.code).toBe('WRITE.IDEMPOTENCY_CONFLICT');
    expect(inherited.message).toContain('does not inherit from');
    expect(await engine.scopes.list(as)).toHaveLength(before.length + 2);
  });

  it('is told to nobody who holds other scopes: their keys are their own', async () => {
    await engine.scopes.getOrCreate({ type: 'short_scope', key: 'shared?' }, as);
    const other: PermissionProfile = { ...OWNER, principal: 'eve', scopes: [] };
    const asked = { permission_profile: other };
    expect(await engine.scopes.find('shared?', asked)).toBeNull();
    expect(await engine.scopes.find('never there', asked)).toBeNull();
    const own = await engine.scopes.getOrCreate({ type: 'short_scope', key: 'shared?' }, asked);
    expect(own.is_new).toBe(true);
    expect(own.scope_block_uuid).not.toBe(await engine.scopes.find('shared?', as));
  });

  it.each([
    ['no key', { type: 'short_scope' }],
    ['an empty key', { type: 'short_scope', key: '' }],
    ['a key that is no text', { type: 'short_scope', key: 7 }],
    ['an unknown field', { type: 'short_scope', key: 'k', titel: 'x' }],
    ['a uuid', { type: 'short_scope', key: 'k', uuid: '00000000-0000-4000-8000-000000000000' }],
  ])('is not made with %s', async (_what, input) => {
    const before = await engine.scopes.list(as);
    const refused = await refusalOf(engine.scopes.getOrCreate(input as never, as));
    expect(refused.code).toMatch(/^(WRITE\.INVALID|CONFIG\.UNKNOWN_KEY)$/);
    expect(await engine.scopes.list(as)).toEqual(before);
  });
});
