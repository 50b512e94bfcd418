/** `Forget what I said about being vegan`: what is named by what it is about. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;

describeOnDatabases('what is to be forgotten by its words', (open, flavor) => {
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
  const capture = async (content: string, { author = 'Ada' } = {}) => {
    time.ms += 1000;
    const occurred_at = new Date(time.ms);
    await engine.append(session, { role: 'user', author, content, occurred_at });
    const { receipts } = await engine.capture(session);
    return receipts[0];
  };
  const startSession = async (): Promise<void> => {
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    session = made.scope_block_uuid;
  };
  const known = async (): Promise<readonly string[]> => {
    const { facts } = await engine.facts.list({ scope: user });
    return facts.map(({ row }) => ('content' in row ? row.content : row.property)).sort();
  };

  it.each([
    ["I'm vegan.", 'forget what I said about being vegan'],
    ["I'm vegan.", 'Please forget what I told you about me being vegan.'],
    ['I went vegan last year.', 'forget what I said about being vegan'],
    ["I'm moving to Bern.", 'forget the thing about Bern'],
    ['I live in Bern.', 'can you forget what I said about living in Bern?'],
    ['I am diabetic.', 'forget everything I said about being diabetic, please'],
    ['I am allergic to nuts.', 'delete what you know about my allergy'],
    ['I work as a nurse.', 'forget what I said about my job'],
    ["My cat's name is Tom.", 'forget the thing I mentioned about my cat'],
  ])('is all that was said about it, here and elsewhere: %s %s', async (said, request) => {
    for (const isElsewhere of [false, true]) {
      await capture(`I like tea. ${said}`);
      expect(await known()).toHaveLength(2);
      if (isElsewhere) {
        const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
        session = made.scope_block_uuid;
      }
      await capture(request, { author: 'Bo' });
      expect(await known()).toHaveLength(2);
      const receipt = await capture(request);
      expect(await known()).toEqual(['Ada likes tea.']);
      expect(receipt?.candidates).toMatchObject([{ outcome: 'superseded', reason: 'taken_back' }]);
    }
  });

  it.each([
    ['I work at Siemens. I like Siemens.', 'Forget about Siemens', []],
    ['I have a dog called Rex. I live in Rome.', 'Please forget Rex.', ['lives in Rome']],
    ['I have a dog called Rex. I have a cat called Tom.', 'Forget my pets', []],
    ['I have two cats. I like cats. My dog walker is Bo.', 'Forget my cats', ['walker', 'likes']],
    ['I have two cats and a Porsche. I like tea.', 'Forget my cats', ['Porsche', 'likes']],
    ['I have two kids. I live in Rome.', 'Forget about my children', ['lives in Rome']],
    ['My email is a@b.de. My phone number is 555 0122.', 'Forget my contact details', []],
    ["I'm vegan. I have two cats. I live in Rome.", 'Forget my diet, and my cats', ['Rome']],
    ['I live in Rome. I want a cat.', 'Forget my pets', ['Rome']],
    ['I have two cats. I work at Acme.', 'forget what I told you about my job and my cats', []],
    ["I'm vegan. I have two cats. I live in Rome.", 'Forget my diet. And my cats.', ['Rome']],
    [
      "I'm vegan. I have two cats.",
      'Forget my diet. My cats are called Tom and Jo.',
      ['cats', 'Tom'],
    ],
    [
      "I'm allergic to nuts. I have diabetes. I take metformin. I take the bus.",
      'Forget my health',
      ['bus'],
    ],
    [
      'I have asthma. I am diabetic and work at Acme. My blood type is O negative.',
      'Please forget everything about my health.',
      ['Acme'],
    ],
    ['I work at Siemens. I like Siemens. I like tea.', 'forget about siemens', ['tea']],
    ['I live in New York. I like tea.', 'forget new york please', ['tea']],
  ])('is a name, or all of a kind that one has: %s %s', async (said, request, left) => {
    for (const isElsewhere of [false, true]) {
      await capture(said);
      if (isElsewhere) await startSession();
      await capture(request);
      const still = (await known()).filter((each) => !left.some((word) => each.includes(word)));
      expect(still).toEqual([]);
      expect(await known()).toHaveLength(left.length);
      await capture('Forget everything you know about me');
      if (isElsewhere) await startSession();
    }
  });

  it('is no name that somebody has just offered', async () => {
    await capture('I live in Paris.');
    const said = { role: 'assistant', author: 'Bot', content: 'How about Paris or Rome?' };
    await engine.append(session, { ...said, occurred_at: new Date(time.ms) });
    await capture('Forget Paris.');
    expect(await known()).toEqual(['Ada lives in Paris.']);
    await engine.append(session, { ...said, occurred_at: new Date(time.ms) });
    await capture('forget paris');
    expect(await known()).toEqual(['Ada lives in Paris.']);
  });

  it.each([
    ['forget what I said about the weather', 'not_known'],
    ['Forget my pets', 'not_known'],
    ['Forget about Siemens', 'not_known'],
    ['forget about siemens', 'not_known'],
    ['Forget my health', 'not_known'],
    ['Please forget that I have a boat.', 'not_known'],
    ['forget what my boss said about being vegan', 'not_known'],
    ['forget what I said about it', 'not_known'],
    ["don't forget what I said about being vegan", 'question'],
    ['did you forget what I said about being vegan?', 'question'],
  ])('is nothing else, and the receipt says so: %s', async (request, reason) => {
    await capture("I'm vegan. I like vegan food. I live in Rome.");
    await engine.remember(user, { content: 'Ada rows.', subject: 'Ada', class: 'fact' });
    const receipt = await capture(request);
    expect(await known()).toHaveLength(4);
    expect(receipt?.declined).toEqual({ [reason]: 1 });
    expect(receipt?.counts).toMatchObject({ superseded: 0, stored: 0 });
  });

  it('is of whom it was said, and not what was written by hand', async () => {
    await capture("I'm vegan. I like vegan food. I live in Rome.");
    await engine.remember(user, { content: 'Ada is vegan at work.', subject: 'Ada' });
    await capture('forget what I said about being vegan');
    expect(await known()).toEqual([
      'Ada is vegan at work.',
      'Ada likes vegan food.',
      'Ada lives in Rome.',
    ]);
  });

  it.each([
    ["I'm vegan. || I'm not vegan.", 'forget what I said about being vegan', []],
    ["I play chess. || I don't play chess any more.", 'forget what I said about chess', []],
    ['I live in Bern. || I no longer live in Bern.', 'forget what I said about Bern', []],
    ['I live in Bern. || I live in Basel.', 'forget what I said about Bern', ['Basel']],
    ['I live in Bern. || I moved from Bern to Basel.', 'forget what I said about Bern', ['Basel']],
    ['I live in Rome. || I live in Bern.', 'forget what I said about Bern', ['Rome']],
    [
      'I live in Rome. || I live in Bern. || I live in Basel.',
      'forget what I said about Bern',
      ['Basel', 'Rome'],
    ],
  ])('goes with all that came of it, and nothing of it comes back: %s', async (said, ask, left) => {
    for (const isElsewhere of [false, true]) {
      for (const turn of said.split(' || ')) {
        if (isElsewhere) await startSession();
        await capture(turn);
      }
      if (isElsewhere) await startSession();
      const receipt = await capture(ask);
      expect(receipt?.counts).toMatchObject({ superseded: 1, failed: 0 });
      const { facts } = await engine.facts.list({ scope: user, state: 'all' });
      const believed = facts.filter(({ row }) => row.retired_seq === null);
      const texts = believed.map(({ row }) => ('content' in row ? row.content : ''));
      expect([...new Set(texts)].sort()).toEqual(left.map((home) => `Ada lives in ${home}.`));
      await capture('forget where I live');
      expect(await known()).toEqual([]);
    }
  });

  it('leaves no gap where it stood, and what is left can be forgotten as well', async () => {
    for (const home of ['Rome', 'Bern', 'Basel']) await capture(`I live in ${home}.`);
    await capture('forget what I said about Bern');
    const { facts } = await engine.facts.list({ scope: user, state: 'all' });
    const believed = facts.filter(({ row }) => row.retired_seq === null);
    const [basel, rome] = believed.toSorted((a, b) =>
      a.row.valid_from < b.row.valid_from ? 1 : -1,
    );
    expect(rome?.row.valid_until).toEqual(basel?.row.valid_from);
    await capture('forget that I live in Basel');
    expect(await known()).toEqual(['Ada lives in Rome.']);
  });
});
