/** `Forget everything you know about me`, `never mind, forget it`: what names no statement. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

describeOnDatabases('what is to be forgotten without being named', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  let session: string;
  const time: TestClock = { ms: START_MS };

  const startSession = async (): Promise<void> => {
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    session = made.scope_block_uuid;
  };
  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
    await startSession();
  });
  /** Turns of Ada, and behind `A:` of the assistant; `>>` begins another conversation. */
  const say = async (turns: string): Promise<void> => {
    for (const said of turns.split(' | ')) {
      time.ms += 1000;
      if (said === '>>') {
        await startSession();
        continue;
      }
      const by = said.startsWith('A: ')
        ? { role: 'assistant', content: said.slice(3) }
        : { role: 'user', author: 'Ada', content: said };
      await engine.append(session, { ...by, occurred_at: new Date(time.ms) });
      await engine.capture(session);
    }
  };
  const known = async (): Promise<readonly string[]> => {
    const { facts } = await engine.facts.list({ scope: user });
    return facts.map(({ row }) => ('content' in row ? row.content : row.property)).sort();
  };

  it.each([
    ['I live in Bern. | I work at Acme. | Forget everything you know about me.', []],
    ['I live in Bern. | I work at Acme. | >> | Please delete all you know about me.', []],
    ['I live in Bern. | I work at Acme. | >> | Forget everything I told you.', []],
    [
      'I live in Bern. | I moved to Basel. | >> | Forget everything about me. I live in Ulm.',
      ['Ada lives in Ulm.'],
    ],
    [
      'Never commit to main. | I live in Bern. | >> | Forget everything you know about me.',
      ['Never commit to main.'],
    ],
    // Two things in one request.
    [
      'My phone number is 555 0122. | I live in Bern. | Forget my phone number and where I live.',
      [],
    ],
    ['I have asthma. | I live in Bern. | >> | Forget that I have asthma and live in Bern.', []],
    [
      'I live in Bern. | I have a dog. | Forget where I live and that I have asthma.',
      ['Ada has a dog.'],
    ],
    // Of the talk alone.
    [
      'I work at Acme. | >> | I live in Bern. | I like tea. | Forget everything I said.',
      ['Ada works at Acme.'],
    ],
    // A statement before it, and nothing else.
    ['I live in Bern. | I like tea. | nvm, forget that', ['Ada lives in Bern.']],
    ['I live in Bern. | I like tea. | Never mind, forget it.', ['Ada lives in Bern.']],
    ['I live in Bern. Never mind, forget it.', []],
    // What was said of one thing, in another conversation and before.
    ["I'm allergic to nuts. | >> | forget my allergies", []],
    ["I'm allergic to nuts. | >> | forget what I'm allergic to", []],
    ["I'm vegan and live in Bern. | forget my diet", ['Ada lives in Bern.']],
    ["I'm vegan and I live in Bern. | >> | forget my diet", ['Ada lives in Bern.']],
    [
      'I live in Bern. | I live in Basel. | >> | forget that I live in Bern',
      ['Ada lives in Basel.'],
    ],
  ] as const)('is all of it: %s', async (turns, left) => {
    await say(turns);
    expect(await known()).toEqual([...left]);
    const { facts } = await engine.facts.list({ scope: user, state: 'all' });
    const texts = facts.flatMap(({ row }) =>
      row.retired_seq === null && 'content' in row ? [row.content] : [],
    );
    if (turns.includes('forget that')) expect(texts).toEqual([...left]);
  });

  it.each([
    'I live in Bern. | Write me a poem about the sea. | never mind, forget it',
    'I live in Bern. | A: Shall I look for flats there? | never mind, forget it',
    'I live in Bern. | Forget everything you know about Rust.',
    'I live in Bern. | You forgot everything I told you.',
    "I live in Bern. | Don't forget everything I told you.",
    'I live in Bern. | Did you forget everything you know about me?',
    'I live in Bern. | Please never forget where I live.',
    'I live in Bern. | Never mind the typos.',
  ])('is nothing: %s', async (turns) => {
    await say(turns);
    expect(await known()).toEqual(['Ada lives in Bern.']);
    expect(await engine.approvals.list({ state: 'pending' })).toEqual([]);
  });

  it.each([
    ["I'm vegan but live in Bern. | >> | forget my diet", 'Bern'],
    ["I'm vegan but live in Bern. | forget my diet", 'Bern'],
    ['I live in Bern, near the lake. | >> | forget my diet', 'lake'],
    ['I live in Bern with two cats. | Forget where I live.', 'two cats'],
    ['I live in Bern with two cats. | >> | Forget where I live.', 'two cats'],
    ["My birthday is 3 May. | please don't ever forget my birthday", 'birthday is 3 May'],
  ])('loses nothing that stands beside: %s', async (turns, words) => {
    await say(turns);
    expect(await known()).toEqual([expect.stringContaining(words)]);
  });

  it('leaves what somebody else said, and what was written by hand', async () => {
    await say('I live in Bern.');
    await engine.remember(user, { content: 'Ada rows.', subject: 'Ada' });
    await engine.append(session, { role: 'user', author: 'Bo', content: 'I live in Rome.' });
    await engine.capture(session);
    await say('Forget everything you know about me.');
    expect(await known()).toEqual(['Ada rows.', 'Bo lives in Rome.']);
  });
});
