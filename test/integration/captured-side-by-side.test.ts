/** What says nothing of another fact ends none: names with numbers, conditions, things in part. */
import { beforeAll, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

describeOnDatabases('two facts side by side', (open, flavor) => {
  let engine: ContextEngine;
  const time: TestClock = { ms: START_MS };
  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  const knownOf = async (talk: string): Promise<readonly string[]> => {
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    for (const content of talk.split(' | ')) {
      time.ms += 1000;
      const turn = { role: 'user', author: 'Ada', content, occurred_at: new Date(time.ms) };
      await engine.append(made.scope_block_uuid, turn);
      await engine.capture(made.scope_block_uuid);
    }
    const { facts } = await engine.facts.list({ scope: user });
    return facts.map(({ row }) => ('content' in row ? row.content : row.property)).sort();
  };

  it.each([
    'I have a BMW 320. | I have a BMW 520.',
    'I own an iPhone 11. | I own an iPhone 13.',
    'I bought a tent on May 3. | I bought a canoe on May 9.',
    'I bought a flat in Bonn. | I bought a flat in Ulm.',
    'I bought a bike in Bonn. | I bought a bike in Ulm.',
    'I bought 3 apples. | I bought 4 apples.',
    'I have a flat in Bonn. | I bought a flat in Ulm.',
    'I charge 80 euros for a haircut. | I charge 120 euros for a perm.',
    'I charge 80 euros for haircuts. | I charge 120 euros for perms.',
    'I charge 80 euros an hour. | I charge 120 euros for a perm.',
    'I work on project P1. | I work on project P2.',
    'I have a server named web1. | I have a server named web2.',
    'I have a cat named Cat1. | I have a cat named Cat2.',
    'I have a flat in district 3. | I have a flat in district 7.',
    'I have a kid in grade 2. | I have a kid in grade 5.',
    'I have a son who is 7. | I have a son who is 9.',
    'I have a flat with 2 rooms. | I have a flat with 3 rooms.',
    'My exam is in room 12. | My exam is in room 14.',
    'I speak Python 2. | I speak Python 3.',
    "I have 3 kids. | I don't have 4 kids.",
    "I have 2 dogs. | I don't have 3 dogs.",
    "I work 40 hours a week. | I don't work 50 hours a week.",
    'I earn 4000 a month. | I earn 500 a month from tutoring.',
    'I live in Graz. | I live in Linz during the week.',
    'I drive a Skoda. | I drive a tractor.',
    'My car is a Skoda. | My car is electric now.',
    'My rent is 900 euros. | My rent is paid by my firm now.',
  ])('both stand: %s', async (talk) => expect(await knownOf(talk)).toHaveLength(2));

  it.each([
    ['My laptop is a ThinkPad. | My laptop is slow today.', "Ada's laptop is a ThinkPad."],
    ['My car is a Skoda. | My car is at the garage today.', "Ada's car is a Skoda."],
    ['My phone is a Pixel. | My phone is on silent now.', "Ada's phone is a Pixel."],
    ['My office is in Turin. | My office is cold now.', "Ada's office is in Turin."],
    ['My team is Atlas. | My team is on strike today.', "Ada's team is Atlas."],
    ['My rent is 900 euros. | My rent is due today.', "Ada's rent is 900 euros."],
    ['My rent is 900 euros. | My rent is too high now.', "Ada's rent is 900 euros."],
    ['My bank is N26. | My bank is down now.', "Ada's bank is N26."],
  ])('a condition of the day is none to keep: %s', async (talk, known) =>
    expect(await knownOf(talk)).toEqual([known]),
  );

  it.each([
    ['I have 3 kids. | I have 4 kids.', 'Ada has 4 kids.'],
    ['I have three kids. | I have four kids.', 'Ada has four kids.'],
    ["I have 3 kids. | I don't have 3 kids.", "Ada doesn't have 3 kids."],
    ["I have 3 kids. | I don't have kids.", "Ada doesn't have kids."],
    ['My rent is 900 euros. | My rent is 950 euros.', "Ada's rent is 950 euros."],
    [
      'I charge 80 euros for a haircut. | I charge 90 euros for a haircut.',
      'Ada charges 90 euros for a haircut.',
    ],
    ['I charge 80 euros an hour. | I charge 90 euros an hour.', 'Ada charges 90 euros an hour.'],
    ['My rent is 900 euros. | My rent is 1000 euros now.', "Ada's rent is 1000 euros now."],
    ['I work 40 hours a week. | I work 30 hours a week.', 'Ada works 30 hours a week.'],
    ['I drink 3 coffees a day. | I drink 2 coffees a day.', 'Ada drinks 2 coffees a day.'],
    ['I have two cats. | I have three cats, not two.', 'Ada has three cats, not two.'],
    ['Our app costs 9 euros. | Our app costs 12 euros.', "Ada's app costs 12 euros."],
    ['I have a salary of 4000. | I have a salary of 5000.', 'Ada has a salary of 5000.'],
    ['I earn 4000 a month. | I earn 5000 a month.', 'Ada earns 5000 a month.'],
    ['I live in Graz. | I live in Linz.', 'Ada lives in Linz.'],
    ['I drive a Skoda. | I drive a Tesla.', 'Ada drives a Tesla.'],
    ['My laptop is a ThinkPad. | My laptop is a MacBook now.', "Ada's laptop is a MacBook now."],
    ['My bank is N26. | My bank is Revolut now.', "Ada's bank is Revolut now."],
    ['My office is in Turin. | My office is in Milan now.', "Ada's office is in Milan now."],
    ['My diet is vegan. | My diet is vegetarian now.', "Ada's diet is vegetarian now."],
    ['My hobby is pottery. | My hobby is sailing now.', "Ada's hobby is sailing now."],
    ['My car is a Skoda. | My car is gone now.', "Ada's car is gone now."],
  ])('the later one holds: %s', async (talk, known) =>
    expect(await knownOf(talk)).toEqual([known]),
  );

  it.each<readonly [string, readonly string[]]>([
    ['My rent is 900 euros. | Ada\u2019s rent is 900 euros.', ["Ada's rent is 900 euros."]],
    ["My rent is 900 euros. | Ada's rent is 900 euros.", ["Ada's rent is 900 euros."]],
    // A copied line of another time takes the place of nothing.
    ["My rent is 950 euros. | Ada's rent is 900 euros.", ["Ada's rent is 950 euros."]],
    ['I live in Rome. | As you know, I live in Rome.', ['Ada lives in Rome.']],
    [
      'I live in Rome. | My rent is 900 euros. | As you know, I live in Rome, my rent is 900 euros.',
      ['Ada lives in Rome.', "Ada's rent is 900 euros."],
    ],
    ['As you know, I live in Rome.', ['Ada lives in Rome.']],
    ['I live in Rome. | As you know, I live in Bern now.', ['Ada lives in Bern now.']],
  ])('what comes back is known: %s', async (talk, known) =>
    expect(await knownOf(talk)).toEqual(known),
  );
});
