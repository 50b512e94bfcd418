/** `Ada`, `ada ` and `ADA` are one person: in slots, in corrections and where they ask to forget. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

type Said = readonly [author: string, content: string];

describeOnDatabases('one speaker under several spellings', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  const time: TestClock = { ms: START_MS };
  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  beforeEach(async () => {
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
  });
  const talk = async (...turns: readonly Said[]): Promise<void> => {
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    for (const [author, content] of turns) {
      time.ms += 60_000;
      const occurred_at = new Date(time.ms);
      await engine.append(made.scope_block_uuid, { role: 'user', author, content, occurred_at });
      await engine.capture(made.scope_block_uuid);
    }
  };
  const known = async (): Promise<readonly string[]> => {
    const { facts } = await engine.facts.list({ scope: user });
    return facts
      .map(({ row }) => {
        const said = 'content' in row ? row.content : `${row.property}=${String(row.value)}`;
        return `${row.subject}: ${said}`;
      })
      .sort();
  };

  it.each([
    ['Ada', 'ada '],
    ['Ada', 'ADA'],
    ['ada', 'Ada'],
    ['Ada Lovelace', 'ada  lovelace'],
    ['Zo\u00eb', 'Zoe\u0308'],
    ['Zo\u00eb', 'zo\u00eb'],
  ])('has one home: %j %j', async (first, second) => {
    await talk([first, 'I live in Rome.']);
    await talk([second, 'I live in Turin now.']);
    expect(await known()).toEqual([`${first}: ${first} lives in Turin now.`]);
  });

  it('has one value of a property', async () => {
    await talk(['Ada', 'I work as a welder.']);
    await talk(['ada ', 'I work as a fitter now.']);
    expect(await known()).toEqual(['Ada: role=fitter']);
  });

  it('corrects and ends what was said', async () => {
    await talk(['Ada', 'I live in Rome.'], ['ADA', 'Turin, not Rome']);
    await talk(['Ada', 'My gym is Forge.'], ['ada', 'My gym closed']);
    expect(await known()).toEqual(['Ada: Ada lives in Turin.']);
  });

  it.each(['Forget where I live.', 'Please forget that I live in Rome.', 'Forget everything.'])(
    'forgets: %s',
    async (request) => {
      await talk(['Ada', 'I live in Rome.']);
      await talk(['ada', request]);
      expect(await known()).toEqual([]);
    },
  );

  it('is no other person', async () => {
    await talk(['Ada', 'I live in Rome.']);
    await talk(['Adam', 'I live in Turin now.']);
    await talk(['Adam', 'Forget where I live.']);
    expect(await known()).toEqual(['Ada: Ada lives in Rome.']);
  });
});
