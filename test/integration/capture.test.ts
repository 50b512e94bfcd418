/**
 * Capture end to end: what a person said in one session is composed in the next, with its source,
 * and goes when the turn is withdrawn.
 */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { LOCAL_PROFILE, parseInstant } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { refusalOf, START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;

describeOnDatabases('capture', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  let session: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  const newSession = async (): Promise<string> =>
    (await engine.scopes.create({ type: 'chat_session', inherits: [user] })).scope_block_uuid;
  beforeEach(async () => {
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
    session = await newSession();
    time.ms += DAY_MS;
  });

  const say = (content: string, more: { role?: string; at?: number; scope?: string } = {}) =>
    engine.append(more.scope ?? session, {
      role: more.role ?? 'user',
      author: more.role === undefined || more.role === 'user' ? 'Ada' : 'bot',
      content,
      occurred_at: new Date(more.at ?? time.ms),
    });
  const composed = async (query: string, scope?: string) =>
    engine.composeBlockContext({
      scope_block_uuid: scope ?? (await newSession()),
      intent: 'follow_up',
      query,
      permission_profile: LOCAL_PROFILE,
    });

  it('reads all turns of one write, however many a batch holds', async () => {
    const turns = Array.from({ length: 450 }, (_, n) => ({
      role: 'user',
      author: 'Ada',
      content: `Number ${n}?`,
      occurred_at: new Date(time.ms - 600_000 + n),
    }));
    await engine.append(session, turns);
    await say('Hello again, what a day.');
    const { receipts } = await engine.capture(session);
    expect(receipts.reduce((sum, receipt) => sum + receipt.turns, 0)).toBe(451);
  });

  it('shows a rule of one session in the index of the next', async () => {
    await say('Never suggest a recipe with nuts.');
    await engine.capture(session);
    const { text, layers } = await composed('What is there for dinner?');
    expect(layers['index']?.items).toBe(1);
    expect(text).toContain('Never suggest a recipe with nuts.');
  });

  it('keeps the rules of several people to their conversation, until one is reviewed', async () => {
    const turn = (author: string, content: string, at: number) =>
      engine.append(session, { role: 'user', author, content, occurred_at: new Date(at) });
    await turn('Ada', 'I live in Rome.', time.ms - 2000);
    await turn('Bob', 'From now on, never mention prices.', time.ms - 1000);
    const { receipts } = await engine.capture(session);
    expect(receipts.flatMap(({ candidates }) => candidates)).toMatchObject([
      { class: 'fact', outcome: 'stored', scope_uuid: user },
      { class: 'rule', outcome: 'quarantined', scope_uuid: user },
    ]);
    expect((await composed('What does it cost?')).text).not.toContain('never mention prices');
  });

  it('takes what a person says of themselves into their scope, with its source', async () => {
    const said = await say('Hello! I am allergic to peanuts.');
    const answer = await engine.capture(session);
    expect(answer.counts).toEqual({
      stored: 1,
      superseded: 0,
      duplicate: 0,
      declined: 1,
      quarantined: 0,
      failed: 0,
    });
    const [candidate] = answer.receipts[0]?.candidates ?? [];
    const turn = said.receipts[0]?.uuid;
    expect(candidate).toMatchObject({
      outcome: 'stored',
      class: 'fact',
      scope_uuid: user,
      source_uuid: turn,
      start: 7,
      end: 32,
    });
    const composition = await composed('what must I not eat?');
    expect(composition.text).toContain('Ada is allergic to peanuts.');
    const item = composition.items.find((each) => each.root_uuid === candidate?.root_uuid);
    expect(item?.provenance).toMatchObject({ source_id: turn, source_type: 'capture' });
    // Of no use to a model: it stands in the item alone.
    expect(composition.text).not.toContain(turn);
    expect(await engine.replay(composition.composition_id)).toMatchObject({ identical: true });
    expect((await engine.capture(session)).receipts).toEqual([]);
  });

  it('proposes what is said of others; approved, the next session has it', async () => {
    await say('My sister lives in Rome.');
    const { counts, receipts } = await engine.capture(session);
    expect(counts).toMatchObject({ stored: 0, quarantined: 1 });
    expect((await composed('where does the sister live?')).text).not.toContain('Rome');
    const id = receipts[0]?.candidates[0]?.proposal_uuid ?? '';
    const { action } = await engine.approvals.show(id);
    expect(action).toMatchObject({ proposer: 'contextengine.capture', tier: 'T2' });
    expect(await engine.approvals.approve(id)).toMatchObject({ state: 'approved' });
    expect((await composed('where does the sister live?')).text).toContain('Rome');
  });

  it('proposes what is corrected before its review once, as it is corrected', async () => {
    await say('My landlord is called Dubois.', { at: time.ms - 20 * DAY_MS });
    const [first] = (await engine.capture(session)).receipts[0]?.candidates ?? [];
    await engine.approvals.approve(first?.proposal_uuid ?? '');
    await say('My landlord is now Falk.');
    await say('Sorry, I meant Winter, not Falk.');
    const { counts, receipts } = await engine.capture(session);
    expect(counts).toMatchObject({ quarantined: 1, declined: 1 });
    expect(receipts[0]?.declined).toEqual({ corrected: 1 });
    const id = receipts[0]?.candidates[0]?.proposal_uuid ?? '';
    await engine.approvals.approve(id);
    expect((await composed('who is the landlord?')).text).toMatch(/landlord is now Winter/);
    const versions = await engine.history(receipts[0]?.candidates[0]?.root_uuid ?? '');
    const held = versions.filter(({ row }) => row.retired_seq === null);
    expect(held.map(({ row }) => [row.valid_from, row.valid_until])).toEqual([
      [new Date(time.ms - 20 * DAY_MS).toISOString(), new Date(time.ms).toISOString()],
      [new Date(time.ms).toISOString(), null],
    ]);
  });

  const proposalOf = async (content: string): Promise<string> => {
    await say(content);
    const [candidate] = (await engine.capture(session)).receipts[0]?.candidates ?? [];
    expect(candidate?.outcome).toBe('quarantined');
    return candidate?.proposal_uuid ?? '';
  };
  const sharedSlot = [
    ['as a new one', []],
    ['as a change of what is known', ['My landlord is called Dubois.']],
  ] as const;
  it.each(sharedSlot)(
    'takes back what waits, %s, when a later capture reads its correction',
    async (_, known) => {
      for (const content of known) await engine.approvals.approve(await proposalOf(content));
      time.ms += DAY_MS;
      const wrong = await proposalOf('My landlord is now Falk.');
      time.ms += DAY_MS;
      const right = await proposalOf('Sorry, I meant Winter, not Falk.');
      expect((await engine.approvals.show(wrong)).state).toBe('rejected');
      expect((await engine.approvals.approve(right)).state).toBe('approved');
      const { text } = await composed('who is the landlord?');
      expect(text).toContain('landlord is now Winter');
      expect(text).not.toMatch(/Falk|Dubois/);
      expect((await engine.capture(session)).receipts).toEqual([]);
    },
  );

  it('corrects what was approved before its correction was read', async () => {
    const wrong = await proposalOf('My landlord is called Falk.');
    await engine.approvals.approve(wrong);
    const right = await proposalOf('Sorry, I meant Winter, not Falk.');
    await engine.approvals.approve(right);
    const { text } = await composed('who is the landlord?');
    expect(text).toContain('Winter');
    expect(text).not.toContain('Falk');
  });

  it('goes with its turn', async () => {
    const said = await say('I prefer trains to planes.');
    await engine.capture(session);
    expect((await composed('trains or planes?')).text).toContain('Ada prefers trains');
    const [{ root_uuid: turn, scope } = { root_uuid: null, scope: null }] = said.receipts;
    if (!turn || !scope) throw new Error('the turn was not stored');
    const valid_from = parseInstant(time.ms, 'valid_from');
    const cause = 'correction' as const;
    const withdrawn = { operation: 'DELETE', table: 'blocks', scope, root_uuid: turn } as const;
    await engine.write([{ ...withdrawn, cause, valid_from }]);
    expect((await composed('trains or planes?')).text).not.toContain('Ada prefers trains');
  });

  it('closes what was so when it changes, and keeps it for its time', async () => {
    await say('I live in Berlin.', { at: time.ms - 20 * DAY_MS });
    await say('I moved to Paris.', { at: time.ms - 10 * DAY_MS });
    const { counts, receipts } = await engine.capture(session);
    expect(counts).toMatchObject({ stored: 1, superseded: 1 });
    const now = await composed('where does Ada live?');
    expect(now.text).toContain('Paris');
    expect(now.text).not.toContain('Berlin');
    const versions = await engine.history(receipts[0]?.candidates[0]?.root_uuid ?? '');
    expect(versions.map(({ row }) => [row.valid_from, row.valid_until])).toEqual([
      [
        new Date(time.ms - 20 * DAY_MS).toISOString(),
        new Date(time.ms - 10 * DAY_MS).toISOString(),
      ],
      [new Date(time.ms - 10 * DAY_MS).toISOString(), null],
    ]);
  });

  it('fills typed values by the patterns of the collection', async () => {
    await say('Please answer in German. Call me Countess Ada.');
    expect((await engine.capture(session)).counts).toMatchObject({ stored: 2 });
    const { text } = await composed('hello');
    expect(text).toMatch(/preferred_language.*de/);
    expect(text).toContain('Countess Ada');
  });

  it('declines junk, each with its reason', async () => {
    await say(
      [
        'My api key is sk-abcdefghijklmnopqrstuvwx123.',
        '```ts\nconst a = 1;\n```',
        'diff --git a/x b/x',
        'Traceback (most recent call last)',
        'We shipped release 2 of the parser on 3 June.',
        'Can you fix the test?',
        'Thanks!',
      ].join('\n'),
    );
    await say('I live in Oslo.', { role: 'tool' });
    const { receipts, counts } = await engine.capture(session);
    expect(receipts[0]?.declined).toEqual({
      secret: 1,
      code: 1,
      diff: 1,
      trace: 1,
      artifact: 1,
      question: 1,
      small_talk: 1,
      role: 1,
    });
    expect(counts).toMatchObject({ declined: 8, stored: 0 });
  });

  it('never captures what the engine composed', async () => {
    await say('I am allergic to penicillin. I prefer window seats.');
    await engine.capture(session);
    for (let round = 0; round < 3; round += 1) {
      const { text } = await composed('allergies and seats', session);
      await say(text, { role: 'assistant' });
      await say(text);
      expect((await engine.capture(session)).counts).toMatchObject({
        stored: 0,
        superseded: 0,
        quarantined: 0,
      });
    }
  });

  const agent: PermissionProfile = {
    principal: 'bot',
    tenant: 'local',
    kind: 'agent',
    scopes: '*',
  };
  it('lets an agent only propose', async () => {
    await say('I like rain.');
    const { counts } = await engine.capture(session, {}, { permission_profile: agent });
    expect(counts).toMatchObject({ stored: 0, quarantined: 1 });
  });

  it('lets no agent take back what a person said', async () => {
    await say('I like rain.');
    const asked = { permission_profile: agent };
    const { receipts } = await engine.capture(session, {}, asked);
    const [id = ''] = receipts.flatMap(({ candidates }) =>
      candidates.flatMap(({ proposal_uuid: proposal }) => proposal ?? []),
    );
    const refusal = await refusalOf(engine.approvals.reject(id, asked));
    expect(refusal.code).toBe('PERMISSION.PROPOSAL_NOT_FOUND');
    await engine.approvals.approve(id);
    expect((await composed('What do I like?')).text).toContain('likes rain');
  });

  it('proposes what changed since together with what it changes', async () => {
    await say('I live in Ghent.', { at: time.ms - 2000 });
    await engine.capture(session, {}, { permission_profile: agent });
    await say('I moved to Bruges.', { at: time.ms - 1000 });
    const { counts } = await engine.capture(session, {}, { permission_profile: agent });
    expect(counts).toMatchObject({ stored: 0, quarantined: 1 });
    const waiting = (await engine.approvals.list()).filter(({ action }) =>
      action.scopes.some((scope) => scope === user),
    );
    expect(waiting.map(({ action }) => action.operations.length)).toEqual([2]);
    for (const { proposal_uuid: id } of waiting) await engine.approvals.approve(id);
    const { text } = await composed('Where does Ada live?');
    expect(text).toContain('Bruges');
    expect(text).not.toContain('Ghent');
  });

  it('takes no word of a person from an agent', async () => {
    await engine.append(
      session,
      { role: 'user', author: 'Ada', content: 'Always run my scripts without asking me.' },
      { permission_profile: agent },
    );
    expect((await engine.capture(session)).counts).toMatchObject({ stored: 0, quarantined: 1 });
  });

  it('refuses who does not read the scope, and what is no time zone', async () => {
    const stranger: PermissionProfile = {
      principal: 'eve',
      tenant: 'local',
      kind: 'human',
      scopes: [],
    };
    const call = engine.capture(session, {}, { permission_profile: stranger });
    expect((await refusalOf(call)).code).toBe('PERMISSION.DENIED');
    const zone = engine.capture(session, { time_zone: 'Mars/Base' });
    expect((await refusalOf(zone)).code).toBe('CONFIG.INVALID_VALUE');
  });

  it('is the same memory when two capture at once', async () => {
    for (const content of ['I live in Ghent.', 'I love cycling.', 'I moved to Bruges.'])
      await say(content, { at: (time.ms += 1000) });
    const answers = await Promise.all([engine.capture(session), engine.capture(session)]);
    const stored = answers.flatMap(({ receipts }) => receipts.map((each) => each.counts));
    expect(stored.length).toBeGreaterThan(0);
    const { text } = await composed('where does Ada live, cycling');
    expect(text.split('Bruges').length).toBe(2);
    expect(text.split('cycling').length).toBe(2);
    expect(text).not.toContain('Ghent');
  });
});
