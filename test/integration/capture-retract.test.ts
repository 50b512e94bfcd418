/** `Forget I said that.`, of what an earlier capture stored. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;
const ROME = 'I live in Rome.';
const FORGET = 'Forget I said that.';

describeOnDatabases('what is taken back after it was captured', (open, flavor) => {
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
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    session = made.scope_block_uuid;
    time.ms += DAY_MS;
  });
  const capture = async (
    content: string,
    by: { readonly author?: string; readonly permission_profile?: PermissionProfile } = {},
  ) => {
    const { author = 'Ada', permission_profile } = by;
    time.ms += 1000;
    const turn = { role: 'user', author, content, occurred_at: new Date(time.ms) } as const;
    await engine.append(session, turn, permission_profile ? { permission_profile } : {});
    const { receipts } = await engine.capture(session);
    return receipts[0];
  };
  const known = async (): Promise<readonly string[]> => {
    const { facts } = await engine.facts.list({ scope: user });
    return facts.map(({ row }) => ('content' in row ? row.content : row.property)).sort();
  };

  it('is gone, and the receipt says so once', async () => {
    const before = await capture(ROME);
    expect(await known()).toEqual(['Ada lives in Rome.']);
    const receipt = await capture(FORGET);
    expect(await known()).toEqual([]);
    expect(receipt).toMatchObject({
      counts: { superseded: 1, stored: 0, declined: 0, failed: 0 },
      counted: 1,
      candidates: [{ outcome: 'superseded', reason: 'taken_back', start: 0, end: FORGET.length }],
    });
    expect(receipt?.candidates[0]?.root_uuid).toBe(before?.candidates[0]?.root_uuid);
    // Twice is not the other way round.
    expect(await capture(FORGET)).toMatchObject({ counts: { superseded: 0, failed: 0 } });
    expect(await known()).toEqual([]);
  });

  it('gives back what it took the place of', async () => {
    await capture(ROME);
    await capture('I live in Oslo now.');
    expect(await known()).toEqual(['Ada lives in Oslo now.']);
    await capture(FORGET);
    expect(await known()).toEqual(['Ada lives in Rome.']);
    await capture('I live in Ghent now.');
    expect(await known()).toEqual(['Ada lives in Ghent now.']);
  });

  it('leaves room for what is said with it', async () => {
    await capture(ROME);
    await capture(`${FORGET} I live in Oslo.`);
    expect(await known()).toEqual(['Ada lives in Oslo.']);
  });

  it('is news where it is said again with the request', async () => {
    await capture(`${ROME} I work at Acme.`);
    await capture(`${FORGET} I live in Rome but I work at Globex.`);
    expect(await known()).toEqual(['Ada lives in Rome.', 'Ada works at Globex.']);
    await capture('My sister Mia lives in Rome.');
    const again = await capture(`${FORGET} My sister Mia lives in Rome.`);
    expect(again).toMatchObject({ counts: { superseded: 1, quarantined: 1, duplicate: 0 } });
  });

  it('is what the same person said last, whoever spoke between', async () => {
    await capture(ROME);
    await capture('I work at Acme.', { author: 'Bo' });
    await capture(FORGET);
    expect(await known()).toEqual(['Bo works at Acme.']);
  });

  it.each([
    ['of somebody else', FORGET, 'Bo'],
    ['that is about another', 'Forget what the boss said.', 'Ada'],
    ['that is a question', 'Did you forget I said that?', 'Ada'],
  ])('is not taken back by a request %s', async (_, content, author) => {
    await capture(ROME);
    await capture(content, { author });
    expect(await known()).toEqual(['Ada lives in Rome.']);
  });

  it('is what is named, wherever it stands, and nothing beside it', async () => {
    await capture(`${ROME} I am allergic to nuts.`);
    await capture('Hello! I like tea.');
    const receipt = await capture('Thanks. Please forget that I am allergic to nuts.');
    expect(await known()).toEqual(['Ada likes tea.', 'Ada lives in Rome.']);
    expect(receipt).toMatchObject({
      counts: { superseded: 1, stored: 0, declined: 1, failed: 0 },
      counted: 2,
    });
    const said = receipt?.candidates.find(({ reason }) => reason === 'taken_back');
    expect(said).toMatchObject({ outcome: 'superseded', start: 'Thanks. '.length });
    // What was never said is forgotten in vain, and is no preference either.
    const vain = await capture('Can you forget that I prefer short answers?');
    expect(vain?.counts).toMatchObject({ superseded: 0, stored: 0, quarantined: 0, declined: 1 });
    await capture('I have a cat. I sing. Forget that I sing, please.');
    expect(await known()).toEqual(['Ada has a cat.', 'Ada likes tea.', 'Ada lives in Rome.']);
  });

  it('is what another conversation said, but nothing that was written by hand', async () => {
    await capture(`${ROME} I am allergic to nuts. I like tea.`);
    await engine.remember(user, { content: 'Ada sings.', subject: 'Ada', class: 'fact' });
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    session = made.scope_block_uuid;
    const receipt = await capture(
      "Hi. Please forget that I'm allergic to nuts. Forget that I sing.",
    );
    expect(receipt).toMatchObject({
      counts: { superseded: 1, declined: 2, stored: 0 },
      counted: 3,
    });
    expect(await known()).toEqual(['Ada likes tea.', 'Ada lives in Rome.', 'Ada sings.']);
    await capture('Forget that I live in Rome.', { author: 'Bo' });
    expect(await known()).toHaveLength(3);
    await capture('I am allergic to nuts.');
    expect(await known()).toContain('Ada is allergic to nuts.');
  });

  it('is what another conversation said before it, where nothing was stored of it again', async () => {
    const again = async (): Promise<void> => {
      const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
      session = made.scope_block_uuid;
    };
    await capture(`${ROME} I like tea.`);
    await again();
    expect((await capture(ROME))?.counts).toMatchObject({ duplicate: 1 });
    expect(await capture(FORGET)).toMatchObject({
      counts: { superseded: 1, failed: 0, declined: 0 },
      counted: 1,
    });
    expect(await known()).toEqual(['Ada likes tea.']);
    // In other words, and read in one batch with the request.
    await capture(ROME);
    await again();
    time.ms += 1000;
    const occurred_at = new Date(time.ms).toISOString();
    const said = {
      role: 'user',
      author: 'Ada',
      content: 'My home is in Rome.',
      occurred_at,
    } as const;
    await engine.append(session, said);
    await capture('Forget I said that.', { author: 'Bo' });
    expect(await known()).toContain('Ada lives in Rome.');
    await engine.append(session, { ...said, content: 'I live in Rome, as you know.' });
    await capture(FORGET);
    expect(await known()).toEqual(['Ada likes tea.']);
    // Nor a value of a property.
    for (const request of [FORGET, 'Please forget that I work as a nurse.']) {
      await capture('I work as a nurse.');
      expect(await known()).toEqual(['Ada likes tea.', 'role']);
      await again();
      await capture('I work as a nurse.');
      await capture(request);
      expect(await known()).toEqual(['Ada likes tea.']);
    }
    // But what was written by hand stays.
    await engine.remember(user, { content: 'Ada sings.', subject: 'Ada', class: 'fact' });
    await capture('I sing.');
    await capture(FORGET);
    expect(await known()).toContain('Ada sings.');
  });

  it('is all of what is asked after, whatever it was before and wherever it was said', async () => {
    await capture(`${ROME} I like tea.`);
    await capture('I moved to Oslo.');
    await engine.remember(user, { content: 'Ada sings.', subject: 'Ada', class: 'fact' });
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    session = made.scope_block_uuid;
    await capture('I live in Lyon now.');
    await capture('Forget where I live.', { author: 'Bo' });
    expect(await known()).toEqual(['Ada likes tea.', 'Ada lives in Lyon now.', 'Ada sings.']);
    const receipt = await capture('Thanks. Could you please forget where I live?');
    expect(receipt).toMatchObject({ counts: { superseded: 1, stored: 0, failed: 0 } });
    expect(await known()).toEqual(['Ada likes tea.', 'Ada sings.']);
    const { facts } = await engine.facts.list({ scope: user, state: 'past' });
    expect(facts).toEqual([]);
    // Of what had ended as well.
    await capture('I live in Graz.');
    await capture('I no longer live in Graz.');
    await capture('Forget where I live.');
    const left = await engine.facts.list({ scope: user, state: 'all' });
    expect(left.facts.filter(({ row }) => row.retired_seq === null)).toHaveLength(2);
    // Of what somebody changed by hand, nothing.
    const bern = (await capture('I live in Bern.'))?.candidates[0]?.uuid ?? '';
    await engine.remember(user, { content: 'Ada lives in Bern, downtown.', replaces: bern });
    await capture('Forget where I live.');
    expect(await known()).toContain('Ada lives in Bern, downtown.');
    await engine.forget({ version: bern });
    await capture('My email is ada@example.org. Forget my email. My phone number is 555 0101.');
    await capture('Delete my phone number.');
    expect(await known()).toContain("Ada's phone number is 555 0101.");
    await capture('Delete my phone number from your memory. I have a cat.');
    expect(await known()).toContain('Ada has a cat.');
    expect((await known()).join()).not.toMatch(/phone|example/);
  });

  it('of two that wait, is the one that is named', async () => {
    await capture('My sister Mia lives in Rome. My brother Tom lives in Oslo.');
    await capture('Please forget that my sister Mia lives in Rome.');
    const pending = await engine.approvals.list({ state: 'pending' });
    const waiting = JSON.stringify(
      pending.filter(({ action }) => action.scopes.some((scope) => scope === user)),
    );
    expect(waiting).toContain('Tom lives in Oslo');
    expect(waiting).not.toContain('Mia lives in Rome');
  });

  it('is withdrawn where it waits for a review', async () => {
    const waits = await capture('My sister Mia lives in Rome.');
    expect(waits?.counts.quarantined).toBe(1);
    const proposal = waits?.candidates[0]?.proposal_uuid ?? '';
    expect(await capture(FORGET)).toMatchObject({ counts: { superseded: 1, failed: 0 } });
    const pending = await engine.approvals.list({ state: 'pending' });
    expect(pending.map(({ proposal_uuid: uuid }) => uuid)).not.toContain(proposal);
    expect(await known()).toEqual([]);
  });

  it('is undone where somebody has approved it since', async () => {
    const waits = await capture('My sister Mia lives in Rome.');
    await engine.approvals.approve(waits?.candidates[0]?.proposal_uuid ?? '');
    expect(await known()).toHaveLength(1);
    expect(await capture(FORGET)).toMatchObject({ counts: { superseded: 1, failed: 0 } });
    expect(await known()).toEqual([]);
  });

  it('is all that the turn said', async () => {
    await capture("I'm Ada, I live in Lisbon and I work at Acme as a nurse.");
    expect(await known()).toHaveLength(2);
    expect(await capture(FORGET)).toMatchObject({ counts: { superseded: 2 }, counted: 2 });
    expect(await known()).toEqual([]);
  });

  it('is the later of two that one turn said, and the earlier', async () => {
    await capture(`${ROME} I live in Oslo now.`);
    await capture(FORGET);
    expect(await known()).toEqual([]);
  });

  it('leaves what an earlier turn said in the same proposal', async () => {
    await capture('My sister lives in Turin.');
    await capture('My sister lives in Genoa now.');
    const receipt = await capture(FORGET);
    expect(receipt).toMatchObject({ counts: { superseded: 1, failed: 0 } });
    const texts = JSON.stringify(await engine.approvals.list({ state: 'pending' }));
    expect(texts).toContain('sister lives in Turin');
    expect(texts).not.toContain('Genoa');
  });

  it('stays where nobody may delete, and nothing else waits for that', async () => {
    const run = await engine.scopes.create({ type: 'agent_run' });
    session = run.scope_block_uuid;
    user = session;
    await capture(ROME);
    expect(await capture(FORGET)).toMatchObject({
      candidates: [{ outcome: 'failed', reason: 'PERMISSION.DENIED' }],
    });
    await capture('I work at Acme.');
    expect(await known()).toEqual(['Ada lives in Rome.', 'Ada works at Acme.']);
  });

  it('waits where who asks may not delete, whoever captures', async () => {
    const svc = {
      principal: 'svc',
      kind: 'service',
      tiers: { writes: 'T1' },
      scopes: '*',
    } as const;
    await engine.principals.set(svc);
    const by = { permission_profile: { ...svc, tenant: 'local' } };
    for (const request of [FORGET, 'Forget where I live.', 'Forget that I live in Rome.']) {
      await capture(ROME);
      expect((await capture(request, by))?.counts).toMatchObject({ quarantined: 1, superseded: 0 });
    }
    expect(await known()).toEqual(['Ada lives in Rome.']);
  });

  it('leaves what was set by hand, whatever its provenance says', async () => {
    const provenance = { source_type: 'capture' };
    await engine.setTyped(user, 'Ada', 'chat_user_profile', 'role', 'nurse', { provenance });
    await capture('Forget what I do for a living.');
    await capture('Please forget that I work as a nurse.');
    expect(await known()).toEqual(['role']);
  });

  it('stays with its reviewer where an agent wrote the request', async () => {
    await capture('My sister Mia lives in Rome.');
    const agent = { principal: 'bot', tenant: 'local', kind: 'agent', scopes: '*' } as const;
    const receipt = await capture(FORGET, { permission_profile: agent });
    expect(receipt).toMatchObject({ counts: { superseded: 0, quarantined: 0, failed: 0 } });
    const texts = JSON.stringify(await engine.approvals.list({ state: 'pending' }));
    expect(texts).toContain('Mia');
  });

  it('is which language one speaks, and no language of anybody else', async () => {
    await capture('I speak German. I like tea.');
    await engine.remember(user, { content: "Ada's sister speaks Greek.", subject: 'Ada' });
    const receipt = await capture('Forget which language I speak.');
    expect(receipt?.counts).toMatchObject({ superseded: 1, stored: 0, failed: 0 });
    expect(await known()).toEqual(['Ada likes tea.', "Ada's sister speaks Greek."]);
  });

  it('has nothing left to do where it was forgotten before, and the receipt says no more', async () => {
    const nothing = { superseded: 0, stored: 0, failed: 0, quarantined: 0 };
    for (const [said, request] of [
      [ROME, 'Forget where I live.'],
      ['I have asthma.', 'Please forget that I have asthma.'],
      ['I work as a nurse.', 'Forget what I do for a living.'],
      ['I keep bees.', FORGET],
    ] as const) {
      await capture(said);
      expect((await capture(request))?.counts).toMatchObject({ superseded: 1, failed: 0 });
      for (let again = 0; again < 2; again += 1)
        expect(await capture(request)).toMatchObject({ counts: nothing, candidates: [] });
      expect(await known()).toEqual([]);
    }
    // What was said again since is there again, and goes.
    await capture(ROME);
    expect((await capture('Forget where I live.'))?.counts).toMatchObject({ superseded: 1 });
    expect(await known()).toEqual([]);
    // Brought back by hand, it is to be forgotten anew.
    const made = await capture('I have a cat.');
    const forgotten = await capture('Please forget that I have a cat.');
    await engine.undo(forgotten?.candidates[0]?.operation_id ?? '');
    expect(await known()).toHaveLength(made?.counts.stored ?? 0);
    expect((await capture('Please forget that I have a cat.'))?.counts).toMatchObject({
      failed: 0,
    });
    expect(await known()).toEqual([]);
  });

  it('stays where others build on it, and the receipt says so', async () => {
    const receipt = await capture(ROME);
    const fact = receipt?.candidates[0]?.uuid ?? '';
    await engine.remember(user, { content: 'Ada lives in Rome, near the river.', replaces: fact });
    expect(await capture(FORGET)).toMatchObject({
      counts: { failed: 1, superseded: 0 },
      candidates: [{ outcome: 'failed', reason: 'WRITE.BUILT_ON' }],
    });
    expect(await known()).toEqual(['Ada lives in Rome, near the river.']);
  });

  it('waits for a review where an agent wrote the request', async () => {
    await capture(ROME);
    const agent = { principal: 'bot', tenant: 'local', kind: 'agent', scopes: '*' } as const;
    const receipt = await capture(FORGET, { permission_profile: agent });
    expect(receipt).toMatchObject({ counts: { quarantined: 1, superseded: 0 } });
    expect(await known()).toEqual(['Ada lives in Rome.']);
    const waiting = await engine.approvals.list({ state: 'pending' });
    const own = waiting.find(
      (each) => each.proposal_uuid === receipt?.candidates[0]?.proposal_uuid,
    );
    expect(own?.action).toMatchObject({
      operations: [{ operation: 'UNDO' }],
      decisions: [{ decision: 'T3' }],
    });
  });
});
