/**
 * `engine.profile(scope, subject)`: typed values read and set as one object, by the same rights and
 * tiers as every write, all of it or nothing.
 */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { refusalOf, START_MS, type TestClock, waitsFor } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const AGENT: PermissionProfile = { ...LOCAL_PROFILE, principal: 'helper', kind: 'agent' };

describeOnDatabases('a profile', (open, flavor) => {
  let engine: ContextEngine;
  let project: string;
  let user: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { embedder: 'off', time });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: project } = await engine.scopes.create({ type: 'project' }));
    ({ scope_block_uuid: user } = await engine.scopes.create({
      type: 'user',
      inherits: [project],
    }));
    time.ms += 1000;
  });

  const dana = () => engine.profile(user, 'dana');
  const ofDana = async () => (await dana().get())['chat_user_profile'];
  const set = (values: Record<string, unknown>, profile = LOCAL_PROFILE) =>
    dana().set({ chat_user_profile: values } as never, { permission_profile: profile });
  const total = async () => (await engine.facts.list({ scope: user, state: 'all' })).total;

  it('takes values of collections that nothing declares, but for slips of a declared name', async () => {
    const write = (collection: string) =>
      engine.setTyped(user, 'dana', collection, 'units', 'metric');
    expect((await write('anything_else')).counts).toMatchObject({ stored: 1 });
    for (const slip of ['chat_user_profle', 'chat_user_porfile', 'Chat_user_profiles'])
      expect(await refusalOf(write(slip))).toMatchObject({
        code: 'WRITE.TYPE_MISMATCH',
        message: `There is no collection \`${slip}\`. Did you mean \`chat_user_profile\`?`,
        where: { field: 'collection' },
      });
    expect(await total()).toBe(1);
    // What a scope has under such a name, written by hand or before the other was declared, stays
    // writable there.
    const value = { subject: 'dana', collection: 'chat_user_profle', property: 'units' };
    const content = { ...value, type: 'text', value: 'metric', cardinality: 'one' } as const;
    await engine.write([
      {
        operation: 'ADD',
        table: 'memory_schema_typed',
        scope: user,
        uuid: '00000000-0000-4000-8000-00000000c0de',
        valid_from: new Date(time.ms).toISOString(),
        content: { ...content, confidence: 1, provenance: {} },
      } as never,
    ]);
    const again = await engine.setTyped(user, 'dana', 'chat_user_profle', 'units', 'imperial');
    expect(again.counts).toMatchObject({ superseded: 1 });
  });

  it('is set and read as one object, with the ids of what was written', async () => {
    expect(await ofDana()).toEqual({});
    const written = await set({
      name: 'Dana',
      preferred_language: 'de',
      works_on: ['atlas', 'boreas', 'atlas'],
      interests: ['tea'],
      member_since: '2026-01-02',
      wants_reminders: false,
      units: undefined,
    });
    expect(written.counts).toMatchObject({ stored: 7 });
    for (const { root_uuid: root } of written.receipts)
      expect((await engine.facts.get(root ?? '')).row.scope_uuid).toBe(user);
    expect(await ofDana()).toEqual({
      name: 'Dana',
      preferred_language: 'de',
      works_on: expect.toSatisfy((list: string[]) => list.sort().join() === 'atlas,boreas'),
      interests: ['tea'],
      member_since: '2026-01-02',
      wants_reminders: false,
    });
    expect(Object.keys(await dana().get())).toContain('book_outline');
    expect(await engine.profile(user, 'erin').get()).toMatchObject({ chat_user_profile: {} });
  });

  it('writes what differs alone, closes what it replaces, and takes out what is null', async () => {
    await set({ name: 'Dana', units: 'metric', works_on: ['atlas', 'boreas'] });
    time.ms += 1000;
    const again = await dana().set(await dana().get());
    expect([again.receipts, again.position]).toEqual([[], []]);
    const changed = await set({ name: 'Dana K.', units: null, works_on: ['boreas', 'corvus'] });
    expect(changed.receipts.map(({ operation }) => operation)).toEqual([
      ...['ADD', 'DELETE', 'DELETE', 'ADD'],
    ]);
    expect(await ofDana()).toEqual({
      name: 'Dana K.',
      works_on: expect.toSatisfy((list: string[]) => list.sort().join() === 'boreas,corvus'),
    });
    const past = await engine.facts.list({ scope: user, state: 'past', property: 'name' });
    expect(past.facts.map(({ row }) => ('value' in row ? row.value : null))).toEqual(['Dana']);
    expect((await set({ units: null })).receipts).toEqual([]);
    expect((await set({ works_on: [] })).receipts).toHaveLength(2);
    expect(await ofDana()).toEqual({ name: 'Dana K.' });
  });

  it('reads what the scope inherits, and changes the scope itself alone', async () => {
    const outer = engine.profile(project, 'dana');
    await outer.set({ chat_user_profile: { units: 'imperial', works_on: ['atlas'] } });
    expect(await ofDana()).toEqual({ units: 'imperial', works_on: ['atlas'] });
    expect((await set({ units: 'imperial', works_on: ['atlas'] })).receipts).toEqual([]);
    expect(await refusalOf(set({ units: null }))).toMatchObject({
      code: 'WRITE.INVALID',
      message: expect.stringContaining(project),
    });
    await set({ units: 'metric', works_on: ['boreas'] });
    expect(await ofDana()).toEqual({ units: 'metric', works_on: ['boreas'] });
    expect((await outer.get())['chat_user_profile']).toEqual({
      units: 'imperial',
      works_on: ['atlas'],
    });
    await set({ units: null, works_on: null });
    expect(await ofDana()).toEqual({ units: 'imperial', works_on: ['atlas'] });
  });

  it('refuses what the collections do not have, names what was meant, writes nothing', async () => {
    const refused = async (values: unknown) => refusalOf(dana().set(values as never));
    const cases = [
      [{ chat_user_profil: { name: 'x' } }, 'Did you mean `chat_user_profile`?'],
      [{ chat_user_profile: { name: 'x', unit: 'metric' } }, 'Did you mean `units`?'],
      [{ chat_user_profile: { name: 'x', units: 'metres' } }, '`metres`'],
      [{ chat_user_profile: { name: 'x', works_on: 'atlas' } }, 'takes many values'],
      [{ chat_user_profile: { name: 'x', unit: null } }, 'Did you mean `units`?'],
      [{ constructor: { name: 'x' } }, 'no collection `constructor`'],
    ] as const;
    for (const [values, says] of cases)
      expect(await refused(values)).toMatchObject({
        code: 'WRITE.TYPE_MISMATCH',
        message: expect.stringContaining(says),
      });
    for (const values of [null, [], 'x', { chat_user_profile: null }, { chat_user_profile: [] }])
      expect(await refused(values)).toMatchObject({ code: 'WRITE.INVALID' });
    expect(await total()).toBe(0);
  });

  it('waits as one proposal where a write is T2, and is written as a whole then', async () => {
    const asked = () => set({ name: 'Dana', works_on: ['atlas'] }, AGENT);
    expect(await waitsFor(asked())).toBe('T2');
    expect(await ofDana()).toEqual({});
    const { proposal } = await asked();
    await engine.approvals.approve(proposal?.proposal_uuid ?? '');
    expect(await ofDana()).toEqual({ name: 'Dana', works_on: ['atlas'] });
  });

  it('is of a bound profile through engine.as, and of nobody who does not hold the scope', async () => {
    const bound = engine.as(AGENT).profile(user, 'dana');
    expect(await waitsFor(bound.set({ chat_user_profile: { name: 'Dana' } }))).toBe('T2');
    expect(await refusalOf(bound.get({ permission_profile: AGENT }))).toMatchObject({
      code: 'CONFIG.INVALID_VALUE',
    });
    await set({ name: 'Dana' });
    const eve = { ...AGENT, kind: 'human', principal: 'eve' } as const;
    for (const scopes of [[], [project]]) {
      const of = engine.as({ ...eve, scopes }).profile(user, 'dana');
      expect((await refusalOf(of.get())).code).toMatch(/^(PERMISSION|SCOPE)\./);
      expect((await refusalOf(of.set({ chat_user_profile: { units: 'metric' } }))).code).toMatch(
        /^(PERMISSION|SCOPE)\./,
      );
    }
    expect(await ofDana()).toEqual({ name: 'Dana' });
  });

  it('shows nothing of an outer scope that the caller does not hold', async () => {
    await engine.profile(project, 'dana').set({ chat_user_profile: { name: 'Secret' } });
    await set({ units: 'metric' });
    const eve = { ...LOCAL_PROFILE, principal: 'eve', scopes: [user] };
    expect((await engine.as(eve).profile(user, 'dana').get())['chat_user_profile']).toEqual({
      units: 'metric',
    });
  });
});
