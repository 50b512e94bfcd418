/**
 * Memory in hand: what was captured from what, when, by which extractor and under which approval;
 * by page, by filter, and never of a scope that the caller does not hold.
 */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { refusalOf, START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;

describeOnDatabases('facts', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  let session: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
    ({ scope_block_uuid: session } = await engine.scopes.create({
      type: 'chat_session',
      inherits: [user],
    }));
    time.ms += DAY_MS;
  });

  const say = async (content: string, role = 'user'): Promise<string> => {
    const occurred_at = new Date(time.ms);
    const said = await engine.append(session, { role, author: 'Ada', content, occurred_at });
    return said.receipts[0]?.uuid ?? '';
  };
  const wordsOf = (facts: Awaited<ReturnType<ContextEngine['facts']['history']>>) =>
    facts.map((fact) => (fact.table === 'memory_open_set' ? fact.row.content : fact.row.value));
  const onlyOf = (scopes: readonly string[]): PermissionProfile => ({
    principal: 'eve',
    tenant: 'local',
    kind: 'human',
    scopes,
  });

  it('says what a captured fact was made from, when, and by which extractor', async () => {
    const turn = await say('I am allergic to peanuts.');
    await engine.capture(session);
    const { facts, total, cursor } = await engine.facts.list({ scope: session });
    expect([wordsOf(facts), total, cursor]).toEqual([['Ada is allergic to peanuts.'], 1, null]);
    const [fact] = facts;
    expect(fact?.row.scope_uuid).toBe(user);
    expect(fact?.origin).toMatchObject({
      recorded_at: new Date(time.ms).toISOString(),
      principal: 'local',
      tier: 'T1',
      approval: null,
      sources: [{ uuid: turn, scope_uuid: session }],
    });
    expect(fact?.origin.extractor).toMatch(/^rules\//);
    expect(await engine.facts.get(fact?.row.uuid ?? '')).toEqual(fact);
    expect(await engine.facts.get(fact?.row.root_uuid ?? '')).toEqual(fact);
    for (const source of [turn, session])
      expect((await engine.facts.list({ source })).facts).toEqual(facts);
    expect((await engine.facts.list({ source: user })).total).toBe(0);
    expect((await engine.facts.list({ scope: session, extractor: 'model' })).total).toBe(0);
    expect((await engine.facts.list({ scope: session, extractor: 'rules' })).total).toBe(1);
  });

  it('names who approved what waited', async () => {
    await say('You told me that you live in Turin, and you prefer tea.', 'assistant');
    const { receipts } = await engine.capture(session);
    const waiting = receipts.flatMap(({ candidates }) => candidates).find((c) => c.proposal_uuid);
    const proposal = waiting?.proposal_uuid ?? (await proposeByAgent());
    await engine.approvals.approve(proposal);
    const { facts } = await engine.facts.list({ scope: session });
    expect(facts[0]?.origin.approval).toEqual({
      proposal_uuid: proposal,
      approved_by: 'local',
      approved_at: new Date(time.ms).toISOString(),
    });
  });
  const proposeByAgent = async (): Promise<string> => {
    const agent = { ...LOCAL_PROFILE, principal: 'helper', kind: 'agent' } as const;
    const fact = { content: 'Prefers tea.' };
    const answer = await engine.remember(user, fact, { permission_profile: agent });
    return answer.proposal?.proposal_uuid ?? '';
  };

  it('gives every fact once over its pages, the latest first', async () => {
    const texts = Array.from({ length: 7 }, (_, index) => `Keeps the ${index}. key in a box.`);
    for (const content of texts) {
      time.ms += 1000;
      await engine.remember(user, { content });
    }
    const seen: unknown[] = [];
    let after: string | null = null;
    do {
      const asked = { scope: session, limit: 3, ...(after !== null && { after }) };
      const page: Awaited<ReturnType<typeof engine.facts.list>> = await engine.facts.list(asked);
      expect(page.total).toBe(7);
      seen.push(...wordsOf(page.facts));
      after = page.cursor;
    } while (after !== null);
    expect(seen).toEqual([...texts].reverse());
    expect(await refusalOf(engine.facts.list({ after: 'e30' }))).toMatchObject({
      code: 'CONFIG.INVALID_VALUE',
    });
  });

  it('finds by words and by meaning', async () => {
    await engine.remember(user, [
      { content: 'Dana lives in Lisbon.' },
      { content: 'The printer is out of toner.' },
    ]);
    const [best] = await engine.facts.search('Lisbon', { scope: session, limit: 1 });
    expect(best?.row).toMatchObject({ content: 'Dana lives in Lisbon.' });
    expect(best?.score).toBeGreaterThan(0);
    expect(best?.origin.principal).toBe('local');
  });

  it('keeps what was true when it is otherwise from now on', async () => {
    const kept = await engine.remember(user, { content: 'Lives in Lisbon.' });
    const root = kept.receipts[0]?.root_uuid ?? '';
    time.ms += DAY_MS;
    const moved = await engine.facts.update(root, { content: 'Lives in Turin.', reason: 'moved' });
    expect(moved.counts.superseded + moved.counts.stored).toBe(1);
    expect(wordsOf((await engine.facts.list({ scope: user })).facts)).toEqual(['Lives in Turin.']);
    const past = await engine.facts.list({ scope: user, state: 'past' });
    expect(wordsOf(past.facts)).toEqual(['Lives in Lisbon.']);
    const history = wordsOf(await engine.facts.history(root));
    expect(history).toContain('Lives in Lisbon.');
    expect(history.at(-1)).toBe('Lives in Turin.');
    const turn = await say('A turn is no fact.');
    expect(await refusalOf(engine.facts.update(turn, { content: 'x' }))).toMatchObject({
      code: 'WRITE.NOT_FOUND',
    });
  });

  it('keeps what an update was made from, and takes it away with that', async () => {
    const turn = await say('I am allergic to peanuts.');
    await engine.capture(session);
    const root = (await engine.facts.list({ scope: user })).facts[0]?.row.root_uuid ?? '';
    time.ms += DAY_MS;
    await engine.facts.update(root, { content: 'Ada is allergic to walnuts.' });
    const [updated] = (await engine.facts.list({ scope: user })).facts;
    expect(updated?.origin.sources).toEqual([{ uuid: turn, scope_uuid: session }]);
    expect(updated?.origin.extractor).toBeNull();
    await engine.correct(turn, { content: 'I like peanuts.' });
    expect((await engine.facts.list({ scope: user })).facts).toEqual([]);
  });

  it('shows nothing of a scope that is not held, nor of a source in one', async () => {
    const turn = await say('I am allergic to peanuts.');
    await engine.capture(session);
    const { facts } = await engine.facts.list({ scope: user });
    const id = facts[0]?.row.root_uuid ?? '';
    const ofUser = { permission_profile: onlyOf([user]) };
    const page = await engine.facts.list({ scope: user }, ofUser);
    expect(page.total).toBe(1);
    expect(page.facts[0]?.origin.sources).toEqual([]);
    expect((await engine.facts.list({ source: turn }, ofUser)).total).toBe(0);
    const ofNobody = { permission_profile: onlyOf([session]) };
    expect(await engine.facts.list({ state: 'all' }, ofNobody)).toMatchObject({ total: 0 });
    const calls = [
      () => engine.facts.get(id, ofNobody),
      () => engine.facts.history(id, ofNobody),
      () => engine.facts.update(id, { content: 'x' }, ofNobody),
    ];
    for (const call of calls)
      expect(await refusalOf(call())).toMatchObject({ code: 'WRITE.NOT_FOUND' });
    expect(await refusalOf(engine.facts.list({ scope: user }, ofNobody))).toMatchObject({
      code: 'PERMISSION.DENIED',
    });
    expect(await engine.facts.search('peanuts', { scope: session }, ofNobody)).toEqual([]);
  });

  it('shows nothing of what was forgotten', async () => {
    await say('I am allergic to peanuts.');
    await engine.capture(session);
    const { facts } = await engine.facts.list({ scope: user });
    await engine.forget({ scope: session });
    expect(await engine.facts.list({ scope: user, state: 'all' })).toMatchObject({ total: 0 });
    expect(await refusalOf(engine.facts.get(facts[0]?.row.uuid ?? ''))).toMatchObject({
      code: 'WRITE.NOT_FOUND',
    });
  });
});
