/** What is over without its old value being named: a job, a marriage, a pet, a thing that is sold. */
import { describe, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.ts';
import { separateTalks } from '../support/separate-talks.ts';

describeOnDatabases('what is over in a life', (open, flavor) => {
  const { say, told } = separateTalks([open, flavor], 40);

  describe('ends what is known of it, which was so until then', () => {
    it.each([
      ['I work at Siemens.', 'I got fired', 'Ada works at Siemens.'],
      ['I work at Siemens.', 'I was laid off last week', 'Ada works at Siemens.'],
      ['I work at Siemens.', 'Sadly I was made redundant by Siemens.', 'Ada works at Siemens.'],
      ['I work at Siemens as a welder.', 'I quit my job', 'Ada works at Siemens as a welder.'],
      ['I work for Bosch.', 'I lost my job yesterday', 'Ada works for Bosch.'],
      ['I work for Bosch.', "I'm unemployed now", 'Ada works for Bosch.'],
      ['I work for Bosch.', 'I retired', 'Ada works for Bosch.'],
      ["I'm married to Ben.", 'I got divorced', 'Ada is married to Ben.'],
      ["I'm married to Ben.", 'Ben and I are separated now', 'Ada is married to Ben.'],
      ['My wife is Anna.', 'We broke up', "Ada's wife is Anna."],
      ['My girlfriend is Anna.', 'We broke up last week', "Ada's girlfriend is Anna."],
      ['I have a girlfriend, Anna.', "I'm single now", 'Ada has a girlfriend, Anna.'],
      ["I'm engaged to Tom.", 'Tom and I split up.', 'Ada is engaged to Tom.'],
      ["I'm dating Tom.", 'Tom broke up with me', 'Ada is dating Tom.'],
      ['I have a dog named Rex.', 'Rex died', 'Ada has a dog named Rex.'],
      ['I have a dog, Rex.', 'We had to put Rex down', 'Ada has a dog, Rex.'],
      ['I have a dog, Rex.', 'My dog died of cancer', 'Ada has a dog, Rex.'],
      ['My dog is called Rex.', 'Rex passed away last month.', "Ada's dog is called Rex."],
      ['I drive a VW Golf.', 'I sold my car', 'Ada drives a VW Golf.'],
      ['I drive a Golf.', 'I sold the Golf', 'Ada drives a Golf.'],
      ['My car is a Golf.', 'I sold my car to a friend', "Ada's car is a Golf."],
      ['I have a flat in Turin.', 'I moved out of the Turin flat', 'Ada has a flat in Turin.'],
      ['I have a gym membership.', 'I gave up the gym membership', 'Ada has a gym membership.'],
      ["I'm taking a course in Rust.", 'I finished the course', 'Ada is taking a course in Rust.'],
    ])('%s %s', async (first, last, ended) => {
      await say(first, last);
      expect(await told()).not.toContain(ended);
      expect(await told('past')).toContain(ended);
    });
  });

  it('ends all that is known of one marriage', async () => {
    await say("I'm married to Ben.", 'My husband is Ben.', 'I got divorced.');
    expect(await told()).toEqual(['Ada got divorced.']);
  });

  it('is a fact itself where it is one', async () => {
    await say('I work for Bosch.', 'I retired');
    expect(await told()).toEqual(['Ada retired.']);
  });

  it('ends one of two that it names', async () => {
    await say('I have a dog named Rex.', 'I have a dog named Bo.', 'Rex died');
    expect(await told()).toEqual(['Ada has a dog named Bo.']);
  });

  describe('ends nothing else', () => {
    it.each([
      ['I work at Siemens.', 'I was let go early today'],
      ['I work at Siemens.', 'I got laid off from Lidl'],
      ['I work at Siemens.', 'I quit my job search'],
      ['I work at Siemens.', 'I resigned from the school board'],
      ['I work at Siemens.', 'I got fired but they hired me back'],
      ['I work at Siemens.', 'I was laid off in 2019'],
      ['I work at Siemens.', 'I almost got fired'],
      ['I work at Siemens.', 'Ben: I got fired'],
      ['I work at Siemens.', 'My sister got fired'],
      ['I work at Siemens.', 'If I got fired I would move to Oslo.'],
      ["I'm married to Ben.", 'We broke up the concrete'],
      ["I'm married to Ben.", 'We split up for the afternoon'],
      ["I'm married to Ben.", 'Tom and I broke up'],
      ["I'm married to Ben.", 'Ben left me a note'],
      ["I'm married to Ben.", 'My parents got divorced'],
      ["I'm married to Ben.", "We're separated by an ocean"],
      ['I have a dog named Rex.', 'Max died'],
      ['I have a dog named Rex.', 'Rex nearly died'],
      ['I have a dog named Rex.', "My neighbour's dog Rex died"],
      ['I have a dog named Rex.', 'Rex passed the obedience test'],
      ['I have two dogs, Rex and Bo.', 'My dog died'],
      ['I have a friend named Tom.', 'Tom died'],
      ['I drive a Golf.', 'I sold my bike'],
      ['I drive a Golf.', 'I sold my old car'],
      ['I drive a Golf.', 'I sold my car keys'],
      ['I drive a Golf.', 'My brother sold his car'],
      ['I have a car wash membership.', 'I sold my car'],
      ['I own a flat in Turin.', 'I moved out of the Turin flat'],
      ['I have a flat in Turin.', 'I moved out of the way'],
      ["I'm taking a course in Rust.", 'I finished the course material'],
    ])('%s %s', async (first, last) => {
      await say(first);
      const before = await told();
      expect(before).toHaveLength(1);
      await say(last);
      expect(await told()).toEqual(expect.arrayContaining([...before]));
    });

    it.each([
      [['I have a dog named Rex.', 'I have a dog named Bo.'], 'My dog died'],
      [['I drive a Golf.', 'I have an Audi too.'], 'I sold my car'],
      [["I'm taking a course in Rust.", "I'm taking a course in Go."], 'I finished the course'],
    ])('where two could be meant: %j %s', async (first, last) => {
      await say(...first);
      const before = await told();
      await say(last);
      expect(await told()).toEqual(expect.arrayContaining([...before]));
    });
  });
});
