import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { isRunOn } from '../../src/capture/gate/run-on.ts';
import { standsAlone } from '../../src/capture/gate/stands-alone.ts';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';
import { isTakenAlone } from '../../src/capture/voices/at-its-word.ts';
import { isOfAnother } from '../../src/capture/voices/not-own.ts';
import { turnOf } from '../support/capture-turns.ts';

const settings = { layerNames: new Set<string>(), never: [] };
const keptOf = (content: string): readonly string[] =>
  [...gatedPieces(turnOf(content, 0), settings)].flatMap(({ verdict, whole }) =>
    verdict.isKept ? [whole.text] : [],
  );
const alone = (text: string): boolean => {
  const sentence = sentenceOf(text, 0);
  return standsAlone(sentence, slotOf(sentence));
};

describe('a statement that runs on into the next', () => {
  it.each([
    "I've decided I'm just not going back to it I'm teetotal now at thirty",
    'I got the laptop by the way off Tunde he gave us his old one',
    "I passed my first units all distinction in one of them I'm telling everyone",
    'I have lived here for ten years I love the sea',
    'im off meat since halloween so something i can eat too',
    'I broke my finger climbing so typing with nine',
    'I eat chicken now so not only veggie places',
  ])('does not stand by itself: %s', (text) => expect(alone(text)).toBe(false));

  it.each([
    'I sold the flat I bought in May.',
    'I love the house I am renting.',
    "I've had it for two years I think.",
    'When I met him I moved to Rome.',
    'Because of them we moved to Turin.',
    "I moved to Rome with Tunde, he's a friend.",
    'I work from home so I can walk the dog.',
    'I am so happy in Rome.',
    'I have never been so tired of Rome.',
    'I was ill for two weeks and now I am well.',
    'Since May I live in Rome.',
    'I said to them I am vegan.',
    'I told Ada she could have my bike.',
  ])('is none: %s', (text) => expect(isRunOn(sentenceOf(text, 0))).toBe(false));
});

