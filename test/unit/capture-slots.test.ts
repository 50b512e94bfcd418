/** Slots that later statements take: what says of one, and what looks like it and says of none. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';
import { gating, turnOf } from '../support/capture-turns.ts';

const slotsOf = (content: string): readonly string[] =>
  [...gatedPieces(turnOf(content), gating)].flatMap(({ sentence, verdict }) => {
    const slot = verdict.isKept ? slotOf(sentence) : null;
    return slot ? [`${slot.name}=${slot.value}${slot.isEnd ? ' ends' : ''}`] : [];
  });

const pairsOf = (content: string): readonly string[] =>
  [...gatedPieces(turnOf(content), gating)].flatMap(({ sentence, verdict }) => {
    const slot = verdict.isKept ? slotOf(sentence) : null;
    return slot?.instead && !slot.isEnd ? [`${slot.value} for ${slot.instead.was}`] : [];
  });

describe('a value beside others', () => {
  it.each([
    'On weekends I work at Foodly.',
    'I work at Foodly on Saturdays.',
    'In summer I live in Oslo.',
    'I live in Oslo during the winter.',
    'I take ramipril.',
    'I pay 90 rent for my garage.',
    'I work at Foodly one day a week.',
    'I report to Clara for the migration.',
    'On paper I live in Oslo.',
  ])('is said by: %s', (text) => {
    expect(slotOf(sentenceOf(text, 0))).toMatchObject({ isBeside: true });
  });

  it.each(['I work at Foodly.', 'I live in Oslo now.', 'I switched to ramipril.'])(
    'is not said by: %s',
    (text) => {
      expect(slotOf(sentenceOf(text, 0))).not.toHaveProperty('isBeside');
    },
  );
});

describe('the slot of a statement', () => {
  it.each([
    ['My doctor retired, my new one is Dr. Otxoa.', 'doctor=dr otxoa'],
    ['I changed my number, it is 555 3421 now.', 'phone=555 3421'],
    ["My old number is dead, it's 555 0202 now.", 'phone=555 0202'],
    ["My number is dead, it's 555 0202 now.", 'phone=555 0202'],
    ["My old phone number stopped working, it's 555 0202 now.", 'phone=555 0202'],
    ["My old car is dead, it's a Volvo now.", 'car=volvo'],
    ["My old phone is broken, it's a Pixel now.", 'device=pixel'],
    ['My old manager left, the new one is Ben.', 'manager=ben'],
    ['My old dog is called Rex now.', 'old dog=rex'],
    ['new dentist! dr. Okafor, super gentle', 'dentist=dr okafor'],
    ["Favourite colour update: it's crimson.", 'favorite color=crimson'],
    ['My favourite colour these days: turquoise.', 'favorite color=turquoise'],
    ["We've got a dog, he's called Biscuit.", 'dog=biscuit'],
    ['Please note a change: I have moved to Rome.', 'home=rome'],
    ['I should mention that I live in Rome.', 'home=rome'],
    ["There was a reshuffle so I'm in the growth team now.", 'team=growth'],
    ['At work I am in the billing team.', 'team=billing'],
    ["My GP left the practice, I'm with Dr Farouk now.", 'doctor=dr farouk'],
    ['My new therapist is Marcus, she seems kind.', 'therapist=marcus'],
    ['Weight 97 kg this morning.', 'weight=97 kg'],
    ["I'm learning Galician instead of Catalan.", 'language being learnt=galician'],
    ['I get my prescriptions at Boyd Chemists.', 'i get prescriptions at=boyd chemists'],
    ['We deploy from the release branch now.', 'i deploy from=release branch'],
    ['I go to Pulse Gym.', 'gym=pulse gym'],
    ['I pay for everything with my Orange card.', 'card=orange'],
    ['Our internet is from Telvia.', 'internet=telvia'],
    ['Our CI runs on Jenkins.', 'ci=jenkins'],
    ['The launch venue is the Old Mill.', 'launch venue=old mill'],
    ['Our launch is on 10 May.', 'launch day=10 may'],
    ['Actually the launch is on 31 May, not 24 May.', 'launch day=31 may'],
    ['Pickup is at 15:30.', 'pickup time=15 30'],
    ['Training is on Mondays.', 'training day=mondays'],
    [
      "I told you the team sync is on Wednesdays, but it's Thursdays now.",
      'team sync day=thursdays',
    ],
    ["I know I said 10:15 for standup but it's 9:45 now.", 'standup time=9 45'],
    ["They reassigned my parking spot, it's C4 now.", 'parking space=c4'],
    ['My rent in Braga is 390.', 'rent=390'],
    ['I have to get up at 6:15 now because of the new job.', 'wake-up time=6 15'],
    ["So I'm dating Casper now, he's my boyfriend.", 'partner=casper'],
    [
      "We took my son out of Fernhill, he's at Redgate Primary now.",
      "son's school=redgate primary",
    ],
    ['Retro is on Thursdays from now on.', 'retro day=thursdays'],
    ['Our vet is no longer Dr Sung but Dr Petrov.', 'vet=dr petrov'],
    ['My emergency contact is my brother Ravi.', 'emergency contact=ravi'],
    ['Bought a bike and cycle to work now.', 'commute=cycle'],
    ["Got a raise, I'm on 44,000 now.", 'salary=44 000'],
    ["Please use maja@new.example from now on, that's my new email.", 'email=maja@new.example'],
    ['The cat is called Sable.', 'cat=sable'],
  ])('%s', (content, slot) => expect(slotsOf(content)).toContain(slot));

  it.each([
    ["The banjo's gone.", '=banjo ends'],
    ['I quit Acme.', '=acme ends'],
    ['I used to play for the Falcons.', '=falcons ends'],
    ['I used to live in Rome.', 'home=rome ends'],
    ['The app runs on MySQL.', 'database=mysql'],
    ['I write code in Vim.', 'editor=vim'],
    ['Me and Marieke broke up.', '=marieke ends'],
  ])('ends with the value that it names: %s', (content, slot) =>
    expect(slotsOf(content)).toEqual([slot]),
  );

  it.each([
    ["The Yaris got totalled, so now I've got a Mazda.", 'mazda for yaris'],
    ['Finally got rid of the Corsa and bought a Yaris.', 'yaris for corsa'],
    ['Ended up ditching Telvia, the new provider is Lumo.', 'lumo for telvia'],
    ['Cancelled Flixo and signed up for Streamly instead.', 'streamly for flixo'],
    ["Lumo's gone bust; we went with Fibra.", 'fibra for lumo'],
    ['Dr Petrov moved practices. We see Dr Weiss now.', 'dr weiss for dr petrov'],
    ["We're off Jenkins; CI runs on Buildkite now.", 'buildkite for jenkins'],
    ['I quit judo and took up climbing.', 'climbing for judo'],
    ["I'm at Ironworks now instead of Pulse Gym.", 'ironworks for pulse gym'],
    ['My son has swapped the violin for the trumpet.', 'trumpet for violin'],
  ])('takes the place of the value that goes: %s', (content, pair) =>
    expect(pairsOf(content)).toEqual([pair]),
  );

  it.each([
    'Tom moved to Spain, I miss him.',
    'Anna got married so I bought a dress.',
    "Bob left early, I'm at the bar now.",
    'I closed the window and opened the door.',
    'I dropped the kids off and went to Lidl.',
    'The bus was late, so I took a taxi.',
    'If I quit judo, I would take up climbing.',
    'I might leave Acme and join Globex.',
    'I wish I could drop Telvia and go with Lumo.',
    'Should I cancel Flixo and sign up for Streamly?',
    'My friend quit judo and took up climbing.',
  ])('nothing takes a place in: %s', (content) => expect(pairsOf(content)).toEqual([]));

  it.each([
    'I dropped Rex at the vet.',
    "I'm at Sam's place now.",
    "I'm at the airport now.",
    'I get a lot of support from Anna.',
    'I want to play for the Falcons.',
    'I used to play for the Falcons when I was young.',
    'Our weather is 30 degrees.',
    'The party is on Friday.',
    'The capital is Paris.',
    "I'm on 3 calls now.",
    'Change my essay to past tense.',
    'Monday is over.',
    "My phone died, I'm using Tom's now.",
    "The tenant's rent is 900.",
    'I left it at home.',
    'I moved Netflix to the other card.',
    'My landlord called, it is 9 degrees in here.',
    'I live in Rome, or maybe in Ghent next year.',
    'Just a note: you said it was fine.',
    'My advice: stay passionate, focused and resilient.',
    'Yeah, my family is awesome - me, the missus, and the kids.',
  ])('is none of: %s', (content) =>
    expect(slotsOf(content).filter((slot) => !slot.startsWith('home='))).toEqual([]),
  );

  it.each(['Our kids are our future.', "I don't have a recipe.", 'The weather is 30 today.'])(
    'is nothing to keep: %s',
    (content) =>
      expect(
        [...gatedPieces(turnOf(content), gating)].some(
          ({ verdict }) => verdict.isKept && !verdict.isElseNone,
        ),
      ).toBe(false),
  );

  it.each([
    ['a note to Bo and my sister', null],
    ['I talked to Bo my sister', 'sister'],
    ['New job wk 3.', null],
    ['New role: data engineer', 'occupation'],
  ])('of `%s` is `%s`', (text, name) => {
    expect(slotOf(sentenceOf(text, 0))?.name ?? null).toBe(name);
  });

  it('is read once for what the oven does, which has none', () => {
    expect(slotOf(sentenceOf('My oven only reaches 220 degrees.', 0))).toBeNull();
    const [piece] = [...gatedPieces(turnOf('My oven only reaches 220 degrees.'), gating)];
    expect(piece?.verdict).toMatchObject({ isKept: true, class: 'fact' });
  });
});
