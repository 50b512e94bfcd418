/**
 * What is forgotten is out of sight at once, on every path: now, in the past, looking back, in
 * counts and in the statistics of words.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { parseTenant, type ScopeUuid, type Uuid } from '../../src/model/ids.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS, type TestClock } from '../support/engines.ts';
import { day } from '../support/ledger.ts';

const TENANT = parseTenant('local');
const PROFILE: PermissionProfile = {
  principal: 'local',
  tenant: TENANT,
  kind: 'human',
  scopes: '*',
};
const CANARY = 'quetzalcoatlus';

describeOnDatabases('forget', (open) => {
  const time: TestClock = { ms: START_MS };
  let opened: TestDatabase;
  let engine: ContextEngine;
  let other: ContextEngine;

  beforeAll(async () => {
    opened = await open();
    if (opened.url !== null)
      await pgvectorAuthority(opened.database).changeRights(
        TENANT,
        {
          action: 'set',
          principal: 'local',
          kind: 'human',
          scopes: '*',
          tiers: { redactions: 'T1', grants: 'T1', deletes: 'T1' },
        },
        { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) },
      );
    const database = opened.url === null ? { inMemory: true as const } : { url: opened.url };
    const manifests = 'manifests';
    const options = { database, time, manifests, permission_profile: PROFILE };
    engine = await openEngine(options);
    other = opened.url === null ? engine : await openEngine(options);
    return async () => {
      await engine.close();
      if (other !== engine) await other.close();
    };
  });

  const tick = (): void => {
    time.ms += 60_000;
  };
  const newScope = async (): Promise<ScopeUuid> => {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    return scope;
  };
  const newScopeOf = async () => ({ scope: await newScope() });
  const compose = (scope: ScopeUuid, more: object = {}, by = engine) =>
    by.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: 'What flew over the harbour?',
      permission_profile: PROFILE,
      ...more,
    });
  const exported = async (scope: ScopeUuid): Promise<string> => {
    const lines: unknown[] = [];
    for await (const line of engine.exportScope(scope)) lines.push(line);
    return JSON.stringify(lines);
  };

  /** A turn, a fact, a summary derived from the turn, a typed value; beside others that stay. */
  async function plant(canary: string) {
    const scope = await newScope();
    tick();
    const turns = await engine.append(scope, [
      { content: `A ${canary} flew over the harbour.`, author: 'Zoe', role: 'user' },
      { content: 'The harbour was quiet otherwise.', author: 'Max', role: 'user' },
    ]);
    const turn = turns.receipts[0]?.uuid as Uuid;
    tick();
    await engine.remember(scope, {
      content: `Zoe saw a ${canary} at the harbour`,
      subject: 'Zoe',
      sources: [turn],
    } as never);
    await engine.remember(scope, { content: 'Max likes the quiet of the harbour', subject: 'Max' });
    tick();
    return { scope, turn };
  }

  it('of a root: nothing serves it, or what was derived from it, at any position', async () => {
    const { scope, turn } = await plant(CANARY);
    const before = await compose(scope);
    expect(before.text).toContain(CANARY);
    const cached = await compose(scope, {}, other);
    expect(cached.text).toContain(CANARY);
    const instant = new Date(time.ms).toISOString();
    tick();
    const answer = await engine.forget({ root: turn });
    expect(answer.counts['blocks']).toBe(1);
    expect(answer.counts['memory_open_set']).toBe(1);
    for (const by of [engine, other]) {
      expect((await compose(scope, {}, by)).text).not.toContain(CANARY);
      expect((await compose(scope, { as_of: instant }, by)).text).not.toContain(CANARY);
      expect((await compose(scope, { query: CANARY }, by)).text).not.toContain(CANARY);
    }
    expect((await compose(scope)).text).toContain('quiet');
    expect(await engine.history(turn)).toEqual([]);
    expect(await exported(scope)).not.toContain(CANARY);
    const explained = JSON.stringify(await engine.explain(before.composition_id));
    expect(explained).not.toContain(CANARY);
    expect(explained).not.toContain('What flew over');
    const replayed = await engine.replay(before.composition_id);
    expect(replayed.identical).toBe(false);
    expect(replayed.text).toContain('[erased]');
    expect(replayed.text).not.toContain(CANARY);
    expect(replayed.gone.length).toBeGreaterThanOrEqual(2);
  });

  it('leaves no word in the statistics, and numbers what stays without a gap', async () => {
    const { scope, turn } = await plant('archaeopteryx');
    await engine.forget({ root: turn });
    const [words] = await opened.owner.query(
      `select count(*) filter (where term like '%archaeopt%') as said, count(*) as terms
       from context_ops.postings where scope_uuid = $1`,
      [scope],
    );
    const gaps = await opened.owner.query(
      `select term from context_ops.postings where scope_uuid = $1
       group by owner_table, term having max(nth) <> count(*)`,
      [scope],
    );
    if (opened.url !== null) {
      expect(words).toMatchObject({ said: 0 });
      expect(gaps).toEqual([]);
    }
  });

  it('erased, it does not come back by the same write, and the rest can be exported', async () => {
    const { scope } = await newScopeOf();
    const turn = { content: 'The iguanodon spoke twice.', idempotency_key: 'turn:iguanodon' };
    const { receipts } = await engine.append(scope, turn);
    await engine.append(scope, { content: 'What stays after the iguanodon left.' });
    await engine.forget({ root: receipts[0]?.uuid as Uuid }, { now: true });
    const again = await engine.append(scope, turn);
    expect(again.counts).toMatchObject({ duplicate: 1, stored: 0 });
    expect((await compose(scope, { query: 'iguanodon' })).text).not.toContain('spoke twice');
    const lines: unknown[] = [];
    for await (const line of engine.exportScope(scope)) lines.push(line);
    expect(JSON.stringify(lines)).not.toContain('spoke twice');
    const elsewhere = await openEngine({ time, manifests: 'manifests' });
    const all = async function* (): AsyncGenerator<unknown> {
      yield* lines;
    };
    const { rows } = await elsewhere.importScope(all());
    await elsewhere.close();
    expect(rows).toBeGreaterThan(1);
  });

  describe('by other names', () => {
    it.each([
      ['author', { author: 'Zoe' }],
      ['person', { person: 'Zoe' }],
      ['text', { text: 'pterodactyl' }],
    ] as const)('%s', async (_kind, target) => {
      const { scope } = await plant('pterodactyl');
      await engine.forget(target);
      const after = await compose(scope, { query: 'pterodactyl harbour' });
      expect(after.text).not.toContain('A pterodactyl');
      expect(after.text).toContain('quiet');
    });

    it('a scope: it is not there, nor is what it held', async () => {
      const { scope } = await plant('diplodocus');
      const { composition_id: id } = await compose(scope);
      await engine.forget({ scope });
      expect((await refusalOf(compose(scope))).code).toBe('SCOPE.NOT_FOUND');
      expect((await refusalOf(engine.explain(id))).code).toBe('SCOPE.NOT_FOUND');
      const listed = await engine.scopes.list();
      expect(listed.map(({ scope_block_uuid: uuid }) => uuid)).not.toContain(scope);
    });

    it('refuses what names nothing, and keeps nothing of it', async () => {
      const entries = (await engine.audit.list()).length;
      const refused = await refusalOf(engine.forget({ author: 'Nobody at all' }));
      expect(refused.code).toBe('WRITE.NOT_FOUND');
      expect((await engine.audit.list()).length).toBe(entries);
    });
  });
});
