/** Forgetting by who may not forget alone: it waits, and is done with the approval. */
import { beforeAll, expect, it } from 'vitest';
import type { ForgetTarget } from '../../src/engine/methods/forget-surface.ts';
import type { ContextEngine } from '../../src/index.ts';
import { type ApprovalKey, signed } from '../support/approvals.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { refusalOf, type TestClock } from '../support/engines.ts';
import {
  CAROL,
  ERIN,
  type ForgettingWorld,
  FRANK,
  openForgettingWorld,
  profileOf,
} from '../support/forgetting-world.ts';

describeOnDatabases('redactions that wait', (open, flavor) => {
  let opened: ForgettingWorld['opened'];
  let engine: ContextEngine;
  let scope: string;
  let time: TestClock;
  let key: ApprovalKey;

  beforeAll(async () => {
    ({ opened, engine, scope, time, key } = await openForgettingWorld(open, flavor === 'postgres'));
    return () => engine.close();
  });

  const remembered = async (content: string) => {
    const { receipts } = await engine.remember(scope, { content });
    return { root: receipts[0]?.root_uuid ?? '', version: receipts[0]?.uuid ?? '' };
  };
  const texts = async (): Promise<string> =>
    JSON.stringify((await engine.facts.list({ scope })).facts);
  const waiting = async (target: ForgetTarget, by = ERIN) => {
    const answer = await engine.forget(target, by);
    expect(answer).toMatchObject({ outcome: 'quarantined', counts: {}, certificate: null });
    if (!answer.proposal) throw new Error('nothing waits');
    return { ...answer, proposal: answer.proposal };
  };

  it('is forgotten when another has signed it, and not before', async () => {
    const { root } = await remembered('the parrot is blue');
    const { proposal, redaction_uuid: redaction } = await waiting({ root });
    expect(proposal.tier).toBe('T3');
    expect(await texts()).toContain('blue');
    time.ms += 1000;
    expect(await waiting({ root })).toMatchObject({ proposal, redaction_uuid: redaction });

    const { proposal_uuid: id } = proposal;
    const signature = signed(proposal.digest, key);
    for (const [by, sign, code] of [
      [ERIN, signature, 'PERMISSION.DENIED'],
      [profileOf('bot', { kind: 'agent' }), signature, 'PERMISSION.'],
      [CAROL, null, 'PERMISSION.SIGNATURE_INVALID'],
    ] as const)
      expect((await refusalOf(engine.approvals.approve(id, sign, by))).code).toContain(code);
    expect(await texts()).toContain('blue');

    const settled = await engine.approvals.approve(id, signature, CAROL);
    expect(settled).toMatchObject({ state: 'approved', result: null });
    expect(await texts()).not.toContain('blue');
    expect((await engine.erasure.list({}))[0]).toMatchObject({
      redaction_uuid: redaction,
      state: 'suppressed',
      principal: 'erin',
      counts: { memory_open_set: 1 },
    });
    const entries = (await engine.audit.list({ limit: 1000 })).slice(-2);
    expect(entries).toMatchObject([
      { principal: 'carol', action: 'approvals.approve', decision: 'approved', detail: id },
      { principal: 'erin', action: 'forget.root', decision: 'allowed', tier: 'T3' },
    ]);
    expect(entries[1]?.detail).toBe(redaction);
    expect((await engine.audit.verify()).faults).toEqual([]);
    const again = engine.approvals.approve(id, signature, CAROL);
    expect((await refusalOf(again)).code).toBe('PERMISSION.PROPOSAL_SETTLED');
  });

  it('takes nothing that came since, and is not held up by what it does not reach', async () => {
    const { receipts } = await engine.append(scope, { role: 'user', content: 'a long letter' });
    const block = receipts[0]?.root_uuid ?? '';
    const settled = async ({
      proposal_uuid: id,
      digest,
    }: {
      proposal_uuid: string;
      digest: string;
    }) => (await engine.approvals.approve(id, signed(digest, key), CAROL)).state;
    const { proposal: first } = await waiting({ block });
    const letter = receipts[0]?.uuid ?? '';
    await engine.remember(scope, { content: 'the letter is long', sources: [letter] });
    expect(await settled(first)).toBe('conflict');
    const { proposal } = await waiting({ block });
    await remembered('the parrot sleeps');
    expect(await settled(proposal)).toBe('approved');
    expect(await texts()).toContain('sleeps');
    expect(await texts()).not.toContain('letter');
  });

  it('is not given back to who lost the scope meanwhile', async () => {
    const { root } = await remembered('the parrot bites');
    const rights = { principal: 'gil', kind: 'human', tiers: { redactions: 'T3' } } as const;
    await engine.principals.set({ ...rights, scopes: '*' });
    const { proposal } = await waiting({ root }, profileOf('gil'));
    const { scope_block_uuid: other } = await engine.scopes.create({ type: 'short_scope' });
    await engine.principals.set({ ...rights, scopes: [other] });
    const approved = engine.approvals.approve(
      proposal.proposal_uuid,
      signed(proposal.digest, key),
      CAROL,
    );
    expect((await refusalOf(approved)).code).toBe('PERMISSION.DENIED');
    expect(await texts()).toContain('bites');
  });

  it('is in conflict where what it names has moved', async () => {
    const { root } = await remembered('the parrot eats seeds');
    const { proposal } = await waiting({ root });
    await engine.correct(root, { content: 'the parrot eats nuts' });
    const settled = await engine.approvals.approve(
      proposal.proposal_uuid,
      signed(proposal.digest, key),
      CAROL,
    );
    expect(settled.state).toBe('conflict');
    expect(await texts()).toContain('nuts');
  });

  it('takes a review at T2, of a version as of a root', async () => {
    const { version } = await remembered('the parrot sings');
    const { proposal } = await waiting({ version }, FRANK);
    expect(proposal.tier).toBe('T2');
    expect(await engine.approvals.approve(proposal.proposal_uuid, null, CAROL)).toMatchObject({
      state: 'approved',
      result: null,
    });
    expect(await texts()).not.toContain('sings');
  });

  it('is not there for who does not hold it', async () => {
    const { root } = await remembered('the parrot bites');
    const absent = '00000000-0000-4000-8000-00000000dead';
    const unheld = profileOf('erin', { scopes: [absent] });
    const [one, other] = await Promise.all([
      refusalOf(engine.forget({ root }, unheld)),
      refusalOf(engine.forget({ root: absent }, unheld)),
    ]);
    expect([one.code, one.message]).toEqual([other.code, other.message]);
    expect(await texts()).toContain('bites');
  });

  it('is not proposed past the engine without the scopes that a reviewer holds', async () => {
    if (!opened) return;
    const action = {
      tenant: 'local',
      proposal: '00000000-0000-4000-8000-00000000beef',
      kind: 'redaction',
      key: 'redactions',
      tier: 'T2',
      proposer: 'mallory',
      proposed_at: new Date(time.ms).toISOString(),
      expires_at: new Date(time.ms + 1000).toISOString(),
      scopes: [],
      redaction: { kind: 'root' },
    };
    for (const forged of [action, { ...action, scopes: [scope], redaction: { kind: 'tenant' } }]) {
      const text = JSON.stringify(forged);
      const tried = opened.database.transaction(async (tx) => {
        await tx.query(`select set_config('contextengine.tenant', 'local', true)`);
        await tx.query(
          `select context_ops.propose('local', jsonb_build_object('action', $1::text,
             'digest', encode(sha256(convert_to($1::text, 'UTF8')), 'hex'),
             'fingerprint', repeat('1', 64)))`,
          [text],
        );
      });
      await expect(tried).rejects.toMatchObject({ sqlstate: 'CE001' });
    }
  });
});
