/**
 * Forgetting what more than one row says, at once, and bringing back, by who may not alone: each
 * waits with what it would reach, and is done with the approval.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ForgetOptions, ForgetTarget } from '../../src/engine/methods/forget-surface.ts';
import type { ContextEngine } from '../../src/index.ts';
import { type ApprovalKey, signed } from '../support/approvals.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { refusalOf, type TestClock } from '../support/engines.ts';
import { CAROL, ERIN, FRANK, openForgettingWorld, profileOf } from '../support/forgetting-world.ts';

describeOnDatabases('forgetting that waits', (open, flavor) => {
  let engine: ContextEngine;
  let scope: string;
  let time: TestClock;
  let key: ApprovalKey;

  beforeAll(async () => {
    ({ engine, scope, time, key } = await openForgettingWorld(open, flavor === 'postgres'));
    return () => engine.close();
  });

  const aScope = async (): Promise<string> =>
    (await engine.scopes.create({ type: 'short_scope' })).scope_block_uuid;
  const said = async (author: string, content: string, where = scope): Promise<string> => {
    time.ms += 1000;
    const { receipts } = await engine.append(where, { author, role: 'user', content });
    return receipts[0]?.root_uuid ?? '';
  };
  const isThere = async (root: string): Promise<boolean> => (await engine.history(root)).length > 0;
  const waiting = async (target: ForgetTarget, options: ForgetOptions = ERIN) => {
    const answer = await engine.forget(target, options);
    expect(answer).toMatchObject({ outcome: 'quarantined', counts: {}, certificate: null });
    if (!answer.proposal) throw new Error('nothing waits');
    return { ...answer, proposal: answer.proposal };
  };
  const approve = ({ proposal_uuid: id, digest }: { proposal_uuid: string; digest: string }) =>
    engine.approvals.approve(id, signed(digest, key), CAROL);
  /** Tables that hold a text. */
  const tablesOf = async (text: string): Promise<readonly string[]> =>
    (await engine.erasure.verify([text])).found.map(({ table }) => table);
  const ofProposals = (tables: readonly string[]): readonly string[] =>
    tables.filter((table) => table.endsWith('proposals'));

  it('of a person: the reviewer sees how much; afterwards no word is kept', async () => {
    const root = await said('Zoe Miller', 'I moved to Lisbon');
    const stays = await said('Ann', 'and I did not');
    const { proposal, redaction_uuid: redaction } = await waiting({ person: 'Zoe Miller' });
    expect(proposal.tier).toBe('T3');
    expect(await isThere(root)).toBe(true);
    time.ms += 1000;
    expect(await waiting({ person: 'Zoe Miller' })).toMatchObject({
      proposal,
      redaction_uuid: redaction,
    });
    const shown = await engine.approvals.show(proposal.proposal_uuid, CAROL);
    expect(shown).toMatchObject({
      target: 'Zoe Miller',
      action: { scopes: [scope], redaction: { kind: 'person', reach: { counts: { blocks: 1 } } } },
    });
    expect(JSON.stringify(shown.action)).not.toContain('Zoe');
    expect(ofProposals(await tablesOf('Zoe Miller'))).toHaveLength(1);

    expect(await approve(proposal)).toEqual({
      state: 'approved',
      result: null,
      forgotten: {
        redaction_uuid: redaction,
        certificate: null,
        followed: { given_back: 0, said_again: 0, waits: 0, failures: [] },
      },
    });
    expect([await isThere(root), await isThere(stays)]).toEqual([false, true]);
    expect((await engine.approvals.show(proposal.proposal_uuid, CAROL)).target).toBeNull();
    expect(ofProposals(await tablesOf('Zoe Miller'))).toEqual([]);
    expect((await engine.audit.verify()).faults).toEqual([]);
  });

  it('is in conflict where the person said more meanwhile, or something of it went', async () => {
    const root = await said('Bob', 'I like tea');
    const first = await waiting({ author: 'Bob' });
    await said('Bob', 'and one thing more');
    expect((await approve(first.proposal)).state).toBe('conflict');
    const { proposal } = await waiting({ author: 'Bob' });
    await engine.forget({ root });
    const ended = await engine.approvals.show(proposal.proposal_uuid, CAROL);
    expect(ended).toMatchObject({ state: 'conflict', target: null });
    expect(ofProposals(await tablesOf('Bob'))).toEqual([]);
    expect((await engine.erasure.list({}))[0]?.target_kind).toBe('root');
  });

  it('of a text, at once: the approval erases it and gives the certificate', async () => {
    const turn = await said('Ann', 'the code is xanadu-4711');
    await engine.remember(scope, { content: 'xanadu-4711 is the code' });
    const asked = { ...ERIN, now: true };
    const { proposal, redaction_uuid: redaction } = await waiting({ text: 'Xanadu-4711' }, asked);
    const { forgotten, state } = await approve(proposal);
    expect(state).toBe('approved');
    expect(forgotten?.certificate).toMatchObject({
      redaction,
      target_kind: 'text',
      reached: { blocks: 1, memory_open_set: 1 },
    });
    if (!forgotten?.certificate) throw new Error('no certificate');
    expect(await engine.erasure.check(forgotten.certificate)).toEqual({
      is_whole: true,
      is_ours: true,
    });
    expect(await engine.erasure.certificate(redaction)).toEqual(forgotten.certificate);
    expect(await isThere(turn)).toBe(false);
    expect(await tablesOf('xanadu-4711')).toEqual([]);
  });

  it('keeps no word of what was rejected, or waited too long', async () => {
    await said('Kit', 'my number is 555-0199-77');
    const first = await waiting({ text: '555-0199-77' });
    expect(ofProposals(await tablesOf('555-0199-77'))).toHaveLength(1);
    await engine.approvals.reject(first.proposal.proposal_uuid, ERIN);
    expect(ofProposals(await tablesOf('555-0199-77'))).toEqual([]);
    const late = await waiting({ text: '555-0199-77' });
    time.ms += 8 * 24 * 3600 * 1000;
    expect((await refusalOf(approve(late.proposal))).code).toBe('PERMISSION.PROPOSAL_SETTLED');
    await engine.erasure.erase(null, profileOf('local'));
    expect(ofProposals(await tablesOf('555-0199-77'))).toEqual([]);
    const ended = await engine.approvals.show(late.proposal.proposal_uuid, CAROL);
    expect(ended).toMatchObject({ state: 'expired', target: null });
    await waiting({ text: '555-0199-77' });
    time.ms += 8 * 24 * 3600 * 1000;
    await engine.upkeep({}, profileOf('local'));
    expect(ofProposals(await tablesOf('555-0199-77'))).toEqual([]);
  });

  it('goes with what forgets its words, and does not wait again when they come back', async () => {
    await said('Lea', 'call me at lighthouse-88');
    const { proposal } = await waiting({ text: 'lighthouse-88' });
    const { redaction_uuid: redaction } = await engine.forget({ text: 'LIGHTHOUSE-88' });
    const again = await refusalOf(approve(proposal));
    expect(again.code).toBe('PERMISSION.PROPOSAL_NOT_FOUND');
    await engine.erasure.bringBack(redaction);
    expect((await refusalOf(approve(proposal))).code).toBe('PERMISSION.PROPOSAL_SETTLED');
    expect(ofProposals(await tablesOf('lighthouse-88'))).toEqual([]);
  });

  it('ends with what takes its rows away, and is not told of once its time is over', async () => {
    const turn = await said('Kit', 'my pin is walrus-1234');
    const other = await said('Kit', 'and my dog is walrus-9');
    const moved = await waiting({ text: 'walrus-1234' });
    const stays = await waiting({ text: 'walrus-9' });
    await engine.forget({ root: turn }, { now: true });
    expect(await tablesOf('walrus-1234')).toEqual([]);
    const ended = await engine.approvals.show(moved.proposal.proposal_uuid, CAROL);
    expect(ended).toMatchObject({ state: 'conflict', target: null });
    time.ms += 8 * 24 * 3600 * 1000;
    const id = stays.proposal.proposal_uuid;
    const late = await engine.approvals.show(id, CAROL);
    expect(late).toMatchObject({ state: 'expired', target: null });
    const listed = async (state: 'pending' | 'expired') =>
      (await engine.approvals.list({ state }, CAROL)).some((each) => each.proposal_uuid === id);
    expect([await listed('pending'), await listed('expired')]).toEqual([false, true]);
    expect((await refusalOf(approve(stays.proposal))).code).toBe('PERMISSION.PROPOSAL_SETTLED');
    expect(ofProposals(await tablesOf('walrus-9'))).toEqual([]);
    expect(await isThere(other)).toBe(true);
    expect((await engine.audit.verify()).faults).toEqual([]);
  });

  it('tells of no proposal who may not see it, whether it waits or comes back', async () => {
    const rights = { kind: 'human', scopes: '*', tiers: { approvals: 'excluded' } } as const;
    await engine.principals.set({ principal: 'gus', ...rights });
    const gus = profileOf('gus');
    const bot = profileOf('bot', { kind: 'agent' });
    await engine.remember(scope, { content: 'payroll-8125 of Erin' }, bot);
    const refused = await refusalOf(engine.forget({ text: 'payroll-8125' }, gus));
    expect(refused.code).toBe('WRITE.NOT_FOUND');
    await said('Ola', 'the list is payroll-8125');
    const { proposal } = await waiting({ text: 'payroll-8125' }, gus);
    const own = await engine.approvals.show(proposal.proposal_uuid, gus);
    expect(own.action.redaction?.reach?.counts).toEqual({ blocks: 1 });
    const seen = await waiting({ text: 'payroll-8125' }, FRANK);
    const shown = await engine.approvals.show(seen.proposal.proposal_uuid, CAROL);
    expect(shown.action.redaction?.reach?.counts).toEqual({ blocks: 1, proposals: 1 });
    const { redaction_uuid: redaction } = await engine.forget({ text: 'payroll-8125' });
    const back = await engine.erasure.bringBack(redaction, bot);
    expect(back.counts).toEqual({ blocks: 1 });
    const returning = await engine.approvals.show(back.proposal?.proposal_uuid ?? '', bot);
    expect(returning.action.bring_back?.reach.counts).toEqual({ blocks: 1 });
  });

  it('of a scope, with all in it, and by who holds it alone', async () => {
    const other = await aScope();
    const inside = await said('Mia', 'in the other room', other);
    const { proposal } = await waiting({ scope: other });
    const partial = profileOf('dan', { scopes: [scope] });
    await engine.principals.set({
      ...{ principal: 'dan', kind: 'human', scopes: [scope] },
      tiers: { approvals: 'T1' },
    });
    const refused = await refusalOf(engine.approvals.show(proposal.proposal_uuid, partial));
    expect(refused.code).toBe('PERMISSION.PROPOSAL_NOT_FOUND');
    expect((await approve(proposal)).state).toBe('approved');
    expect(await isThere(inside)).toBe(false);
    for (const target of [{ root: scope }, { block: scope }] as const) {
      const waits = await waiting(target);
      await engine.approvals.reject(waits.proposal.proposal_uuid, ERIN);
    }
  });

  describe('bringing back', () => {
    it('waits at T2 and T3, and is done with the approval', async () => {
      for (const [by, tier] of [
        [FRANK, 'T2'],
        [ERIN, 'T3'],
      ] as const) {
        const turn = await said('Noa', `the tulips are ${tier}`);
        const { redaction_uuid: redaction } = await engine.forget({ root: turn });
        const { proposal, state } = await engine.erasure.bringBack(redaction, by);
        expect([state, proposal?.tier]).toEqual(['suppressed', tier]);
        const undone = await engine.undo(redaction, by);
        expect(undone.proposal).toEqual(proposal);
        expect(await isThere(turn)).toBe(false);
        if (!proposal) throw new Error('nothing waits');
        const shown = await engine.approvals.show(proposal.proposal_uuid, CAROL);
        expect(shown.action).toMatchObject({
          kind: 'return',
          bring_back: { redaction, reach: { counts: { blocks: 1 } } },
        });
        const settled = await approve(proposal);
        expect(settled).toMatchObject({
          state: 'approved',
          brought_back: { redaction_uuid: redaction, state: 'brought_back' },
        });
        expect(await isThere(turn)).toBe(true);
      }
    });

    it('is in conflict where it is back already, erased or due', async () => {
      const proposed = async () => {
        const turn = await said('Noa', 'more tulips');
        const { redaction_uuid: redaction } = await engine.forget({ root: turn });
        const { proposal } = await engine.erasure.bringBack(redaction, FRANK);
        if (!proposal) throw new Error('nothing waits');
        return { redaction, proposal };
      };
      const back = await proposed();
      await engine.erasure.bringBack(back.redaction);
      expect((await approve(back.proposal)).state).toBe('conflict');
      const erased = await proposed();
      await engine.erasure.erase(erased.redaction);
      expect((await approve(erased.proposal)).state).toBe('conflict');
      const refused = await refusalOf(engine.erasure.bringBack(erased.redaction, FRANK));
      expect(refused.code).toBe('WRITE.REFUSED');
    });

    it('is not there for who does not hold all of it', async () => {
      const other = await aScope();
      const turn = await said('Noa', 'elsewhere', other);
      const { redaction_uuid: redaction } = await engine.forget({ root: turn });
      const absent = '00000000-0000-4000-8000-00000000dead';
      const by = profileOf('erin', { scopes: [scope] });
      const [one, two] = await Promise.all([
        refusalOf(engine.undo(redaction, by)),
        refusalOf(engine.undo(absent, by)),
      ]);
      expect(one.code).toBe(two.code);
      expect(one.message.replace(redaction, '')).toBe(two.message.replace(absent, ''));
    });
  });

  it('tells an agent nothing of what it does not see', async () => {
    const bot = profileOf('bot', { kind: 'agent', scopes: [scope] });
    const other = await aScope();
    await said('Ola', 'sesame-elsewhere', other);
    const hidden = await said('Ola', 'sesame-forgotten');
    await engine.forget({ root: hidden });
    const codes = await Promise.all(
      ['sesame-elsewhere', 'sesame-forgotten', 'sesame-nowhere'].map(
        async (text) => (await refusalOf(engine.forget({ text }, bot))).code,
      ),
    );
    expect(codes).toEqual(['WRITE.NOT_FOUND', 'WRITE.NOT_FOUND', 'WRITE.NOT_FOUND']);
    await said('Ola', 'sesame-here');
    const { proposal } = await waiting({ text: 'sesame' }, bot);
    expect(proposal.tier).toBe('T3');
    const shown = await engine.approvals.show(proposal.proposal_uuid, CAROL);
    expect(shown.action.redaction?.reach?.counts).toEqual({ blocks: 1 });
    await engine.approvals.reject(proposal.proposal_uuid, CAROL);
  });

  it('of the whole tenant, by who holds it all', async () => {
    const { proposal } = await waiting({ tenant: true }, { ...ERIN, now: true });
    const shown = await engine.approvals.show(proposal.proposal_uuid, CAROL);
    expect(shown.action.scopes).toEqual([]);
    const partial = profileOf('carol', { scopes: [scope] });
    expect((await refusalOf(engine.approvals.show(proposal.proposal_uuid, partial))).code).toBe(
      'PERMISSION.PROPOSAL_NOT_FOUND',
    );
    const { forgotten } = await approve(proposal);
    expect(forgotten?.certificate?.is_key_destroyed).toBe(true);
    expect((await engine.scopes.list()).length).toBe(0);
  });
});
