/** What is chosen in the talk or given in a sum is over with it. */
import { describe, expect, it } from 'vitest';
import { isChosenHere } from '../../src/capture/gate/chosen-here.ts';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { keptOf } from '../support/kept-facts.ts';

describe('a choice of the talk', () => {
  it.each([
    'I prefer the second option.',
    'I prefer option B.',
    "I'd go with version 2.",
    'I like the second one better.',
    "I'll take the red one.",
    'I prefer the first of the two.',
    'The latter, please.',
    'I choose B.',
    'I prefer B.',
    'I pick door number 2.',
    'My answer is 42.',
    'My final answer is Paris.',
    'My guess is 1815.',
    'My choice is B.',
    'I go with heads.',
    'I play e4.',
    'I play Nf3.',
    'My move is O-O.',
  ])('is over with it: %s', async (said) => {
    expect(isChosenHere(sentenceOf(said, 0))).toBe(true);
    expect(await keptOf(said)).toEqual([]);
  });

  it.each([
    'I prefer the window seat.',
    'I prefer the first row in cinemas.',
    'I prefer Python 3.',
    'I prefer C.',
    'I always take the first one.',
    'I like the second season of Dark.',
    'I love the second book of Dune.',
    'I play the piano.',
    'I play rock.',
    'I play in goal.',
    'My answer style is short.',
    'My first choice is MIT.',
    'My vote goes to the Greens.',
    'My move is on May 4.',
    'I like the original Star Wars.',
    'I use version 2 of Angular.',
    'I drive the red one on Sundays.',
  ])('is none: %s', (said) => expect(isChosenHere(sentenceOf(said, 0))).toBe(false));
});

describe('a sum', () => {
  it.each([
    'I have 12 apples. I give 5 to Tom. How many do I have?',
    'I have 12 apples. I give 5 to Tom. How many apples are left?',
    'I have 2 cats. I buy 3 more. How many cats do I own now?',
    'I have 3 brothers and each has 2 sisters. How many sisters do I have?',
    'I drive at 60 mph for 2 hours. How far do I go?',
    'I am 30. My brother is twice as old. How old is he?',
  ])('supposes what it is of: %s', async (said) => expect(await keptOf(said)).toEqual([]));

  it.each([
    ['I have two cats. How much food do they need?', 1],
    ['I am 34 years old. I have two kids. How many calories do I need?', 2],
    ['I have 2 cats. How many cats do I have?', 1],
    ['I earn 4000 a month and pay 1200 rent. How much is left?', 1],
    ['I have three kids. I have two bikes. How many more do I need?', 2],
    ['I have two sisters. I live in Bern. How far is Rome?', 2],
    ['I have 12 apples. I give 5 to Tom.', 2],
  ])('is none: %s', async (said, count) => expect(await keptOf(said)).toHaveLength(count));

  it('leaves what has no number', async () => {
    const said = 'I live in Bern. I have 12 apples. I give 5 to Tom. How many are left?';
    expect(await keptOf(said)).toEqual(['Ada lives in Bern.']);
  });
});

it.each(['Not that I live in Rome.', "It's not that I'm vegan.", "Not like I'm a nurse."])(
  'states nothing: %s',
  async (said) => expect(await keptOf(said)).toEqual([]),
);

it('states what stands behind a `but`', async () => {
  expect(await keptOf('Not that I mind, but I live in Rome.')).toContain('Ada lives in Rome.');
});
