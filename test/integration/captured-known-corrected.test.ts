/** `Turin, not Rome.` in a later talk corrects what an earlier one told of a slot. */
import { expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.ts';
import { separateTalks } from '../support/separate-talks.ts';

describeOnDatabases('a correction of what another talk told', (open, flavor) => {
  const { say, told, values } = separateTalks([open, flavor], 40);

  it.each([
    ['I live in Rome.', 'Turin, not Rome.', "Ada's home is Turin."],
    ['I live in Rome.', "It's Turin, not Rome", "Ada's home is Turin."],
    ['I live in Rome.', 'Not Rome but Turin.', "Ada's home is Turin."],
    ['I live in Rome.', 'Hi! Turin, not Rome.', "Ada's home is Turin."],
    ['i live in rome', 'turin, not rome', "Ada's home is turin."],
    ['I work at Bosch.', 'Siemens, not Bosch.', "Ada's employer is Siemens."],
    ['My cat is called Tom.', 'Tim, not Tom', "Ada's cat is Tim."],
    ['My rent is 910.', '920, not 910', "Ada's rent is 920."],
    ['I live in Rome.', 'I never lived in Rome, it was Turin.', "Ada's home is Turin."],
    ['I work at Bosch.', 'I never worked at Bosch, it was Siemens.', "Ada's employer is Siemens."],
  ])('is of it: %s %s', async (first, last, left) => {
    await say(first, last);
    expect(await told()).toEqual([left]);
    // It was never so.
    expect(await told('past')).toEqual([]);
  });

  it.each([
    ['Call me Tom.', 'Tim, not Tom.', 'name=Tim'],
    ['call me Tom', 'Hi! Tim, not tom', 'name=Tim'],
    ['I work as a welder.', 'Plumber, not welder.', 'role=Plumber'],
    ['I work as a welder.', 'Not a welder but a plumber.', 'role=plumber'],
    ['Answer in French.', 'German, not French.', 'preferred_language=de'],
  ])('is of a typed value: %s %s', async (first, last, left) => {
    await say(first, last);
    expect(await values()).toEqual([left]);
    expect(await values('past')).toEqual([]);
    expect(await told()).toEqual([]);
  });

  it.each([
    [['Call me Tom.'], 'Tim, not Ben.'],
    [['Call me Tom.'], 'Find me a hotel. Tim, not Tom.'],
    [['Call me Tom.', 'My cat is called Tom.'], 'Tim, not Tom.'],
    [['Call me Tom.', 'I work as Tom.'], 'Tim, not Tom.'],
    [['Call me Tom.'], 'Ben: Tim, not Tom.'],
    [['Answer in French.'], 'Klingon, not French.'],
  ])('is of no typed value that is sure: %j %s', async (first, last) => {
    await say(...first);
    const before = [await values(), await told()];
    expect(before.flat()).toHaveLength(first.length);
    await say(last);
    expect([await values(), await told()]).toEqual(before);
  });

  it.each([
    [['I live in Rome.'], 'Turin, not Milan.'],
    [['I live in Rome.'], 'I never lived in Milan, it was Turin.'],
    [['I live in Rome.'], '920, not 910'],
    [['I live in Rome.'], 'Tuesday, not Rome'],
    [['I live in Rome.'], 'Turin, not Rome. Book a table for two.'],
    [['I live in Rome.'], 'Find me a hotel. Turin, not Rome.'],
    [['I live in Rome.'], 'My friend wrote: Turin, not Rome.'],
    [['I live in Rome.'], 'Sorry, Turin.'],
    [['I live in Rome.'], 'Ben: Turin, not Rome.'],
    [['I like Rome.'], 'Turin, not Rome.'],
    [['I live in Rome.', 'I was born in Rome.'], 'Turin, not Rome.'],
  ])('is of nothing that is sure: %j %s', async (first, last) => {
    await say(...first);
    const before = await told();
    expect(before).toHaveLength(first.length);
    await say(last);
    expect(await told()).toEqual(before);
  });
});
