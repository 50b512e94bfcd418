/** Denials with numbers, of what never was, and what is so again: one statement holds in the end. */
import { describe, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.ts';
import { separateTalks } from '../support/separate-talks.ts';

describeOnDatabases('what is denied or so again', (open, flavor) => {
  const { say, told, time } = separateTalks([open, flavor], 3);

  it.each([
    ['I have three kids', "I don't have three kids, I have two", 'Ada has two kids, not three.'],
    ['I have 3 cats', 'I do not have 3 cats, I only have 2 cats.', 'Ada has 2 cats, not 3.'],
    ['I have two cats', 'I have three cats, not two', 'Ada has three cats, not two.'],
    ['I have a dog', "That's not true, I don't have a dog", "Ada doesn't have a dog."],
    ['I have a dog', 'I never had a dog', 'Ada never had a dog.'],
    ['I have a dog named Rex', 'I never had a dog', 'Ada never had a dog.'],
    ['I live in Rome', "That's not true, I live in Turin", 'Ada lives in Turin.'],
  ])('corrects what was said: %s / %s', async (first, last, holds) => {
    await say(first, last);
    expect(await told()).toEqual([holds]);
    // It was not so before either.
    expect(await told('past')).toEqual([]);
  });

  it.each([
    [["I'm vegan", "I'm no longer vegan", "I'm vegan again"], 'Ada is vegan again.'],
    [
      ["I'm allergic to nuts", "I'm no longer allergic to nuts", "I'm still allergic to nuts"],
      'Ada is still allergic to nuts.',
    ],
    [['I have a dog', "I don't have a dog any more", 'I have a dog again'], 'Ada has a dog again.'],
    [['I have a dog named Rex', "I don't have a dog any more"], "Ada doesn't have a dog any more."],
    [['I live in Rome', 'I moved to Oslo', 'I live in Rome again'], 'Ada lives in Rome again.'],
    [
      ['I like coffee', "I don't like coffee any more", 'I like coffee again'],
      'Ada likes coffee again.',
    ],
    [["I'm vegan", "I'm still vegan"], 'Ada is vegan.'],
    [["I'm 40", "I'm not 40, I'm 41"], 'Ada is 41, not 40.'],
  ])('is what was said last: %j', async (said, holds) => {
    await say(...said);
    expect(await told()).toEqual([holds]);
  });

  it.each([
    'My rent will be 950 from April',
    'My rent will be 950 from April 15',
    'My rent is going to be 950 starting in May',
    'My rent will go up to 950 from June',
  ])('holds from the day that it names: %s', async (last) => {
    await say('My rent is 900', last);
    expect((await told()).filter((each) => each.includes('900'))).toHaveLength(1);
    expect((await told()).filter((each) => each.includes(' is 950'))).toEqual([]);
  });

  it('holds what is to come from then on', async () => {
    await say('My rent is 900', 'My rent will be 950 from April');
    time.ms = Date.parse('2026-04-02T00:00:00Z');
    expect(await told()).toEqual(["Ada's rent is 950 from April."]);
  });

  it.each([
    ['I no longer drink coffee', 'I drink coffee again', 'Ada drinks coffee again.'],
    ['I no longer smoke', 'I smoke again', 'Ada smokes again.'],
    ["I don't eat meat any more", 'I eat meat again', 'Ada eats meat again.'],
    ['I gave up coffee', 'I drink coffee again', 'Ada drinks coffee again.'],
    ["I don't smoke", "I'm smoking again", 'Ada is smoking again.'],
    [
      'I no longer drink coffee',
      'I started drinking coffee again',
      'Ada started drinking coffee again.',
    ],
    ['I stopped eating meat.', 'I went back to eating meat', 'Ada went back to eating meat.'],
  ])('is taken up again: %s / %s', async (first, last, holds) => {
    await say(first, last);
    expect(await told()).toEqual([holds]);
    expect(await told('past')).toHaveLength(1);
  });

  it.each([
    ['I no longer drink coffee', 'I drink tea again'],
    ['I no longer drink coffee', 'I started drinking tea again'],
    ['I no longer drink coffee', 'I started smoking again'],
    ['I no longer drink coffee at night', 'I drink coffee again'],
    ['I no longer drink coffee', "I can't drink coffee again"],
    ['I no longer drink coffee', 'If I drink coffee again, remind me'],
    ['I no longer drink coffee', 'My sister drinks coffee again'],
    ['I like coffee', 'I try it again'],
    ['I like coffee', 'I start the server again'],
  ])('is no such thing: %s / %s', async (first, last) => {
    await say(first);
    const before = await told();
    expect(before).toHaveLength(1);
    await say(last);
    expect(await told()).toEqual(before);
  });

  describe('leaves other things alone', () => {
    it.each([
      ['I have two cats', 'I have three dogs, not two'],
      ['I have a dog', 'I never had a cat'],
      ['I have a dog', 'I never had a dog before'],
      ['I have a dog', 'I never had a problem with my dog'],
      ['I have a dog named Rex', "I don't have a dog sitter"],
      ['I have a dog sitter', "I don't have a dog"],
      ['I have a friend with a dog', "I don't have a dog"],
      ['I like coffee', 'I have never liked tea'],
      ["I'm vegan", 'My sister is vegan again'],
      ['I have three kids', "I don't have three minutes, I have two"],
      ["I'm 40", "I'm not 100 percent sure, I'm 50 percent sure"],
    ])('%s / %s', async (first, last) => {
      await say(first);
      const before = await told();
      await say(last);
      expect(await told()).toEqual(expect.arrayContaining([...before]));
    });
  });
});
