/** `No, Basel` directly behind a statement of one value is that value. */
import { beforeAll, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

describeOnDatabases('a name alone that corrects', (open, flavor) => {
  let engine: ContextEngine;
  const time: TestClock = { ms: START_MS };
  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  const knownOf = async (talk: string): Promise<readonly string[]> => {
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    for (const said of talk.split(' | ')) {
      time.ms += 1000;
      const by = said.startsWith('A: ')
        ? { role: 'assistant', content: said.slice(3) }
        : { role: 'user', author: 'Ada', content: said };
      await engine.append(made.scope_block_uuid, { ...by, occurred_at: new Date(time.ms) });
      await engine.capture(made.scope_block_uuid);
    }
    const { facts } = await engine.facts.list({ scope: user });
    return facts
      .map(({ row }) => ('content' in row ? row.content : row.property))
      .map((text) => text.replace(/\d{4}-\d\d-\d\d/, 'D'))
      .sort();
  };

  it.each([
    ['I live in Bern. | no, Basel', 'Ada lives in Basel.'],
    ['I live in Bern. | Sorry, Basel.', 'Ada lives in Basel.'],
    ['I live in Bern. | A: Noted: you live in Bern. | No, Basel!', 'Ada lives in Basel.'],
    // Near to the names of people, and a town.
    ['I live in Rome. | No, Turin.', 'Ada lives in Turin.'],
    ['I live in Rome. | A: Got it! | No, Turin.', 'Ada lives in Turin.'],
    ['I live in Rome. | *Turin', 'Ada lives in Turin.'],
    ['I live in Rome. | A: Nice! Rome is beautiful. | *Turin', 'Ada lives in Turin.'],
    ['I live in Rome. | Turin, not Rome', 'Ada lives in Turin.'],
    ['I live in Rome. | Sorry, Turin.', 'Ada lives in Turin.'],
    ['I live in Rome. | Oops, Turin.', 'Ada lives in Turin.'],
    ['I live in Rome. | Sorry, Anna.', 'Ada lives in Rome.'],
    ['I live in Rome. | Sorry, Tom.', 'Ada lives in Rome.'],
    ['I work at Acme. | *Globex', 'Ada works at Globex.'],
    ['I work at Acme. | No, Globex.', 'Ada works at Globex.'],
    ['My rent is 900. | Sorry, 910.', "Ada's rent is 910."],
    ['My birthday is May 4. Oops, May 5.', "Ada's birthday is May 5."],
    ['I moved to Turin in April. | Sorry, I meant in March.', 'Ada moved to Turin in March.'],
    // What is of another kind corrects nothing.
    ['I was born in Rome. | Sorry, I meant in May.', 'Ada was born in Rome.'],
    ['I work at Acme. | No, I meant May 5.', 'Ada works at Acme.'],
    // In one turn.
    ['I live in Bern. Sorry, Basel.', 'Ada lives in Basel.'],
    ['I live in Bern. No wait, I meant Basel.', 'Ada lives in Basel.'],
    ['I work at Acme. Not Acme but Globex.', 'Ada works at Globex.'],
    [
      'I fly to Rotterdam on Saturday. Correction: Sunday.',
      'Ada flies to Rotterdam on Sunday (D).',
    ],
    [
      'I fly to Rotterdam on Saturday. | Correction: Sunday.',
      'Ada flies to Rotterdam on Sunday (D).',
    ],
    [
      'I fly to Rotterdam on Saturday. | Correction: Antwerp.',
      'Ada flies to Antwerp on Saturday (D).',
    ],
  ])('%s', async (talk, known) => expect(await knownOf(talk)).toEqual([known]));

  it.each([
    ['I live in Bern and work in Zug. | no, Basel', ['Ada lives in Bern.', 'Ada works in Zug.']],
    ['I live in Bern. | A: Do you like Basel? | No, Rome', ['Ada lives in Bern.']],
    ['I live in Bern. | Book a table in Bern. | No, Basel.', ['Ada lives in Bern.']],
    ['I live in Bern. | Sorry, Bob.', ['Ada lives in Bern.']],
    ['I live in Bern. | No, Claude.', ['Ada lives in Bern.']],
    ['I live in Rome. | No, Ben.', ['Ada lives in Rome.']],
    ['I live in Rome. | *Sigh', ['Ada lives in Rome.']],
    ['I live in Rome. | *sigh*', ['Ada lives in Rome.']],
    ['I live in Rome. | *Turin*', ['Ada lives in Rome.']],
    ['I live in Rome. | * Turin', ['Ada lives in Rome.']],
    ['I live in Rome. | *Thanks', ['Ada lives in Rome.']],
    ['I live in Rome. | Book a table in Rome. | *Turin', ['Ada lives in Rome.']],
    ['I live in Rome and work in Zug. | *Turin', ['Ada lives in Rome.', 'Ada works in Zug.']],
    ['I live in Bern. | No, thanks', ['Ada lives in Bern.']],
    ['I live in Bern. | Sorry, Basel is too far.', ['Ada lives in Bern.']],
    ['I live in Bern. | I like tea. | no, Basel', ['Ada likes tea.', 'Ada lives in Bern.']],
  ])('corrects nothing: %s', async (talk, known) => expect(await knownOf(talk)).toEqual(known));
});