describe('a statement that leans on the talk around it', () => {
  it.each([
    "I've had the same pitch there eleven years.",
    'I swapped it for the red one last week.',
    'I gave up correcting her.',
    'I still set out his dish.',
    "We've been together a year and he's not picky.",
    'We want to go after exams.',
    'We go one week later, 19 July.',
    'We are back.',
    "I'm in the second team.",
    'I just like the numbers part more.',
    'My Dutch is worse.',
    "I can't even get to the library.",
    'I go there by bike every day.',
    "I've used that since 2010.",
    'I moved in with him.',
    'We have signed.',
    'I have a new arrangement.',
    'I remain in Ghent until then.',
    "we got the house it's a council house in Leeds three bed with a garden we are buzzing we move in July",
  ])('does not stand by itself: %s', (text) => {
    expect(alone(text)).toBe(false);
  });

  it.each([
    'I love my sister and her kids.',
    "I'd ask Aoife to help, only she's busy.",
    'I gave up the pitch at the church, they wanted 95.',
    'I live in Rome and my mother lives there too.',
    'I gave Anna my keys and she waters the plants.',
    'I have two dogs and they sleep in the kitchen.',
    'I play guitar and I teach it.',
    'I love it when it rains.',
    'I go to the gym before work.',
    'I go swimming on Mondays.',
    'We go to Spain every summer.',
    "I'm back in Berlin since May.",
    'I like tea more than coffee.',
    'I go running one hour later than my wife.',
    "I don't like the Marathon any more.",
    "I can't even eat bread.",
    'I started at Acme this year.',
    'I know that on Mondays the shop is closed.',
    "I'm in the first year of my degree.",
    'I live on the second floor.',
    'We got those new chairs.',
    'We have signed the lease in Mechelen.',
    'I have a new arrangement with the school.',
    'I have a plan for Lent.',
  ])('stands by itself: %s', (text) => {
    expect(alone(text)).toBe(true);
  });

  it('waits, unless it was asked for', () => {
    const sentence = sentenceOf('I gave my keys to her.', 0);
    const voice = { isForeign: false, isOpening: true, isMadeUp: false };
    const said = { sentence, slot: null, instructs: false, voice };
    const other = sentenceOf('I still set out his dish.', 0);
    expect(isTakenAlone({ ...said, sentence: other, verdict: { isAsked: false } })).toBe(false);
    expect(isTakenAlone({ ...said, sentence: other, verdict: { isAsked: true } })).toBe(true);
  });

  it('is read in linear time', () => {
    const start = performance.now();
    for (const word of ['her ', 'that for ', 'there ', 'I go by ', 'one week later '])
      standsAlone(sentenceOf(`I ${word.repeat(50_000)}`, 0), null);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('what stands beside a statement', () => {
  it.each([
    ['also been keto since May, is that dumb for running', 'also been keto since May'],
    ['my studio in Rome is 1450 so yeah ill take it', 'my studio in Rome is 1450'],
  ])('is no part of it: %s', (text, kept) => {
    expect(keptOf(text)).toEqual([kept]);
  });

  it.each([
    ['I have an exam on 25 March. Ah no, I read wrong.', []],
    ['I live in Rome. Sorry, I got that wrong. I live in Bern.', ['I live in Bern.']],
    ['I work nights at Acme. No, sorry, I misspoke.', []],
    ['My handle is adak, not moth, I mistyped.', ['My handle is adak, not moth']],
    ['I live in Rome. I read a lot of novels every week.', ['I live in Rome.']],
  ])('takes it back where it was misread: %s', (text, kept) => {
    expect(keptOf(text).slice(0, 1)).toEqual(kept);
  });
});

describe('what is asked for behind a request', () => {
  it.each([
    ['Can you plan round the course and my days at the warehouse', []],
    ['please print the letter and our tickets to Rome', []],
    ['I moved to Bern and my sister is a nurse.', ['I moved to Bern', 'my sister is a nurse.']],
  ])('is no statement: %s', (content, kept) => {
    expect(keptOf(content)).toEqual(kept);
  });
});

describe('what the classifier alone keeps', () => {
  const takenOf = (content: string): readonly boolean[] =>
    [...gatedPieces(turnOf(content, 0), settings)].flatMap(({ verdict, voice, sentence }) =>
      verdict.isKept
        ? [isTakenAlone({ sentence, slot: slotOf(sentence), instructs: false, voice, verdict })]
        : [],
    );

  it.each([
    'I have cancer.',
    'I run marathons.',
    'I sing in a choir.',
    'I grew up in Cork.',
    'I have 3 cats in a flat.',
    'My flight is on Tuesday.',
    'I coach the under-twelves in Leith every Saturday.',
    'My commute is an hour by tram.',
  ])('is believed where it is of the speaker and points to nothing: %s', (text) =>
    expect(takenOf(text)).toEqual([true]),
  );

  it.each([
    'I present at 10.',
    'We signed.',
    'They offered me!!!',
    'Old Mister Biggs.',
    'so no more nights after that!!',
    'Well they took two eighty one',
    'mon to fri 8 to 4.',
    'Friday was the last run.',
    'I only bring the trifle.',
    "I'm in a company Cascadia now and it's got a rattle they can't find.",
    'I look like a fighter pilot, does it run off the truck.',
    'I went yesterday for a test drive and came back the owner of a Jimny, a green one.',
  ])('waits else: %s', (text) => expect(takenOf(text)).not.toContain(true));
});

describe('who somebody is', () => {
  it.each(['our landlord is Dubois.', "my manager's Simone.", 'my dentist is dr. Claes'])(
    'is the speaker’s to say: %s',
    (text) => expect(isOfAnother(text)).toBe(false),
  );
  it.each(["My manager's Porsche is new.", 'My boss is called a liar.', 'My dentist is ill.'])(
    'and what is so of them is not: %s',
    (text) => expect(isOfAnother(text)).toBe(true),
  );
});
