/** `Don't store that.` as a turn of its own: what its speaker stated just before goes. */
import { beforeAll, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const ASTHMA = 'I have asthma.';
const OSLO = 'I live in Oslo.';

describeOnDatabases('a request to forget, behind what it is of', (open, flavor) => {
  let engine: ContextEngine;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });

  /** What is known in the end, and what became of the last turn; `A:` is an assistant's. */
  const said = async (...turns: readonly string[]) => {
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    const session = made.scope_block_uuid;
    let why: readonly string[] = [];
    for (const turn of turns) {
      time.ms += 1000;
      const isOfAgent = turn.startsWith('A: ');
      await engine.append(session, {
        role: isOfAgent ? 'assistant' : 'user',
        author: isOfAgent ? 'bot' : 'Ada',
        content: isOfAgent ? turn.slice(3) : turn,
        occurred_at: new Date(time.ms),
      });
      const { receipts } = await engine.capture(session);
      why = receipts.flatMap(({ candidates, declined_candidates: none = [] }) =>
        [...none, ...candidates].map(({ reason }) => reason),
      );
    }
    const { facts } = await engine.facts.list({ scope: user });
    const known = facts.map(({ row }) => ('content' in row ? row.content : row.property)).sort();
    return { known, why };
  };

  it.each([
    "Don't store that.",
    'Please forget this.',
    'This is private.',
    'Please keep that private.',
    "Don't write that down.",
    'Forget that.',
    'Forget about that.',
    'Can you forget that?',
    'Delete my last message.',
    'Delete that.',
    'No, ignore that.',
    'This stays between us.',
    "I shouldn't have told you that, please forget it.",
    'Sorry, please forget that. Thanks!',
    "This is private. Don't store that.",
    "Don't tell anyone.",
  ])('takes it: %s', async (request) => {
    const { known, why } = await said(ASTHMA, request);
    expect(known).toEqual([]);
    expect(why).toContain('taken_back');
  });

  it('takes it behind a word of thanks, and gives back what it took the place of', async () => {
    const ack = "A: I'm sorry to hear that. I'll keep it in mind.";
    expect(await said(ASTHMA, ack, 'Forget that.')).toMatchObject({ known: [] });
    const { known } = await said(OSLO, 'I live in Bergen now.', "Don't write that down.");
    expect(known).toEqual(['Ada lives in Oslo.']);
  });

  it.each([
    [OSLO, 'A: Shall I book a flight?', 'Forget that.'],
    [OSLO, 'A: I can book a flight.', 'Forget that.'],
    [OSLO, "A: I've booked a flight.", "Don't save that."],
    ['I live in Oslo. Can you list the flights?', "Don't store that."],
    ['I live in Oslo. Write a test for the parser.', 'Forget that.'],
    [OSLO, "Don't forget that."],
    [OSLO, 'A: Noted.', "Don't mention it."],
    [OSLO, "It's private."],
    [OSLO, "Don't store what follows."],
    [OSLO, "Don't store anything I say."],
    ['I live in Oslo. Can you list the flights?', 'Delete that.'],
    [OSLO, 'A: Shall I draft a mail?', 'Delete that.'],
    [OSLO, 'Forget it.'],
    [OSLO, 'Forget that meeting.'],
    [OSLO, 'This is private property.'],
  ])('takes nothing: %s %s %s', async (...turns) => {
    const { known, why } = await said(...turns);
    expect(known).toEqual(['Ada lives in Oslo.']);
    expect(why).not.toContain('taken_back');
  });

  it('claims nothing where it finds nothing', async () => {
    const asked = 'I live in Oslo. Can you list the flights?';
    expect((await said(asked, "Don't store that.")).why).toEqual(['not_known']);
    expect((await said(OSLO, "It's private.")).why).toEqual(['not_known']);
  });

  it.each([
    [ASTHMA, 'You must forget that I have asthma.'],
    [ASTHMA, 'I really need you to forget that I have asthma.'],
    [ASTHMA, 'Make sure to forget that I have asthma.'],
  ])('is a request and no rule: %s %s', async (...turns) => {
    expect(await said(...turns)).toEqual({ known: [], why: ['taken_back'] });
  });

  it.each([
    'Forget everything except that I live in Oslo.',
    'Forget what I like best.',
    'You have to forget how I like my tea.',
  ])('never is a memory, and claims nothing that it cannot do: %s', async (request) => {
    const { known, why } = await said(OSLO, request);
    expect(known).toEqual(['Ada lives in Oslo.']);
    expect(why).toEqual(['not_known']);
  });

  it.each([
    'Never forget that I like tea.',
    "Don't forget that I like tea.",
    'I always forget that I live in Oslo.',
    'Forget about the rest and always answer in French.',
  ])('leaves what is no request: %s', async (statement) => {
    const { why } = await said(statement);
    expect(why).not.toContain('not_known');
    expect(why).not.toContain('never');
  });

  it.each([
    ["I'm allergic to nuts.", 'Forget my nut allergy.'],
    ['I have diabetes.', 'Forget my diabetes.'],
    ['I work at Acme.', 'Please forget my job.'],
    ['I take ramipril.', 'Forget about the ramipril.'],
    ['My dog is called Rex.', 'Forget the name of my dog.'],
    ['I was born in Rome.', 'Forget where I was born.'],
    ['I was born in May 1990.', 'Forget when I was born.'],
  ])('takes what is named in other words: %s %s', async (...turns) => {
    expect((await said(...turns)).known).toEqual([]);
  });

  it.each([
    ['I live in Rome with two cats.', 'Forget that I live in Rome.'],
    ["I'm allergic to nuts.", 'Forget my cat allergy.'],
    ['I take the bus.', 'Forget about the bus.'],
    ['I was born in Rome.', 'Forget when I was born.'],
    ['I was born in May 1990.', 'Forget where I was born.'],
  ])('keeps what says more, or another thing, and reports it: %s %s', async (...turns) => {
    const { known, why } = await said(...turns);
    expect(known).toHaveLength(1);
    expect(why).toEqual(['not_known']);
  });

  it('takes what was, and keeps what is', async () => {
    const turns = [OSLO, 'I live in Bergen now.', 'Forget that I lived in Oslo.'];
    expect((await said(...turns)).known).toEqual(['Ada lives in Bergen now.']);
  });
});
