/** Whoever reads a whole tenant reads it, however many scopes it has. */
import { beforeAll, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnServer } from '../support/databases.ts';
import { refusalOf, START_MS } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

/** More than a request of the store names. */
const MORE = 10_001;

describeOnServer('a tenant of many scopes', (open) => {
  let engine: ContextEngine;
  let scope: string;
  let root: string;
  const time = { ms: START_MS };

  beforeAll(async () => {
    const opened = await open();
    engine = await openLocalEngine(async () => opened, 'postgres', { time, embedder: 'off' });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' }));
    const kept = await engine.remember(scope, { content: 'Lives in Lisbon.', subject: 'Ada' });
    root = kept.receipts[0]?.root_uuid ?? '';
    // Copies of the scope's head and block: 10,000 calls of `scopes.create` take a minute.
    await opened.owner.exec(`
      select set_config('contextengine.tenant', 'local', false),
        set_config('contextengine.scopes', '*', false);
      create temp table made as select gen_random_uuid() as uuid from generate_series(1, ${MORE});
      insert into context_ops.scope_heads select (jsonb_populate_record(h,
          jsonb_build_object('scope_uuid', m.uuid))).*
        from made m, context_ops.scope_heads h where h.scope_uuid = '${scope}';
      insert into context.blocks select (jsonb_populate_record(r,
          jsonb_build_object('uuid', m.uuid, 'root_uuid', m.uuid, 'scope_uuid', m.uuid))).*
        from made m, context.blocks r where r.uuid = '${scope}';
      drop table made;
      analyze context.blocks;
      analyze context_ops.scope_heads;
    `);
    return () => engine.close();
  }, 120_000);

  it('lists, finds and changes facts, typed values and costs of it', async () => {
    time.ms += 60_000;
    expect(await engine.facts.list()).toMatchObject({ total: 1 });
    expect(await engine.facts.list({ scope, state: 'all' })).toMatchObject({ total: 1 });
    expect(await engine.facts.get(root)).toMatchObject({ row: { content: 'Lives in Lisbon.' } });
    expect(await engine.facts.search('Lisbon', { scope })).toHaveLength(1);
    const moved = await engine.facts.update(root, { content: 'Lives in Turin.', reason: 'moved' });
    expect(moved.counts.superseded + moved.counts.stored).toBe(1);
    const history = await engine.facts.history(root);
    expect(history.at(-1)).toMatchObject({ row: { content: 'Lives in Turin.' } });
    expect(history[0]?.origin.principal).toBe('local');
    const values = { chat_user_profile: { units: 'metric' } } as never;
    await engine.profile(scope as never, 'Ada').set(values);
    expect(await engine.profile(scope as never, 'Ada').get()).toMatchObject(values);
    expect(await engine.costs.list()).toEqual([]);
  });

  it('shows none of it to who holds one scope, or whose reads wait', async () => {
    const other: PermissionProfile = { ...LOCAL_PROFILE, principal: 'eve' };
    const { scope_block_uuid: own } = await engine.scopes.create({ type: 'chat_session' });
    const ofOwn = { permission_profile: { ...other, scopes: [own] } };
    expect(await engine.facts.list({ state: 'all' }, ofOwn)).toMatchObject({ total: 0 });
    expect((await refusalOf(engine.facts.get(root, ofOwn))).code).toBe('WRITE.NOT_FOUND');
    const late = { permission_profile: { ...other, tiers: { reads: 'T2' } } } as const;
    expect((await refusalOf(engine.facts.list({}, late))).code).toBe(
      'PERMISSION.APPROVAL_REQUIRED',
    );
  });
});
