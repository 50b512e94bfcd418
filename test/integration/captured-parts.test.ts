/**
 * What ends of a captured fact, and how the rest of it is kept: a part of several, what is liked no
 * more, a change that is told after its day, and a statement whose words say more than its slot.
 */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import type { TestClock } from '../support/engines.ts';
import { openLocalEngine, REVIEWER, storeReviewer } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;
/** A Sunday. */
const FIRST_MS = Date.parse('2026-11-01T09:00:00Z');

describeOnDatabases('a captured fact', (open, flavor) => {
  let engine: ContextEngine;
  let session: string;
  const time: TestClock = { ms: FIRST_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    await storeReviewer(engine);
    return () => engine.close();
  });
  beforeEach(async () => {
    time.ms = FIRST_MS;
    ({ scope_block_uuid: session } = await engine.scopes.create({ type: 'chat_session' }));
  });

  const say = async (content: string) => {
    const occurred_at = new Date(time.ms);
    await engine.append(session, { role: 'user', author: 'Ann', content, occurred_at });
    await engine.capture(session);
    time.ms += DAY_MS;
  };
  const current = async () => {
    const { facts } = await engine.facts.list({ scope: session });
    return facts
      .flatMap((fact) => (fact.table === 'memory_open_set' ? [fact.row.content] : []))
      .sort();
  };

  it.each([
    ['I have a Brompton and a Canyon.', 'I sold the Brompton.', ['Ann has a Canyon.']],
    [
      'I have a Brompton and a Canyon.',
      'I sold the Canyon.',
      ['Ann has a Brompton. Ann sold the Canyon.'],
    ],
    [
      'I live in Freiburg and work in Basel.',
      'I no longer work in Basel.',
      ['Ann lives in Freiburg.', 'Ann no longer works in Basel.'],
    ],
    [
      'I am allergic to penicillin and nuts.',
      "I'm no longer allergic to nuts.",
      ['Ann is allergic to penicillin. Ann is no longer allergic to nuts.'],
    ],
  ])('keeps what `%s` says beside what `%s` ends', async (first, second, holds) => {
    await say(first);
    await say(second);
    expect(await current()).toEqual(holds);
  });

  it('ends what was liked, and nothing that is liked beside it', async () => {
    await say('I prefer Marathon tyres.');
    await say('I love Contact tyres.');
    await say("I don't like the Marathon any more.");
    expect(await current()).toEqual([
      "Ann doesn't like the Marathon any more.",
      'Ann loves Contact tyres.',
    ]);
  });

  it('holds two seasons of what is liked', async () => {
    await say('I like season 2 of Dark.');
    await say('I like season 4 of Dark.');
    expect(await current()).toEqual(['Ann likes season 2 of Dark.', 'Ann likes season 4 of Dark.']);
  });

  it('holds a change whose day is before the day on which the old value was told', async () => {
    await say('I live in Rome.');
    await say('I moved to Oslo last Thursday.');
    expect(await current()).toEqual(['Ann moved to Oslo last Thursday (2026-10-29).']);
  });

  it('reads `since Monday` as the last one', async () => {
    await say('I live in Munich since Monday.');
    expect(await current()).toEqual(['Ann lives in Munich since Monday (2026-10-26).']);
  });

  it('takes no order for a name', async () => {
    await say('Please call me instead of texting from now on.');
    expect((await current()).join()).not.toContain('name');
  });

  it('stores the bike that is ridden now', async () => {
    await say('I ride a Cube.');
    await say('I sold the Cube and now ride a Canyon.');
    expect(await current()).toContain('Ann now rides a Canyon.');
    expect(await current()).not.toContain('Ann rides a Cube.');
  });

  it('keeps the words of a sentence that says more than a slot and its value', async () => {
    await say('The landlord raised my rent to 780 francs because of the new lift.');
    await say('Training is Tuesdays and Thursdays.');
    await say('Ingrid moved to Bergen on Saturday.');
    const kept = (await current()).join('\n');
    expect(kept).toContain('780 francs because of the new lift');
    expect(kept).toContain('Tuesdays and Thursdays');
    expect(kept).not.toContain("Ann's ingrid");
  });

  it('lets no part of a message take the place of another, though it is approved later', async () => {
    await say('Our babysitter is Carla.');
    await say('Carla moved to Spain, our new babysitter is Jodie.');
    for (const { proposal_uuid } of await engine.approvals.list({ state: 'pending' }, REVIEWER))
      await engine.approvals.approve(proposal_uuid, null, REVIEWER);
    expect(await current()).toContain("Ann's new babysitter is Jodie.");
  });
});
