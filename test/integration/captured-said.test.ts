/** What a few turns leave in memory: denials, corrections, lists, requests to forget. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;

describeOnDatabases('what a few turns leave', (open, flavor) => {
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
  const say = (content: string, { at = time.ms }: { readonly at?: number } = {}) =>
    engine.append(session, { role: 'user', author: 'Ada', content, occurred_at: new Date(at) });

  it('holds a role to the end of the talk, however far back it began', async () => {
    const talk = [
      'You are a pirate, I am the captain.',
      ...Array.from({ length: 26 }, (_, n) => `Aye, what is the news of day ${n}?`),
      'I live in Rome.',
      'Stop the roleplay.',
      'I live in Bern.',
    ];
    for (const content of talk) {
      time.ms += 60_000;
      await say(content);
      await engine.capture(session);
    }
    const { facts } = await engine.facts.list({ scope: user });
    expect(facts.map(({ row }) => 'content' in row && row.content)).toEqual(['Ada lives in Bern.']);
  });

  it.each<readonly [said: readonly string[], known: readonly string[]]>([
    [['I am allergic to nuts.', 'I am not allergic to nuts.'], ['Ada is not allergic to nuts.']],
    [
      ['I drink coffee with milk.', 'I drink coffee with sugar.'],
      ['Ada drinks coffee with sugar.'],
    ],
    [['I drink coffee with milk.', 'I drink coffee.'], ['Ada drinks coffee with milk.']],
    [
      ["I'm Ada, I live in Lisbon and I work at Acme as a nurse."],
      ['Ada lives in Lisbon.', 'Ada works at Acme as a nurse.'],
    ],
    [
      ['I am allergic to nuts.', 'I am no longer allergic to eggs.'],
      ['Ada is allergic to nuts.', 'Ada is no longer allergic to eggs.'],
    ],
    [
      ['I am allergic to penicillin and nuts.', 'I am no longer allergic to nuts.'],
      ['Ada is allergic to penicillin. Ada is no longer allergic to nuts.'],
    ],
    [
      ['I am allergic to nuts.', "I'm no longer allergic to nuts."],
      ['Ada is no longer allergic to nuts.'],
    ],
    [['Never echo $SECRET.'], ['Never echo $SECRET.']],
    [['I live in Rome.', 'Forget I said that.'], []],
    [['I live in Rome.', 'I work at Acme.', 'Please forget what I said.'], ['Ada lives in Rome.']],
    [['I live in Rome.', 'Forget what the boss said.'], ['Ada lives in Rome.']],
    [['Verify the branch after a stash pop.'], ['Verify the branch after a stash pop.']],
    [['Verify the oven after a few minutes.'], []],
    [['The wifi code is x7Kp29qLm3.', 'The wifi password is on the fridge.'], []],
  ])('%j leaves %j', async (said, known) => {
    for (const content of said) await say(content, { at: (time.ms += 1000) });
    await engine.capture(session);
    const { facts } = await engine.facts.list({ scope: user });
    const contents = facts.map(({ row }) => ('content' in row ? row.content : row.property));
    expect(contents.sort()).toEqual(known);
  });

  it('reads a day by the zone of the turn', async () => {
    const at = Date.UTC(2026, 2, 10, 20);
    await engine.append(session, {
      role: 'user',
      author: 'Ada',
      content: 'I got married yesterday.',
      occurred_at: new Date(at),
      metadata: { time_zone: 'Asia/Tokyo' },
    });
    await engine.append(session, {
      role: 'user',
      author: 'Ada',
      content: 'I adopted a dog named Rex yesterday.',
      occurred_at: new Date(at),
      metadata: { time_zone: 'Mars/Olympus' },
    });
    await engine.capture(session);
    const { facts } = await engine.facts.list({ scope: user, state: 'all' });
    const text = JSON.stringify(facts.map(({ row }) => row));
    expect(text).toMatch(/married yesterday \(2026-03-10\)/);
    expect(text).toMatch(/Rex yesterday \(2026-03-09\)/);
  });

  it('takes back the day that a person corrects', async () => {
    await say('My flight is on Tuesday.');
    await say('Actually my flight is on Friday.', { at: (time.ms += 1000) });
    await engine.capture(session);
    // What ends with a day is a state, and stays in the conversation.
    const { facts } = await engine.facts.list({ scope: session });
    expect(facts).toHaveLength(1);
    expect(facts[0]?.row).toMatchObject({ content: expect.stringContaining('Friday') });
    expect((await engine.facts.list({ scope: user })).facts).toEqual([]);
  });
});
