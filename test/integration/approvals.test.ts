/**
 * What waits for a second principal: proposed, reviewed, approved by signature, and written then.
 */
import { beforeAll, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { newKey, signed } from '../support/approvals.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS, type TestClock } from '../support/engines.ts';
import { storeLocalHuman } from '../support/local-human.ts';

describeOnDatabases('approvals', (open, flavor) => {
  let opened: TestDatabase | null = null;
  let engine: ContextEngine;
  let scope: string;
  const time: TestClock = { ms: START_MS };
  const key = newKey();
  const outside = '00000000-0000-4000-8000-00000000dead';
  const profile = (
    principal: string,
    more: Partial<PermissionProfile> = {},
  ): { readonly permission_profile: PermissionProfile } => ({
    permission_profile: { principal, tenant: 'local', kind: 'human', scopes: '*', ...more },
  });
  const bot = profile('bot', { kind: 'agent' });
  const carol = profile('carol');
  const dave = profile('dave');

  beforeAll(async () => {
    opened = flavor === 'postgres' ? await open() : null;
    engine = await openEngine({
      database: opened?.url ? { url: opened.url } : { inMemory: true },
      permission_profile: LOCAL_PROFILE,
      time,
    });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
    // On a server nobody holds T1 by being there: the rights are stored by who migrates.
    if (opened) await storeLocalHuman(opened.owner);
    const stored = { outcome: 'stored', proposal: null };
    const tiers = { approvals: 'T1' } as const;
    for (const principal of ['carol', 'dave'])
      expect(await engine.principals.set({ principal, kind: 'human', scopes: '*', tiers })).toEqual(
        stored,
      );
    expect(await engine.principals.addKey('carol', key.publicKey)).toEqual(stored);
    return () => engine.close();
  });

  const headNow = async (): Promise<number | undefined> =>
    (await engine.scopes.list()).find((each) => each.scope_block_uuid === scope)?.head;
  const proposed = async (content: string) => {
    const { proposal } = await engine.remember(scope, { content }, bot);
    if (!proposal) throw new Error('it was written');
    return proposal;
  };
  const texts = async (): Promise<string> =>
    (
      await engine.composeBlockContext({
        scope_block_uuid: scope,
        intent: 'fact',
        query: 'the parrot',
        ...profile('local'),
      })
    ).text;

  it('keeps what an agent writes out of the ledger until another has reviewed it', async () => {
    const head = await headNow();
    const written = await engine.remember(scope, { content: 'the parrot is blue' }, bot);
    expect(written).toMatchObject({
      counts: { quarantined: 1, stored: 0 },
      position: [],
      receipts: [{ outcome: 'quarantined', uuid: null, seq: 0 }],
      proposal: { tier: 'T2' },
    });
    expect(await headNow()).toBe(head);
    expect(await texts()).not.toContain('blue');
    const [waiting] = await engine.approvals.list({}, carol);
    expect(waiting).toMatchObject({
      state: 'pending',
      proposal_uuid: written.proposal?.proposal_uuid,
      action: { proposer: 'bot', operations: [{ content: { content: 'the parrot is blue' } }] },
    });
    const approved = await engine.approvals.approve(waiting?.proposal_uuid ?? '', null, carol);
    expect(approved).toMatchObject({
      state: 'approved',
      result: { counts: { stored: 1 }, receipts: [{ embedding: 'done' }] },
    });
    expect(await texts()).toContain('blue');
    const [entry] = (await engine.audit.list({ limit: 1000 })).slice(-1);
    expect(entry).toMatchObject({
      principal: 'carol',
      action: 'approvals.approve',
      decision: 'approved',
      tier: 'T2',
      detail: waiting?.proposal_uuid,
    });
  });

  it('takes the same proposal twice for one', async () => {
    const one = await proposed('the parrot eats seeds');
    time.ms += 1000;
    expect(await proposed('the parrot eats seeds')).toEqual(one);
    expect((await proposed('the parrot eats nuts')).proposal_uuid).not.toBe(one.proposal_uuid);
    await engine.approvals.reject(one.proposal_uuid, carol);
    expect((await proposed('the parrot eats seeds')).proposal_uuid).not.toBe(one.proposal_uuid);
  });

  it('lets the proposer take it back, and nobody settle it twice', async () => {
    const { proposal_uuid: id } = await proposed('the parrot talks');
    expect(await engine.approvals.reject(id, bot)).toEqual({ state: 'rejected', result: null });
    for (const call of [
      () => engine.approvals.approve(id, null, carol),
      () => engine.approvals.reject(id, carol),
    ])
      expect((await refusalOf(call())).code).toBe('PERMISSION.PROPOSAL_SETTLED');
  });

  it('ends with its time', async () => {
    const { proposal_uuid: id } = await proposed('the parrot sleeps');
    time.ms += 8 * 24 * 3600 * 1000;
    expect((await refusalOf(engine.approvals.approve(id, null, carol))).code).toBe(
      'PERMISSION.PROPOSAL_SETTLED',
    );
    const { proposal_uuid: anew } = await proposed('the parrot sleeps');
    expect(anew).not.toBe(id);
    expect((await engine.approvals.show(id, carol)).state).toBe('expired');
  });

  const set = (value: string, options: typeof bot) =>
    engine.setTyped(scope, 'parrot', 'pets', 'colour', value, options);

  it('is in conflict where a value was set meanwhile, and writes nothing', async () => {
    const { proposal } = await set('blue', bot);
    await set('red', profile('local'));
    const head = await headNow();
    const id = proposal?.proposal_uuid ?? '';
    expect(await engine.approvals.approve(id, null, carol)).toEqual({
      state: 'conflict',
      result: null,
    });
    expect(await headNow()).toBe(head);
    expect((await engine.approvals.show(id, carol)).state).toBe('conflict');
    const again = await set('blue', bot);
    expect(
      await engine.approvals.approve(again.proposal?.proposal_uuid ?? '', null, carol),
    ).toMatchObject({ state: 'approved', result: { counts: { superseded: 1 } } });
  });

  it('needs a signature for T3, that serves once', async () => {
    const { receipts } = await engine.remember(scope, { content: 'the parrot is old' });
    const root = receipts[0]?.root_uuid;
    if (!root) throw new Error('it was not written');
    const gone = await engine.write(
      [
        {
          operation: 'DELETE',
          table: 'memory_open_set',
          scope: receipts[0]?.scope ?? root,
          root_uuid: root,
          cause: 'correction',
          valid_from: '2026-03-02T00:00:00.000Z' as never,
        },
      ],
      profile('erin'),
    );
    expect(gone.proposal?.tier).toBe('T3');
    const { proposal_uuid: id = '', digest = '' } = gone.proposal ?? {};
    const other = newKey();
    for (const [signature, by] of [
      [null, carol],
      [signed(digest, other), carol],
      [signed('0'.repeat(64), key), carol],
      [signed(digest, key), dave],
    ] as const)
      expect((await refusalOf(engine.approvals.approve(id, signature, by))).code).toBe(
        'PERMISSION.SIGNATURE_INVALID',
      );
    expect(await engine.approvals.approve(id, signed(digest, key), carol)).toMatchObject({
      state: 'approved',
    });
    expect((await refusalOf(engine.approvals.approve(id, signed(digest, key), carol))).code).toBe(
      'PERMISSION.PROPOSAL_SETTLED',
    );
    expect((await engine.audit.verify()).faults).toEqual([]);
  });

  it('reads outside of the closure by the tier of cross_scope, once for an approval', async () => {
    const { scope_block_uuid: far } = await engine.scopes.create({ type: 'short_scope' });
    await engine.remember(far, { content: 'the heron is grey' });
    // Its manifest says nothing of cross_scope.
    const { scope_block_uuid: near } = await engine.scopes.create({ type: 'oracle_scope' });
    const read = (by: typeof bot, more: object = {}) =>
      engine.composeBlockContext({
        scope_block_uuid: near,
        intent: 'fact',
        query: 'the heron',
        include_scopes: [far],
        ...by,
        ...more,
      });
    const told = async () =>
      (await engine.audit.list({ limit: 1000 })).filter(
        ({ action, scope_uuid: of }) =>
          action === 'compose.cross_scope' && [String(near), String(far)].includes(of ?? ''),
      );
    const owner = await read(profile('local'));
    expect(owner.text).toContain('grey');
    expect(await told()).toMatchObject([
      { principal: 'local', scope_uuid: far, decision: 'allowed', tier: 'T1', detail: near },
    ]);
    const refusal = await refusalOf(read(profile('erin')));
    expect(refusal).toMatchObject({ code: 'PERMISSION.APPROVAL_REQUIRED', meta: { tier: 'T3' } });
    const approval = String(refusal.meta['proposal']);
    const early = await refusalOf(read(profile('erin'), { approval }));
    expect(early.code).toBe('PERMISSION.APPROVAL_REQUIRED');
    const { digest } = await engine.approvals.show(approval, carol);
    await engine.approvals.approve(approval, signed(digest, key), carol);
    for (const [by, more] of [
      [profile('frieda'), { approval }],
      [profile('erin'), { approval, include_scopes: [far, outside] }],
    ] as const)
      expect((await refusalOf(read(by, more))).code).toMatch(/^(PERMISSION|SCOPE)\./);
    expect((await read(profile('erin'), { approval })).text).toContain('grey');
    expect((await refusalOf(read(profile('erin'), { approval }))).code).toBe(
      'PERMISSION.APPROVAL_REQUIRED',
    );
    const unheld = profile('erin', { scopes: [near] });
    const [held, absent] = await Promise.all(
      [far, outside].map(async (of) => {
        const { code, message } = await refusalOf(read(unheld, { include_scopes: [of] }));
        return [code, message.replaceAll(of, 'X')];
      }),
    );
    expect(held).toEqual(absent);
    expect((await engine.audit.verify()).faults).toEqual([]);
  });

  it('leaves an approval unused where it would read more scopes than a composition may', async () => {
    const create = async (more: object = {}) =>
      (await engine.scopes.create({ type: 'oracle_scope', ...more })).scope_block_uuid;
    const outer = await create();
    const near = await create({ inherits: [outer] });
    const far: string[] = [];
    for (let n = 0; n < 63; n += 1) far.push(await create());
    const read = (scopes: PermissionProfile['scopes'], more: object = {}) =>
      engine.composeBlockContext({
        scope_block_uuid: near,
        intent: 'fact',
        query: 'the heron',
        include_scopes: far,
        ...profile('erin', { scopes }),
        ...more,
      });
    const [few, tooMany] = [
      [near, ...far],
      [near, outer, ...far],
    ];
    const { meta } = await refusalOf(read(few));
    const approval = String(meta['proposal']);
    const { digest } = await engine.approvals.show(approval, carol);
    await engine.approvals.approve(approval, signed(digest, key), carol);
    for (const more of [{ approval }, {}])
      expect(await refusalOf(read(tooMany, more))).toMatchObject({
        code: 'CONFIG.INVALID_VALUE',
        where: { field: 'include_scopes' },
        fix: 'Name at most 62 scopes that the scope does not inherit from.',
      });
    expect((await read(few, { approval })).position).toHaveLength(64);
  });

  it('changes rights by the tier of grants, and ends cached compositions at once', async () => {
    const ask = {
      scope_block_uuid: scope,
      intent: 'fact',
      query: 'parrots',
      ...profile('frank'),
    };
    await engine.principals.set({ principal: 'frank', kind: 'human', scopes: '*' });
    await engine.composeBlockContext(ask);
    expect((await engine.composeBlockContext(ask)).cache.state).toBe('hit');
    const answer = await engine.principals.disable('frank', profile('erin'));
    expect(answer).toMatchObject({ outcome: 'quarantined', proposal: { action: { tier: 'T3' } } });
    expect((await engine.composeBlockContext(ask)).cache.state).toBe('hit');
    const { proposal_uuid: id = '', digest = '' } = answer.proposal ?? {};
    await engine.approvals.approve(id, signed(digest, key), carol);
    expect((await refusalOf(engine.composeBlockContext(ask))).code).toBe('PERMISSION.DENIED');
    const frank = (await engine.principals.list()).find(({ principal }) => principal === 'frank');
    expect(frank).toMatchObject({ is_disabled: true, keys: [] });
    expect(
      (await refusalOf(engine.principals.set({ principal: 'frank', kind: 'agent', scopes: [] })))
        .code,
    ).toBe('PERMISSION.RIGHTS_REFUSED');
  });
});
