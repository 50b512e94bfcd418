/** `Forget everything`, `wipe your memory`, `scratch that`: forgetting in plain words. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

describeOnDatabases('what is to be forgotten in plain words', (open, flavor) => {
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

  const TWO = 'I live in Bern. | I work at Siemens. | >> | ';
  const requests: readonly (readonly [string, readonly string[]])[] = [
    ...[
      'Forget everything.',
      'Reset your memory.',
      'Wipe your memory of me.',
      'Clear all memories.',
      'Delete my memory.',
      "Please delete everything you've stored about me.",
      'Delete all my data.',
    ].map((request) => [TWO + request, []] as const),
    ...[
      "I don't want you to remember where I work.",
      "Don't remember that I work at Siemens.",
      "Please don't save that I work at Siemens.",
    ].map((request) => [TWO + request, ['Ada lives in Bern.']] as const),
    [
      'I live in Bern. | I work at Acme. | Forget the last thing I told you.',
      ['Ada lives in Bern.'],
    ],
    ['I live in Bern. | I work at Acme. | Scratch that.', ['Ada lives in Bern.']],
    ['I live in Bern. | I work at Acme. | No, ignore that.', ['Ada lives in Bern.']],
    ['I live in Bern. | I work at Acme. | A: Noted. | Delete that.', ['Ada lives in Bern.']],
    ['I live in Bern. | A: I wrote a draft of the mail. | Delete that.', ['Ada lives in Bern.']],
    ['I live in Bern. | I work at Acme. Delete that.', ['Ada lives in Bern.']],
    ["I'm married to Tom. | >> | Forget that I'm married.", []],
    ["I'm married to Tom. | >> | Forget who I'm married to.", []],
    [
      'I live in Bern. | I earn 80000 euros a year. | >> | Forget what I earn.',
      ['Ada lives in Bern.'],
    ],
  ];
  it.each(requests)('%s', async (turns, left) => {
    await say(turns);
    expect(await known()).toEqual(left);
  });

  it.each([
    'Forget vim, how do I quit nano?',
    "Don't forget that I live in Bern.",
    'Clear the cache.',
    'Reset my password.',
    'Wipe the table.',
    'Delete my old branch.',
    'Scratch that idea.',
    'Forget everything. Start over with the poem.',
    'Delete all my data from the table.',
    "I don't remember where I work.",
  ])('takes nothing: %s', async (request) => {
    await say(`I live in Bern. | ${request}`);
    expect(await known()).toEqual(['Ada lives in Bern.']);
  });
});
