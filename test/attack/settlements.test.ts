/**
 * What an attacker of the approvals found: rights by way of a key, lists that others fill, writes
 * that are tried before they are approved, signatures in a copy, and what a comparison did not see.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { SqlError } from '../../connectors/pgvector/driver/sql.ts';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { MAX_WAITING_PROPOSALS } from '../../src/model/proposal.ts';
import { type ApprovalKey, newKey, signed } from '../support/approvals.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS, type TestClock } from '../support/engines.ts';
import { storeLocalHuman } from '../support/local-human.ts';

const TIERS = { deletes: 'T1', grants: 'T1', approvals: 'T1', cross_scope: 'T1' } as const;

describeOnDatabases('settlements under attack', (open, flavor) => {
  const time: TestClock = { ms: START_MS };
  let opened: TestDatabase;
  let engine: ContextEngine;
  let scope: string;
  const carol: ApprovalKey = newKey();
  const as = (principal: string, more: Partial<PermissionProfile> = {}) => ({
    permission_profile: {
      principal,
      tenant: 'local',
      kind: 'human',
      scopes: '*',
      ...more,
    } as const,
  });
  const bot = as('bot', { kind: 'agent' });

  beforeAll(async () => {
    opened = await open();
    engine = await openEngine({
      database: opened.url ? { url: opened.url } : { inMemory: true },
      embedder: 'off',
      permission_profile: as('local').permission_profile,
      time,
    });
    if (opened.url) await storeLocalHuman(opened.owner, { ...TIERS, redactions: 'T1' });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
    await engine.principals.set({
      principal: 'carol',
      kind: 'human',
      scopes: '*',
      tiers: { approvals: 'T1' },
    });
    await engine.principals.addKey('carol', carol.publicKey);
    await engine.principals.set({
      principal: 'clerk',
      kind: 'human',
      scopes: '*',
      tiers: { grants: 'T1' },
    });
    await engine.principals.set({ principal: 'boss', kind: 'human', scopes: '*', tiers: TIERS });
    return () => engine.close();
  });

  const lastDenial = async () =>
    (await engine.audit.list({ limit: 1000 })).findLast(({ decision }) => decision === 'denied');

  describe('whoever grants T1 alone', () => {
    it('adds no key to a principal that holds more, and enables none', async () => {
      await engine.principals.disable('boss');
      for (const change of [
        () => engine.principals.addKey('boss', newKey().publicKey, as('clerk')),
        () => engine.principals.enable('boss', as('clerk')),
      ]) {
        expect((await refusalOf(change())).code).toBe('PERMISSION.RIGHTS_REFUSED');
        expect(await lastDenial()).toMatchObject({ principal: 'clerk', detail: 'boss' });
      }
      await engine.principals.enable('boss');
    });

    it('gets no more by a signature of one who holds less', async () => {
      const change = await engine.principals.addKey('boss', newKey().publicKey, bot);
      const { proposal } = change;
      const by = signed(proposal?.digest ?? '', carol);
      const refused = engine.approvals.approve(proposal?.proposal_uuid ?? '', by, as('carol'));
      expect((await refusalOf(refused)).code).toBe('PERMISSION.DENIED');
      expect(await lastDenial()).toMatchObject({ principal: 'carol' });
    });
  });

  it('an agent has at most so many proposals that wait, and hides none of others', async () => {
    time.ms += 1000;
    const first = await engine.remember(
      scope,
      { content: 'of another' },
      as('zoe', { kind: 'agent' }),
    );
    const more = MAX_WAITING_PROPOSALS + 5;
    const codes: string[] = [];
    for (let index = 0; index < more; index += 1) {
      time.ms += 1000;
      const call = engine.remember(
        scope,
        { content: `noise ${index}` },
        as('noisy', { kind: 'agent' }),
      );
      codes.push(
        await call.then(
          () => 'waits',
          (error: { code?: string }) => error.code ?? '',
        ),
      );
    }
    expect(codes.filter((code) => code === 'waits')).toHaveLength(MAX_WAITING_PROPOSALS);
    expect(codes.at(-1)).toBe('PERMISSION.TOO_MANY_PROPOSALS');
    const own = await engine.approvals.list({ limit: 1 }, as('zoe', { kind: 'agent' }));
    expect(own.map(({ proposal_uuid: id }) => id)).toEqual([first.proposal?.proposal_uuid]);
    // Page by page, each once, newest first.
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await engine.approvals.list({ limit: 30, ...(after && { after }) }, as('carol'));
      seen.push(...page.map(({ proposal_uuid: id }) => id));
      after = page.at(-1)?.proposal_uuid;
      if (page.length < 30) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(first.proposal?.proposal_uuid);
    const [newest] = seen;
    expect(
      await engine.approvals.reject(newest ?? '', as('noisy', { kind: 'agent' })),
    ).toMatchObject({ state: 'rejected' });
    const again = await engine.remember(
      scope,
      { content: 'noise again' },
      as('noisy', { kind: 'agent' }),
    );
    expect(again.counts.quarantined).toBe(1);
  });

  it('who may not approve learns nothing of the write', async () => {
    // What it would replace is gone, so the write itself would be refused.
    const { receipts } = await engine.append(scope, { content: 'a turn' });
    const root = receipts[0]?.root_uuid ?? '';
    const deletion = {
      operation: 'DELETE',
      table: 'blocks',
      scope,
      root_uuid: root,
      cause: 'correction',
      valid_from: new Date(time.ms).toISOString(),
    } as const;
    const { proposal } = await engine.write([deletion as never], as('erin'));
    await engine.write([deletion as never]);
    const id = proposal?.proposal_uuid ?? '';
    const wrong = { ...signed(proposal?.digest ?? '', newKey()), key_id: carol.keyId };
    expect((await refusalOf(engine.approvals.approve(id, wrong, as('carol')))).code).toBe(
      'PERMISSION.SIGNATURE_INVALID',
    );
    expect((await refusalOf(engine.approvals.approve(id, null, as('clerk')))).code).toMatch(
      /^PERMISSION\./,
    );
    expect((await engine.approvals.show(id)).state).toBe('pending');
  });

  it('a link is compared with what it leads to', async () => {
    const turn = async () =>
      (await engine.append(scope, { content: `turn ${time.ms}` })).receipts[0]?.root_uuid ?? '';
    const [from, to] = [await turn(), await turn()];
    const { proposal } = await engine.link(scope, { type: 'pinned', from, to }, bot);
    const stays = await engine.link(scope, { type: 'pinned', from, to: await turn() }, bot);
    await engine.write([
      {
        operation: 'DELETE',
        table: 'blocks',
        scope,
        root_uuid: to,
        cause: 'change',
        valid_from: new Date(time.ms).toISOString(),
      } as never,
    ]);
    const settle = (id: string | undefined) =>
      engine.approvals.approve(id ?? '', null, as('carol'));
    expect(await settle(proposal?.proposal_uuid)).toEqual({ state: 'conflict', result: null });
    expect(await settle(stays.proposal?.proposal_uuid)).toMatchObject({ state: 'approved' });
  });

  it('the end of a scope is compared with all that was written there', async () => {
    const { scope_block_uuid: ended } = await engine.scopes.create({ type: 'short_scope' });
    const end = {
      operation: 'DELETE',
      table: 'blocks',
      scope: ended,
      root_uuid: ended,
      cause: 'change',
      valid_from: new Date(time.ms).toISOString(),
    };
    const { proposal } = await engine.write([end as never], as('erin'));
    expect(proposal?.tier).toBe('T3');
    await engine.append(ended, { content: 'meanwhile' });
    const by = signed(proposal?.digest ?? '', carol);
    expect(await engine.approvals.approve(proposal?.proposal_uuid ?? '', by, as('carol'))).toEqual({
      state: 'conflict',
      result: null,
    });
  });

  it('an operation that meets another version makes the whole a conflict', async () => {
    const { receipts } = await engine.remember(scope, { content: 'the first' });
    const [{ uuid, root_uuid: root } = { uuid: null, root_uuid: null }] = receipts;
    const next = await engine.remember(scope, { content: 'the second', replaces: root ?? '' });
    const { proposal } = await engine.write(
      [
        {
          operation: 'DELETE',
          table: 'memory_open_set',
          scope,
          root_uuid: root,
          cause: 'change',
          valid_from: new Date(time.ms).toISOString(),
          expected_version: uuid,
        } as never,
      ],
      bot,
    );
    expect(next.receipts[0]?.uuid).not.toBe(uuid);
    const id = proposal?.proposal_uuid ?? '';
    const ended = await engine.approvals.approve(id, null, as('carol'));
    expect(ended).toEqual({ state: 'conflict', result: null });
  });

  it('a signature serves in the database that it was asked in alone', async () => {
    const { receipts } = await engine.append(scope, { content: 'to be taken back' });
    const operation = {
      operation: 'DELETE',
      table: 'blocks',
      scope,
      root_uuid: receipts[0]?.root_uuid,
      cause: 'correction',
      valid_from: new Date(time.ms).toISOString(),
    };
    const { proposal } = await engine.write([operation as never], as('erin'));
    const action = (await engine.approvals.show(proposal?.proposal_uuid ?? '')).action;
    expect(action.database).toMatch(/^[0-9a-f]{64}$/);
    const other = await openEngine({
      database: { inMemory: true },
      embedder: 'off',
      permission_profile: as('local').permission_profile,
      time,
    });
    try {
      const { scope_block_uuid: theirs } = await other.scopes.create({ type: 'short_scope' });
      const waits = await other.remember(theirs, { content: 'x' }, bot);
      const { action: elsewhere } = await other.approvals.show(waits.proposal?.proposal_uuid ?? '');
      expect(elsewhere.database).not.toBe(action.database);
    } finally {
      await other.close();
    }
    if (flavor !== 'postgres') return;
    // The database is copied with all of its rows: as if it had another oid.
    await opened.owner.exec(`update context_ops.database_ids set random_id = gen_random_uuid()`);
    const by = signed(proposal?.digest ?? '', carol);
    const copied = engine.approvals.approve(proposal?.proposal_uuid ?? '', by, as('carol'));
    expect((await refusalOf(copied)).code).toBe('PERMISSION.SIGNATURE_INVALID');
  });

  describe('SQL as the application role', () => {
    const inTenant = (scopes: string, text: string): Promise<unknown> =>
      opened.database
        .transaction(async (tx) => {
          await tx.query(
            `select set_config('contextengine.tenant', 'local', true), set_config('contextengine.scopes', $1, true)`,
            [scopes],
          );
          return tx.query(text);
        })
        .catch((error: unknown) => error);
    const entry = (of: object): string =>
      JSON.stringify([
        {
          at: '2001-01-01T00:00:00.000Z',
          principal: 'x',
          action: 'compose.reads',
          decision: 'denied',
          tier: 'T1',
          detail: '',
          ...of,
        },
      ]);

    it.each([
      ['a right that was changed', { action: 'principals.set', decision: 'allowed' }],
      ['an approval', { action: 'approvals.approve', decision: 'approved' }],
      ['what needs a second principal', { decision: 'allowed', tier: 'T3' }],
      ['what was forgotten', { action: 'forget.person', decision: 'allowed' }],
      [
        'what was forgotten with an approval',
        { action: 'forget.root', decision: 'allowed', tier: 'T3' },
      ],
      ['what was erased', { action: 'erase.tenant', decision: 'allowed' }],
      ['what was brought back', { action: 'bring_back.root', decision: 'allowed' }],
      ['what reads like an erasure', { action: 'erasure.tenant', decision: 'allowed' }],
      ['what reads like a redaction', { action: 'redactions.person', decision: 'allowed' }],
      ['what reads like a certificate', { action: 'certificate', decision: 'allowed' }],
      ['what reads like a write that erased', { action: 'write.erased', decision: 'allowed' }],
      ['an action of no door', { action: 'Free text, of any length' }],
    ])('tells the audit nothing of %s', async (_, of) => {
      const refused = await inTenant(
        '*',
        `select context_ops.append_audit('local', '${entry(of)}')`,
      );
      expect(refused).toBeInstanceOf(SqlError);
      expect(refused).toMatchObject({ sqlstate: 'CE001' });
    });

    it('states the time of what it tells, not of the entry', async () => {
      const authority = flavor === 'postgres' ? engine : null;
      await inTenant('*', `select context_ops.append_audit('local', '${entry({})}')`);
      const rows = await inTenant(
        '*',
        `select at::text as at, written_at > '2025-01-01' as is_now from context_ops.audit order by seq desc limit 1`,
      );
      expect(rows).toMatchObject([{ at: expect.stringMatching(/^2001/), is_now: true }]);
      if (authority) expect((await authority.audit.verify()).faults).toEqual([]);
    });

    it('sees a proposal where it holds all of its scopes', async () => {
      const one = '00000000-0000-4000-8000-000000000001';
      const two = '00000000-0000-4000-8000-000000000002';
      const action = JSON.stringify({
        tenant: 'local',
        proposal: '00000000-0000-4000-8000-0000000000aa',
        kind: 'write',
        key: 'writes',
        tier: 'T2',
        proposer: 'x',
        scopes: [one, two],
        proposed_at: '2026-01-01T00:00:00.000Z',
        expires_at: '2026-01-08T00:00:00.000Z',
      });
      const proposal = `jsonb_build_object('action', a.t, 'digest', encode(sha256(convert_to(a.t, 'UTF8')), 'hex'), 'fingerprint', repeat('c', 64))`;
      await inTenant(
        '*',
        `select context_ops.propose('local', ${proposal}) from (select '${action}'::text as t) a`,
      );
      const seen = (scopes: string) =>
        inTenant(
          scopes,
          `select proposal_uuid from context_ops.proposals where '${two}' = any (scopes)`,
        );
      expect(await seen(one)).toEqual([]);
      expect(await seen(two)).toEqual([]);
      expect(await seen(`${one},${two}`)).toHaveLength(1);
    });
  });
});
