/**
 * `forget` of a text or a person: what it names is what people wrote, where the caller holds it; and
 * no kept copy of it stays.
 */
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { parseTenant, type Uuid } from '../../src/model/ids.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, refusalOf } from '../support/engines.ts';
import { day } from '../support/ledger.ts';

const TENANT = parseTenant('local');
const OWNER: PermissionProfile = {
  principal: 'local',
  tenant: TENANT,
  kind: 'human',
  scopes: '*',
};
const RIGHTS = { redactions: 'T1', grants: 'T1', deletes: 'T1' } as const;

describeOnDatabases('forget by words', (open) => {
  let engine: ContextEngine;
  let scopes: readonly [string, string];
  let officer: { readonly permission_profile: PermissionProfile };

  beforeAll(async () => {
    const opened = await open();
    const database = opened.url === null ? { inMemory: true as const } : { url: opened.url };
    engine = await openEngine({
      database,
      manifests: 'manifests',
      embedder: 'off',
      permission_profile: OWNER,
    });
    const scope = async () =>
      (await engine.scopes.create({ type: 'chat_session' })).scope_block_uuid;
    scopes = [await scope(), await scope()];
    const set = (principal: string, held: readonly Uuid[] | '*') => ({
      action: 'set' as const,
      principal,
      kind: 'human' as const,
      scopes: held,
      tiers: RIGHTS,
    });
    const by = { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) };
    if (opened.url === null)
      await engine.principals.set({
        principal: 'officer',
        kind: 'human',
        tiers: RIGHTS,
        scopes: [scopes[0]],
      });
    else
      for (const change of [set('local', '*'), set('officer', [scopes[0] as Uuid])])
        await pgvectorAuthority(opened.database).changeRights(TENANT, change, by);
    officer = {
      permission_profile: { ...OWNER, principal: 'officer', scopes: [scopes[0]] },
    };
    return () => engine.close();
  }, 600_000);

  const asked = async (scope: string, query: string, principal?: PermissionProfile) => {
    const composition = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'fact',
      query,
      permission_profile: principal ?? OWNER,
    });
    return composition.composition_id;
  };
  const queryOf = async (composition: string) =>
    (await engine.explain(composition)).receipt.request.query;

  it('names no column, state, time, id or kind of writer', async () => {
    const [scope] = scopes;
    await engine.append(scope, { role: 'user', author: 'Ann', content: 'Hello there' });
    await engine.remember(scope, { content: 'Ann likes tea', subject: 'Ann' });
    for (const text of ['live', 'human', 'content', 'turn', 'null', '2026', 'memory_open_set'])
      expect((await refusalOf(engine.forget({ text }))).code, text).toBe('WRITE.NOT_FOUND');
    expect((await engine.facts.list({ scope })).total).toBe(1);
  });

  it('reaches copies of the scopes that are held, and tells of no others', async () => {
    const there = await asked(scopes[1], 'Where does the heron nest?');
    const here = await asked(scopes[0], 'Where does the heron fly?');
    await engine.remember(
      scopes[1],
      { content: 'The bluebird is ill' },
      { permission_profile: { ...OWNER, principal: 'bot', kind: 'agent' } },
    );
    const waiting = async () => (await engine.approvals.list({})).length;
    const before = await waiting();
    for (const target of [{ text: 'bluebird' }, { writer: 'bot' }, { person: 'bot' }])
      expect((await refusalOf(engine.forget(target, officer))).code).toBe('WRITE.NOT_FOUND');
    expect(await waiting()).toBe(before);
    await engine.forget({ text: 'heron' }, officer);
    expect(await queryOf(there)).toBe('Where does the heron nest?');
    expect(await queryOf(here)).not.toContain('heron');
  });

  it('takes what an agent asked for the person', async () => {
    const [scope] = scopes;
    const zoe: PermissionProfile = { ...OWNER, principal: 'Zoe' };
    const agent: PermissionProfile = {
      ...OWNER,
      principal: 'helper',
      kind: 'agent',
      scopes: [scope],
      on_behalf_of: zoe,
    };
    const composition = await asked(scope, 'What did my oncologist say?', agent);
    await engine.forget({ person: 'Zoe' });
    expect(await queryOf(composition)).not.toContain('oncologist');
  });

  it('leaves no kept copy of what two of them named', async () => {
    const [scope] = scopes;
    await engine.append(scope, { role: 'user', author: 'Kim', content: 'The crocus is out' });
    await asked(scope, 'Is the crocus out?');
    await engine.forget({ author: 'Kim' });
    await engine.forget({ text: 'crocus' }, { now: true }).catch(() => null);
    for (const { redaction_uuid: id, state } of await engine.erasure.list())
      if (state === 'suppressed') await engine.erasure.erase(id);
    expect((await engine.erasure.verify(['crocus'])).found).toEqual([]);
  });
});
