/** A captured turn is forgotten: the memory is the one that the turns that are left would form. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { FRANK } from '../support/forgetting-world.ts';
import { openLocalEngine, REVIEWER, storeReviewer } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;
const NUTS = 'I am allergic to nuts.';
const GRAZ = 'I live in Graz.';
const NOTHING = { given_back: 0, said_again: 0, waits: 0, failures: [] };

describeOnDatabases('a captured turn that is forgotten', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  let session: string;
  const time: TestClock = { ms: START_MS };

  const newSession = async (): Promise<string> => {
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    return made.scope_block_uuid;
  };
  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    await storeReviewer(engine);
    const tiers = { redactions: 'T2' } as const;
    await engine.principals.set({ principal: 'frank', kind: 'human', scopes: '*', tiers });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
    session = await newSession();
  });
  /** The id of the turn. */
  const say = async (content: string, by: { in?: string; author?: string } = {}) => {
    const { in: scope = session, author = 'Ada' } = by;
    time.ms += DAY_MS;
    const occurred_at = new Date(time.ms).toISOString();
    const turn = { role: 'user', author, content, occurred_at } as const;
    const { receipts } = await engine.append(scope, turn);
    await engine.capture(scope);
    return receipts[0]?.root_uuid ?? '';
  };
  const known = async (): Promise<readonly string[]> => {
    const { facts } = await engine.facts.list({ scope: user });
    return facts.map(({ row }) => ('content' in row ? row.content : row.property)).sort();
  };
  const sourcesOf = async (content: string): Promise<readonly string[]> => {
    const { facts } = await engine.facts.list({ scope: user });
    const found = facts.find(({ row }) => 'content' in row && row.content === content);
    return found?.origin.sources.map((source) => ('uuid' in source ? source.uuid : '')) ?? [];
  };

  it('gives back what it ended', async () => {
    await say(GRAZ);
    const moved = await say('I moved to Bern.');
    expect(await known()).toEqual(['Ada moved to Bern.']);
    const { followed } = await engine.forget({ root: moved });
    expect(followed).toEqual({ ...NOTHING, given_back: 1 });
    expect(await known()).toEqual(['Ada lives in Graz.']);
    // It goes on from there as if the other had never been said.
    await say('I moved to Oslo.');
    expect(await known()).toEqual(['Ada moved to Oslo.']);
  });

  it('gives back what it ended when it is erased at once, or only taken out of sight', async () => {
    await say(GRAZ);
    const gone = await say('I no longer live in Graz.');
    expect(await known()).toEqual([]);
    const { outcome, followed } = await engine.forget({ root: gone }, { now: true });
    expect([outcome, followed?.given_back]).toEqual(['erased', 1]);
    expect(await known()).toEqual(['Ada lives in Graz.']);
  });

  it('gives back what it corrected', async () => {
    await say(GRAZ);
    const meant = await say('No, I meant Linz.');
    expect(await known()).toEqual(['Ada lives in Linz.']);
    await engine.forget({ root: meant }, { now: true });
    expect(await known()).toEqual(['Ada lives in Graz.']);
  });

  it('leaves ended what a third one ended', async () => {
    await say(GRAZ);
    const moved = await say('I moved to Bern.');
    await say('I moved to Oslo.');
    const { followed } = await engine.forget({ root: moved });
    expect(followed).toEqual({ ...NOTHING, given_back: 1 });
    expect(await known()).toEqual(['Ada moved to Oslo.']);
    // Until then: what was between is not known to have been.
    const { facts: past } = await engine.facts.list({ scope: user, state: 'past' });
    const { facts: now } = await engine.facts.list({ scope: user });
    const ended = past.map(({ row }) => ['content' in row && row.content, row.valid_until]);
    expect(ended).toEqual([['Ada lives in Graz.', now[0]?.row.valid_from]]);
  });

  it('gives back what it ended once what corrected it is forgotten as well', async () => {
    await say(GRAZ);
    const moved = await say('I moved to Linz.');
    const meant = await say('Actually I live in Steyr, not Linz.');
    await engine.forget({ root: moved });
    await engine.forget({ root: meant });
    expect(await known()).toEqual(['Ada lives in Graz.']);
  });

  it('does not bring back what its speaker took back', async () => {
    await say(GRAZ);
    const asked = await say('Forget I said that.');
    expect(await known()).toEqual([]);
    await engine.forget({ root: asked });
    expect(await known()).toEqual([]);
  });

  it('leaves what another turn states, in the words of that one', async () => {
    const first = await say(NUTS);
    const second = await say(NUTS);
    expect(await sourcesOf('Ada is allergic to nuts.')).toEqual([first]);
    const { followed } = await engine.forget({ root: first }, { now: true });
    expect(followed).toEqual({ ...NOTHING, said_again: 1 });
    expect(await known()).toEqual(['Ada is allergic to nuts.']);
    expect(await sourcesOf('Ada is allergic to nuts.')).toEqual([second]);
    await engine.forget({ root: second }, { now: true });
    expect(await known()).toEqual([]);
  });

  it('leaves it when the one that said it again is forgotten', async () => {
    const first = await say(NUTS);
    const second = await say(NUTS);
    expect((await engine.forget({ root: second })).followed).toEqual(NOTHING);
    expect(await known()).toEqual(['Ada is allergic to nuts.']);
    await engine.forget({ root: first });
    expect(await known()).toEqual([]);
  });

  it('leaves it as long as one of three says it, in whichever session', async () => {
    const other = await newSession();
    const turns = [await say(NUTS), await say(NUTS, { in: other }), await say(NUTS)];
    const [first, second, third] = turns;
    await engine.forget({ root: first ?? '' }, { now: true });
    expect(await known()).toEqual(['Ada is allergic to nuts.']);
    await engine.forget({ root: second ?? '' });
    expect(await known()).toEqual(['Ada is allergic to nuts.']);
    expect(await sourcesOf('Ada is allergic to nuts.')).toEqual([third]);
    await engine.forget({ root: third ?? '' });
    expect(await known()).toEqual([]);
  });

  it('is in the receipt, whose outcomes still add up', async () => {
    const first = await say(NUTS);
    await say(NUTS);
    await engine.forget({ root: first });
    const { captures } = await engine.captures.list({ scope: session });
    expect(captures.map(({ counts: { stored, duplicate } }) => [stored, duplicate])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    for (const { counts, counted, candidates, declined_candidates: declined = [] } of captures) {
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(counted);
      expect(candidates.length + declined.length).toBe(counted);
    }
  });

  it('changes nothing twice', async () => {
    const first = await say(NUTS);
    await say(NUTS);
    await say(GRAZ);
    const moved = await say('I moved to Bern.');
    const { redaction_uuid: one } = await engine.forget({ root: first });
    const { redaction_uuid: two } = await engine.forget({ root: moved });
    const before = await engine.facts.list({ scope: user });
    await engine.erasure.erase(one);
    await engine.erasure.erase(two);
    expect(await engine.facts.list({ scope: user })).toEqual(before);
    expect(await known()).toEqual(['Ada is allergic to nuts.', 'Ada lives in Graz.']);
  });

  it('comes back whole, and can be forgotten again', async () => {
    const first = await say(NUTS);
    await say(NUTS);
    await say(GRAZ);
    const moved = await say('I moved to Bern.');
    const all = ['Ada is allergic to nuts.', 'Ada moved to Bern.'];
    for (const _ of [1, 2]) {
      const one = await engine.forget({ root: first });
      const two = await engine.forget({ root: moved });
      expect([one.followed?.said_again, two.followed?.given_back]).toEqual([1, 1]);
      expect(await known()).toEqual(['Ada is allergic to nuts.', 'Ada lives in Graz.']);
      await engine.erasure.bringBack(two.redaction_uuid);
      await engine.erasure.bringBack(one.redaction_uuid);
      expect(await known()).toEqual(all);
    }
  });

  it('takes what others said of a person along, however often they said it', async () => {
    await say('I am allergic to nuts.', { author: 'Bo' });
    await say('I am allergic to nuts.', { author: 'Bo' });
    await engine.forget({ person: 'Bo' });
    expect(await known()).toEqual([]);
  });

  it('leaves a fact gone that was forgotten by itself', async () => {
    await say(NUTS);
    await say(NUTS);
    const { facts } = await engine.facts.list({ scope: user });
    const { followed } = await engine.forget({ root: facts[0]?.row.root_uuid ?? '' });
    expect(followed).toEqual(NOTHING);
    expect(await known()).toEqual([]);
  });

  it('is followed once it is approved, where it has to wait', async () => {
    await say(GRAZ);
    const moved = await say('I moved to Bern.');
    const first = await say(NUTS);
    const again = await say(NUTS);
    const followed: unknown[] = [];
    for (const root of [moved, first]) {
      const { outcome, proposal } = await engine.forget({ root }, FRANK);
      expect(outcome).toBe('quarantined');
      expect(await known()).toContain('Ada is allergic to nuts.');
      const id = proposal?.proposal_uuid ?? '';
      followed.push((await engine.approvals.approve(id, null, REVIEWER)).forgotten?.followed);
    }
    expect(followed).toEqual([
      { ...NOTHING, given_back: 1 },
      { ...NOTHING, said_again: 1 },
    ]);
    expect(await known()).toEqual(['Ada is allergic to nuts.', 'Ada lives in Graz.']);
    expect(await sourcesOf('Ada is allergic to nuts.')).toEqual([again]);
  });
});
