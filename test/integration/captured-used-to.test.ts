/** `I used to live in Rome` says that it is over, where that is known; else it is of the past. */
import { expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.ts';
import { separateTalks } from '../support/separate-talks.ts';

describeOnDatabases('what used to be', (open, flavor) => {
  const { say, told, forget } = separateTalks([open, flavor], 20);

  it.each([
    ['I live in Rome.', 'I used to live in Rome.', []],
    ['I work at Acme.', 'I used to work at Acme.', []],
    ['I play tennis.', 'I used to play tennis.', []],
    ['I love jazz.', 'I used to love jazz.', ['Ada used to love jazz.']],
    ['I live in Rome.', 'I used to live in Rome, now I live in Oslo.', ['Ada lives in Oslo.']],
    ['I live in Rome.', 'I used to live in Rome but moved to Oslo.', ['Ada moved to Oslo.']],
    ['I work at Acme.', "I used to work at Acme, now I'm at Globex.", ['Now Ada is at Globex.']],
    ['I drive a Volvo.', 'I used to drive a Volvo, now I have a Tesla.', ['Ada has a Tesla.']],
  ])('is over: %s %s', async (first, last, left) => {
    await say(first, last);
    expect(await told()).toEqual(left);
    expect(await told('past')).toHaveLength(1);
  });

  it.each([
    ['I play tennis.', 'I used to play tennis when I was a kid.'],
    ['I play tennis.', 'I used to play tennis a lot.'],
    ['I play tennis.', 'I used to play the piano.'],
    ['I live in Rome.', 'I used to live in Rome as a child.'],
    ['I work at Acme.', 'I used to work at Acme on Mondays.'],
    ['I drink coffee.', 'I used to drink coffee every day.'],
    ['I used to live in Rome.', 'I live in Oslo.'],
    ['I live in Rome.', 'My brother used to live in Rome.'],
  ])('ends nothing: %s %s', async (first, last) => {
    await say(first);
    const [before] = await told();
    await say(last);
    expect(await told()).toContain(before);
    expect(await told('past')).toEqual([]);
  });

  it('is one history with what is so instead, whichever turn is forgotten', async () => {
    await say('I live in Rome.', 'I used to live in Rome, now I live in Oslo.', 'I moved to Bern.');
    expect(await told('past')).toEqual(['Ada lives in Oslo.', 'Ada lives in Rome.']);
    await forget('I used to live in Rome, now I live in Oslo.');
    expect(await told()).toEqual(['Ada moved to Bern.']);
    await forget('I moved to Bern.');
    expect(await told()).toEqual(['Ada lives in Rome.']);
  });

  it('is so again', async () => {
    await say('I used to play tennis.', 'I play tennis again.');
    expect(await told()).toEqual(['Ada plays tennis again.']);
  });
});
