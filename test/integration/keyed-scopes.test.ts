/** Scopes under keys of the application: found, made once, and told apart by who asks. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, refusalOf } from '../support/engines.ts';
import { storeLocalHuman } from '../support/local-human.ts';

const OWNER = { principal: 'local', kind: 'human', tenant: 'local', scopes: '*' } as const;
const KEY = 'auth0|dana';

describeOnDatabases('a scope under a key', (open, flavor) => {
  let engine: ContextEngine;
  const as = { permission_profile: OWNER };
  beforeAll(async () => {
    const opened = flavor === 'postgres' ? await open() : null;
    if (opened) await storeLocalHuman(opened.owner);
    const url = opened?.url ?? null;
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
    expect(typed.fix).toContain('a scope keeps its type');
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

  const forget = (scope: string, now = true) => engine.forget({ scope }, { now, ...as });

  it('is a fresh one once the one before was forgotten, which stays forgotten', async () => {
    const input = { type: 'short_scope', key: 'comes back', title: 'Zoe' } as const;
    const uuids: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const made = await engine.scopes.getOrCreate(input, as);
      expect(made.is_new).toBe(true);
      const scope = made.scope_block_uuid;
      uuids.push(scope);
      const stored = await engine.remember(scope, { content: `fact ${round}` }, as);
      expect(stored.counts).toMatchObject({ stored: 1 });
      expect(await engine.scopes.find(input.key, as)).toBe(scope);
      expect((await engine.scopes.getOrCreate(input, as)).scope_block_uuid).toBe(scope);
      await forget(scope, round % 2 === 0);
      expect(await engine.scopes.find(input.key, as)).toBeNull();
    }
    expect(new Set(uuids).size).toBe(uuids.length);
    const old = await refusalOf(engine.remember(uuids[0] ?? '', { content: 'x' }, as));
    expect(old.code).toBe('SCOPE.NOT_FOUND');
    const listed = (await engine.scopes.list(as)).map(({ scope_block_uuid: uuid }) => uuid);
    expect(listed.filter((uuid) => uuids.includes(uuid))).toEqual([]);
  });

  it('is listed with its key and what it inherits, its key to who finds it by that', async () => {
    const outer = await engine.scopes.getOrCreate({ type: 'short_scope', key: 'l-outer' }, as);
    const inner = await engine.scopes.getOrCreate(
      { type: 'short_scope', key: 'l-inner', inherits: [outer.scope_block_uuid] },
      as,
    );
    const listed = async (options: typeof as) =>
      (await engine.scopes.list(options)).find(
        ({ scope_block_uuid: uuid }) => uuid === inner.scope_block_uuid,
      );
    const inherits = [outer.scope_block_uuid];
    expect(await listed(as)).toMatchObject({ key: 'l-inner', inherits });
    const scopes = [inner.scope_block_uuid];
    const other = { permission_profile: { ...OWNER, principal: 'gus', scopes } };
    expect(await listed(other as never)).toMatchObject({ key: null, inherits });
  });

  it('of another type may follow one that was forgotten', async () => {
    const first = await engine.scopes.getOrCreate({ type: 'short_scope', key: 'retyped' }, as);
    await forget(first.scope_block_uuid);
    const other = await engine.scopes.getOrCreate({ type: 'other', key: 'retyped' }, as);
    expect(other.is_new).toBe(true);
  });

  it('is made by `create` as well where the one of its key was forgotten', async () => {
    const input = { type: 'short_scope', idempotency_key: 'k-forgotten' };
    const first = await engine.scopes.create(input, as);
    await forget(first.scope_block_uuid);
    const next = await engine.scopes.create(input, as);
    expect(next.result.counts).toMatchObject({ stored: 1 });
    expect(next.scope_block_uuid).not.toBe(first.scope_block_uuid);
    const again = await engine.scopes.create(input, as);
    expect(again.result.counts).toMatchObject({ duplicate: 1 });
    expect(again.scope_block_uuid).toBe(next.scope_block_uuid);
  });

  it('is refused under the uuid of one that was forgotten', async () => {
    const uuid = '11111111-1111-4111-8111-111111111111';
    const input = { type: 'short_scope', uuid, idempotency_key: 'k-uuid' };
    await engine.scopes.create(input, as);
    expect((await engine.scopes.create(input, as)).result.counts).toMatchObject({ duplicate: 1 });
    await forget(uuid);
    const refused = await refusalOf(engine.scopes.create(input, as));
    expect(refused).toMatchObject({ code: 'WRITE.REFUSED', where: { field: 'uuid' } });
    expect(refused.fix).toContain('Make another scope');
  });

  it('is one for ten calls at once also after a forget', async () => {
    const input = { type: 'short_scope', key: 'at once again' };
    await forget((await engine.scopes.getOrCreate(input, as)).scope_block_uuid);
    const calls = Array.from({ length: 10 }, () => engine.scopes.getOrCreate(input, as));
    const made = await Promise.all(calls);
    expect(new Set(made.map(({ scope_block_uuid: uuid }) => uuid)).size).toBe(1);
    expect(made.filter(({ is_new: isNew }) => isNew)).toHaveLength(1);
  });

  it('never is a forgotten one, whenever it is forgotten while it is asked for', async () => {
    const input = { type: 'short_scope', key: 'raced' };
    const { scope_block_uuid: first } = await engine.scopes.getOrCreate(input, as);
    const [asked] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => engine.scopes.getOrCreate(input, as))),
      forget(first),
    ]);
    const later = asked.filter(({ scope_block_uuid: uuid }) => uuid !== first);
    const { scope_block_uuid: next } = await engine.scopes.getOrCreate(input, as);
    expect(next).not.toBe(first);
    expect(later.every(({ scope_block_uuid: uuid }) => uuid === next)).toBe(true);
  });

  it('brought back, has its key again, unless the next one has it', async () => {
    const input = { type: 'short_scope', key: 'undone' };
    const { scope_block_uuid: first } = await engine.scopes.getOrCreate(input, as);
    const { redaction_uuid: one } = await forget(first, false);
    await engine.undo(one, as);
    expect(await engine.scopes.find(input.key, as)).toBe(first);
    const { redaction_uuid: two } = await forget(first, false);
    const { scope_block_uuid: next } = await engine.scopes.getOrCreate(input, as);
    await engine.undo(two, as);
    expect(await titleOf(first)).toBeNull();
    expect(await engine.scopes.find(input.key, as)).toBe(next);
    await forget(next);
    expect((await engine.scopes.getOrCreate(input, as)).is_new).toBe(true);
  });

  it('is fresh as well for who holds it no more, and has keys of their own', async () => {
    const own = { permission_profile: { ...OWNER, principal: 'finn', scopes: [] } };
    const input = { type: 'short_scope', key: 'finn' };
    const { scope_block_uuid: first } = await engine.scopes.getOrCreate(input, own);
    expect((await engine.scopes.getOrCreate(input, own)).scope_block_uuid).toBe(first);
    await forget(first);
    const next = await engine.scopes.getOrCreate(input, own);
    expect(next.is_new).toBe(true);
    expect((await engine.scopes.getOrCreate(input, own)).scope_block_uuid).toBe(
      next.scope_block_uuid,
    );
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
