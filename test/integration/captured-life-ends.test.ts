/** What is over without its old value being named: a job, a marriage, a pet, a thing that is sold. */
import { describe, expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.ts';
import { separateTalks } from '../support/separate-talks.ts';

describeOnDatabases('what is over in a life', (open, flavor) => {
  const { say, told, values } = separateTalks([open, flavor], 40);

  describe('ends what is known of it, which was so until then', () => {
    it.each([
      ['I work at Siemens.', 'I got fired', 'Ada works at Siemens.'],
      ['I work at Siemens.', 'I was laid off last week', 'Ada works at Siemens.'],
      ['I work at Siemens.', 'Sadly I was made redundant by Siemens.', 'Ada works at Siemens.'],
      ['I work at Siemens as a welder.', 'I quit my job', 'Ada works at Siemens as a welder.'],
      ['I work for Bosch.', 'I lost my job yesterday', 'Ada works for Bosch.'],
      ['I work for Bosch.', "I'm unemployed now", 'Ada works for Bosch.'],
      ['I work for Bosch.', 'I retired', 'Ada works for Bosch.'],
      ["I'm a smoker.", 'I quit smoking', 'Ada is a smoker.'],
      ["I'm a heavy smoker.", 'I no longer smoke', 'Ada is a heavy smoker.'],
      ['I go running every morning.', 'I stopped running', 'Ada goes running every morning.'],
      [
        'I go running every morning.',
        'I stopped running because of my knee',
        'Ada goes running every morning.',
      ],
      ['I run every morning.', 'I gave up running for good', 'Ada runs every morning.'],
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
      ['I work at Siemens.', 'I changed jobs last week', 'Ada works at Siemens.'],
      ['I work at Siemens.', 'My company went bust', 'Ada works at Siemens.'],
      ['I work at Siemens.', 'Today was my last day at Siemens', 'Ada works at Siemens.'],
      ['I take metformin.', 'My doctor took me off metformin', 'Ada takes metformin.'],
      ['I take metformin.', 'I came off metformin', 'Ada takes metformin.'],
      ["I'm learning Spanish.", 'I gave up on Spanish', 'Ada is learning Spanish.'],
      ['My girlfriend is Anna.', 'Anna and I are just friends now', "Ada's girlfriend is Anna."],
      ['My car is a Golf.', 'My Golf got totaled, I need a new car', "Ada's car is a Golf."],
      ["I'm married to Ben.", 'Ben and I divorced', 'Ada is married to Ben.'],
      ["I'm married to Ben.", 'We divorced in May', 'Ada is married to Ben.'],
      ["I'm married to Ben.", 'Ben and I got divorced last year', 'Ada is married to Ben.'],
      ["I'm married to Ben.", 'Ben died', 'Ada is married to Ben.'],
      ["I'm married to Ben.", 'I lost my husband to cancer', 'Ada is married to Ben.'],
      ['My husband is Ben.', 'My husband has passed', "Ada's husband is Ben."],
      ['My husband is Ben.', 'My husband passed away last week', "Ada's husband is Ben."],
      ['My wife is Anna.', 'My late wife Anna loved tulips.', "Ada's wife is Anna."],
      ['My wife is Anna.', 'My ex-wife Anna moved to Oslo.', "Ada's wife is Anna."],
      ['I have a cat named Mia.', 'We gave Mia away to my sister', 'Ada has a cat named Mia.'],
      ['I have a cat named Mia.', 'We found a new home for Mia', 'Ada has a cat named Mia.'],
      ['I have a dog named Rex.', 'We had to rehome Rex', 'Ada has a dog named Rex.'],
      ['I have a dog.', 'We gave our dog away to friends', 'Ada has a dog.'],
      ['I drive a Volvo.', 'I sold the Volvo to my brother', 'Ada drives a Volvo.'],
      ['I drive a Volvo.', 'My car was stolen', 'Ada drives a Volvo.'],
      ['I drive a Volvo.', 'Someone stole my car', 'Ada drives a Volvo.'],
      ['I have a bike.', 'My bike got nicked last night', 'Ada has a bike.'],
      ['My gym is Forge.', 'My gym closed', "Ada's gym is Forge."],
      ['My gym is Forge.', 'My gym is closed now', "Ada's gym is Forge."],
      ['I train at Forge.', 'My gym has closed down', 'Ada trains at Forge.'],
      ["I'm vegan.", 'I eat meat again', 'Ada is vegan.'],
      ["I'm vegetarian.", "I'm eating fish again", 'Ada is vegetarian.'],
      ["I'm vegan.", 'I went back to eating cheese', 'Ada is vegan.'],
      ["I'm vegan.", 'I stopped being vegan', 'Ada is vegan.'],
      ["I'm allergic to nuts.", "Turns out I'm not allergic (to nuts)", 'Ada is allergic to nuts.'],
      ["I'm allergic to nuts.", "Turns out I'm not allergic", 'Ada is allergic to nuts.'],
      ["I'm allergic to nuts.", 'I outgrew my nut allergy', 'Ada is allergic to nuts.'],
      ['My manager is Olaf.', 'Olaf is no longer my manager.', "Ada's manager is Olaf."],
      ['My number is 555 0202.', '555 0202 is no longer my number.', "Ada's number is 555 0202."],
      ['My manager is Olaf.', "Olaf isn't my manager any more.", "Ada's manager is Olaf."],
      ['I have a nut allergy.', "I don't have a nut allergy", 'Ada has a nut allergy.'],
      ['I have a cat named Mia.', 'I gave Mia to my sister', 'Ada has a cat named Mia.'],
      ['I have a dog.', 'I gave my dog to a friend', 'Ada has a dog.'],
      ['I have a cat named Mia.', 'Mia ran away', 'Ada has a cat named Mia.'],
      ['I have a cat named Mia.', 'Mia was run over last week', 'Ada has a cat named Mia.'],
      ['I use vim.', 'I uninstalled vim', 'Ada uses vim.'],
      ['I use vim.', 'I stopped using vim last week', 'Ada uses vim.'],
      ['My wedding is in December.', 'The wedding is off', "Ada's wedding is in December."],
      [
        "I'm getting married in December.",
        'We called off the wedding',
        'Ada is getting married in December.',
      ],
      [
        'I have a trip to Oslo in December.',
        'They cancelled my trip',
        'Ada has a trip to Oslo in December.',
      ],
      [
        'My dentist is Dr. Silva.',
        "Dr. Silva isn't my dentist any more",
        "Ada's dentist is Dr. Silva.",
      ],
      ['My dentist is Dr. Silva.', 'Silva is no longer my dentist', "Ada's dentist is Dr. Silva."],
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

  it.each([
    ['I have three cats.', 'One of my cats died', ['Ada has two cats.']],
    ['I have two cats.', 'Sadly one of our cats ran away', ['Ada has one cat.']],
    ['I own four bikes.', 'Two of my bikes were stolen last week', ['Ada owns two bikes.']],
    ['I have two brothers.', 'One of my brothers died', ['Ada has one brother.']],
    ['I have two cats.', 'I gave both of my cats away', []],
    [
      'I have two cats named Tom and Jo.',
      'One of my cats died',
      ['Ada has two cats named Tom and Jo. One of them is gone.'],
    ],
    ['I use vim and tmux.', 'I uninstalled vim', ['Ada uses tmux.']],
  ])('leaves what is left of several: %s %s', async (first, last, left) => {
    await say(first);
    const before = await told();
    await say(last);
    expect((await told()).filter((each) => !each.includes('both'))).toEqual(left);
    expect(await told('past')).toEqual(before);
  });

  it('calls one journey off, in whatever words it was told', async () => {
    await say("I'm flying to Oslo in December.", 'I have a trip to Oslo in December.');
    expect(await told()).toHaveLength(2);
    await say('The airline cancelled my trip to Oslo.');
    expect(await told()).not.toContainEqual(expect.stringMatching(/flying|has a trip/));
  });

  it('is no value of what is closed', async () => {
    await say('My gym is Forge.', 'My gym is closed now');
    expect(await told()).toEqual(["Ada's gym is closed now."]);
  });

  it.each([
    ['I have two kids.', 'We have three kids now.', 'Ada and others have three kids now.'],
    ['We have two kids.', 'I have three kids now.', 'Ada has three kids now.'],
  ])('counts what one has with others as what one has: %s %s', async (first, last, left) => {
    await say(first, last);
    expect(await told()).toEqual([left]);
  });

  it('is a fact itself where it is one', async () => {
    await say('I work for Bosch.', 'I retired');
    expect(await told()).toEqual(['Ada retired.']);
  });

  describe('a job at a firm that is named, where only a role is known,', () => {
    it.each(['I got laid off from Bosch', 'I quit my job at Bosch'])(
      'is over: %s',
      async (last) => {
        await say('I work as a welder.');
        expect(await values()).toEqual(['role=welder']);
        await say(last);
        expect(await values()).toEqual([]);
      },
    );

    it.each([
      [['I work as a welder.', 'I work at Lidl.'], 'I got laid off from Bosch'],
      [['I work as a welder at Lidl.'], 'I got laid off from Bosch'],
      [['I work as a welder.'], 'I resigned from the school board'],
      [['I work as a welder.'], 'I got fired from my side gig'],
      [['I work as a welder.'], 'I was laid off from Bosch in 2019'],
    ])('is another one: %j %s', async (first, last) => {
      await say(...first);
      const before = await values();
      expect(before).toHaveLength(1);
      await say(last);
      expect(await values()).toEqual(before);
    });
  });

  it('ends one of two that it names', async () => {
    await say('I have a dog named Rex.', 'I have a dog named Bo.', 'Rex died');
    expect(await told()).toEqual(['Ada has a dog named Bo.']);
  });

  describe('ends nothing else', () => {
    it.each([
      ['I work at Siemens.', 'I was let go early today'],
      ['I go running every morning.', 'I stopped running at night'],
      ['I go running every morning.', 'I stopped swimming'],
      ['I run a bakery in Bonn.', 'I stopped running'],
      ["I'm a dancer at the opera.", 'I stopped dancing'],
      ["I'm a smoker.", 'I stopped smoking indoors'],
      ["I'm a smoker.", 'My sister quit smoking'],
      ['I live in Rome.', 'I no longer work in Rome.'],
      ['I study in Rome.', 'I no longer work in Rome.'],
      ['I live in Rome.', 'Rome is no longer my favourite city.'],
      ['I work at Siemens.', 'Siemens is no longer my client.'],
      ['My manager is Olaf.', 'Ida is no longer my manager.'],
      ['My manager is Olaf.', "Olaf isn't my manager's name."],
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
      ['I work at Siemens.', 'My company shut down the app'],
      ['I work at Siemens.', 'I changed jobs, I think'],
      ["I'm married to Ben.", 'My late husband Tom loved tulips.'],
      ["I'm married to Ben.", 'My ex Tom called'],
      ["I'm married to Ben.", 'I lost my husband again at the market'],
      ["I'm married to Ben.", 'Tom and I divorced'],
      ["I'm married to Ben.", 'My parents divorced'],
      ["I'm married to Ben.", 'Ben almost died'],
      ['I have a daughter named Mia.', 'We gave Mia away to my sister'],
      ['I have a cat named Mia.', 'I gave Mia her pills'],
      ['I have a cat named Mia.', 'I gave away my old sofa'],
      ['I live in Rome.', 'We found a new home for Mia'],
      ['I drive a Volvo.', 'I lent the Volvo to my brother'],
      ['I drive a Volvo.', 'My car was stolen but they found it'],
      ['I drive a Volvo.', "My brother's car was stolen"],
      ['I drive a Volvo.', 'My car was almost stolen'],
      ['My car is a Golf.', 'My Golf club got stolen'],
      ['I work at Siemens.', 'Today was my last day at Lidl'],
      ['I take metformin.', 'I ran out of metformin'],
      ['My bike is a Trek.', 'I came off my bike'],
      ["I'm learning Spanish.", 'I gave up on Italian'],
      ['My gym is Forge.', 'My gym is closed today'],
      ['My gym is Forge.', 'My gym closed early'],
      ['My gym is Forge.', 'My gym is closed on Sundays'],
      ['My bank is Acme.', 'My bank is closed now'],
      ['My boss is Tom.', 'My boss is sick now'],
      ['My car is a Golf.', 'My car is broken now'],
      ["I'm vegan.", 'My husband eats meat again'],
      ["I'm vegan.", "I'll never eat meat again"],
      ["I'm vegan.", 'I eat vegan meat now'],
      ["I'm vegan.", 'I eat chocolate again'],
      ["I'm vegetarian.", 'I eat cheese again'],
      ["I'm allergic to nuts.", "I'm not allergic to cats"],
      ["I'm allergic to nuts and eggs.", "I'm not allergic"],
      ["I'm allergic to nuts.", 'My son is not allergic'],
      ['I have a dog.', "I don't have a dog allergy"],
      ['I have a dog allergy.', "I don't have a dog"],
      ['I have two kids.', 'My sister has three kids now.'],
      ['I have a daughter named Mia.', 'I gave Mia to my sister'],
      ['I have a cat named Mia.', 'I gave Mia to my sister for the weekend'],
      ['I have a cat named Mia.', 'I gave Mia to the vet'],
      ['I have a cat named Mia.', 'Mia ran away from the bath'],
      ['I have a son named Max.', 'Max ran away'],
      ['My phone number is 555 0101.', 'I gave my number to my sister'],
      ['I use vim.', 'I uninstalled Slack'],
      ['I use vim.', 'I stopped using tabs in vim'],
      ['My wedding is in December.', 'The heating is off'],
      ['My wedding is in December.', "My sister's wedding is off"],
      ['My wedding anniversary is in December.', 'The wedding is off'],
      ['My team meeting is on Mondays.', 'The meeting is cancelled'],
      ['I have a trip to Oslo in December.', 'They cancelled my trip to Rome'],
      ['I have a trip to Oslo in December.', 'They almost cancelled my trip'],
      ['I have two dogs.', 'One of my cats died'],
      ['I have two cats.', "One of my sister's cats died"],
      ['I have two cats.', 'One of my cats is sick'],
      ['My dentist is Dr. Silva.', "Dr. Ray isn't my dentist any more"],
      ['I have two kids.', 'We have three cats now.'],
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
      [["I'm allergic to nuts.", "I'm allergic to cats."], "I'm not allergic"],
      [
        ['I have a trip to Oslo in December.', 'I have a trip to Rome in October.'],
        'They cancelled my trip',
      ],
    ])('where two could be meant: %j %s', async (first, last) => {
      await say(...first);
      const before = await told();
      await say(last);
      expect(await told()).toEqual(expect.arrayContaining([...before]));
    });
  });
});
