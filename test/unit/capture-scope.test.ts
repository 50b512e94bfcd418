/** What of a statement holds, and when: parts, jests, days to come and gone, and other people. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { toStatement } from '../../src/capture/sentences/statement.ts';
import type { Candidate, FactCandidate } from '../../src/capture/state.ts';
import type { Collection } from '../../src/model/manifest.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

const property = (name: string, ...patterns: string[]) => ({
  ...{ name, type: 'text', cardinality: 'one', description: '', words: {}, options: [] },
  patterns,
});
const PROFILE = {
  name: 'profile',
  properties: {
    name: property('name', 'my name is {value}', 'call me {value}'),
    role: property('role', 'i work as {value}', 'my job title is {value}'),
  },
} as unknown as Collection;

const readAll = (...said: string[]): readonly Candidate[] => {
  const gated = said.flatMap((text, n) => [...gatedPieces(turnOf(text, n), gating)]);
  return extractCandidates(gated, { ...extracting, collections: [PROFILE] }).going;
};
const factsOf = (...said: string[]): readonly FactCandidate[] =>
  readAll(...said).flatMap((each) => (each.kind === 'fact' ? [each] : []));

describe('a statement of a part', () => {
  it.each([
    'I stopped taking metformin with food.',
    "I don't take ramipril on an empty stomach.",
    'I no longer work at Acme on Fridays.',
    "I don't drive the Golf to work anymore.",
    'In the evenings I no longer take insulin.',
    'I was married before.',
    'I have no dog food left.',
    'I sold my Golf clubs.',
    "I quit Acme's gym.",
    'I left Acme early today.',
    'In summer I live in Oslo.',
    'I am vegan on Mondays.',
    'I live in fear of wasps.',
  ])('takes the place of nothing: %s', (text) => {
    const [fact] = factsOf(text);
    expect(fact).toMatchObject({ slot: null, isBeside: true });
  });

  it('is what one has none of, where it ends nothing that is known', () =>
    expect(factsOf("I don't have a cat allergy.")[0]?.isBeside).toBe(true));

  it.each([
    'I stopped taking metformin.',
    'I no longer work at Acme.',
    'I stopped working at Acme last week.',
    "I don't drive a Golf anymore because it is no fun on weekends.",
  ])('is none where the whole ends: %s', (text) =>
    expect(factsOf(text)[0]?.slot?.isEnd).toBe(true),
  );
});

describe('what is said in jest or asked', () => {
  it.each([
    'I live in Oslo now, right?',
    'I live in Oslo?!',
    'I live in Oslo 😂 kidding',
    'I live in Oslo. 😂 kidding',
    'I live in Oslo and I work at Foodly. Just kidding!',
    'I live in Oslo now... not!',
    'I am allergic to Mondays.',
    'I live rent free in your head.',
    'He lives rent-free in my mind.',
    'I live in hope.',
    "I'm in the doghouse.",
    'I am in the doghouse with my wife.',
    'For this exercise I work at Foodly.',
  ])('states nothing: %s', (text) => expect(readAll(text)).toEqual([]));

  it.each(['I live in Oslo, no kidding.', 'I am allergic to nuts.', 'I live in Oslo, crazy, huh?'])(
    'is none: %s',
    (text) => expect(readAll(text)).not.toEqual([]),
  );

  it('takes back no more than the sentence before it', () =>
    expect(factsOf('I have a dog. I live in Oslo and I work at Foodly. jk')).toMatchObject([
      { content: 'Ada has a dog.' },
    ]));
});

describe('what stands behind a condition that a full stop breaks off', () => {
  it.each([
    'If I were rich. I live in a castle.',
    'If only I had a boat... I sail to Oslo.',
    'Had I a boat. I live in Oslo.',
    'So if we won the lottery. We live in a castle.',
    'If it rains. I take the bus.',
    'If I were rich. I quit my job.',
  ])('is as little so: %s', (text) => expect(readAll(text)).toEqual([]));

  it.each([
    ['If I were rich. But I live in a flat.', 'Ada lives in a flat.'],
    ['If I were rich. I live in a castle. I have a dog.', 'Ada has a dog.'],
    ['If you need it. I live in Oslo.', 'Ada lives in Oslo.'],
    ['If it helps. I live in Oslo.', 'Ada lives in Oslo.'],
    ['If I remember right. I live in Oslo.', 'Ada lives in Oslo.'],
    ['If I were rich I would have a castle. I live in Oslo.', 'Ada lives in Oslo.'],
    ['What if I moved to Rome? I live in Oslo.', 'Ada lives in Oslo.'],
    ['If I moved to Rome, it would be warm. I live in Oslo.', 'Ada lives in Oslo.'],
  ])('and else it is: %s', (text, said) =>
    expect(factsOf(text).map(({ content }) => content)).toEqual([said]),
  );
});

describe('a named day', () => {
  it.each([
    ['From 1 May 2035 I live in Oslo.', '2035-05-01'],
    ['From June 2027 I work at Foodly.', '2027-06-01'],
    ['From Monday I work at Foodly.', '2026-05-25'],
    ['I moved to Kiel in 1990.', '1990-01-01'],
    ['In 2012 I work at Foodly.', '2012-01-01'],
    ['I have lived in Rome since 2010.', '2026-05-20'],
    ['I moved to Kiel in 2026.', '2026-05-20'],
    ['I work at Acme, founded in 1990.', '2026-05-20'],
    ['My birthday is 3 May 1990.', '2026-05-20'],
  ])('%s', (text, day) => {
    const [fact] = factsOf(text);
    expect(fact?.slot).not.toBeNull();
    expect(fact?.valid_from.slice(0, 10)).toBe(day);
  });

  it('of long ago ends nothing', () =>
    expect(factsOf('I quit Acme in 2015.')[0]).toMatchObject({ slot: null, isBeside: true }));
});

describe('the value of a property', () => {
  it.each([
    'My name is not important.',
    'My name is not Anna.',
    'My name is a problem for many.',
    'Call me later.',
    'I work as fast as I can.',
    'I work as part of a team.',
    'My job title is meaningless.',
    'I am at the dentist.',
  ])('is none of an idiom: %s', (text) =>
    // `My name is not Anna` ends the name Anna, where that is the one that is known.
    expect(readAll(text).filter((each) => each.kind === 'typed' && !each.typed.isEnd)).toEqual([]),
  );

  it.each(['My name is Anna.', 'my name is rose', 'Call me Al.', 'I work as a nurse.'])(
    'is one: %s',
    (text) => expect(readAll(text)).toMatchObject([{ kind: 'typed' }]),
  );
});

describe('another person', () => {
  it('is not what a correction of the speaker speaks of', () => {
    expect(factsOf('I take metformin.', 'Actually I meant ibuprofen for my wife.')).toHaveLength(1);
    expect(factsOf('I take metformin.', 'Actually I meant ibuprofen.')).toHaveLength(2);
  });

  it('has slots by name', () =>
    expect(
      factsOf('My son Max goes to Lincoln School.', 'My son Tim goes to Kent School.'),
    ).toMatchObject([
      { content: "Ada's son Max goes to Lincoln School.", slot: { name: "son Max's school" } },
      { content: "Ada's son Tim goes to Kent School.", slot: { name: "son Tim's school" } },
    ]));
});

describe('a statement in the third person', () => {
  it.each([
    ['I almost moved to Berlin.', 'Ada almost moved to Berlin.'],
    ['I nearly always walk.', 'Ada nearly always walks.'],
    ['On weekends I work at Foodly.', 'On weekends Ada works at Foodly.'],
    ['In 2010 I was in Rome and I was glad.', 'In 2010 Ada was in Rome and they were glad.'],
    ['Tom and I live in Rome.', 'Tom and Ada live in Rome.'],
    ['I for one prefer tea.', 'Ada prefers tea.'],
    ['I work for one firm.', 'Ada works for one firm.'],
    ['My p i n is on the card.', "Ada's p i n is on the card."],
    ['In World War I my uncle fought.', "In World War I Ada's uncle fought."],
    ['I caught the flu', 'Ada caught the flu'],
    ['I forgot the keys and tore my coat', 'Ada forgot the keys and tore their coat'],
    ['I cut hair', 'Ada cuts hair'],
  ])('%s', (text, statement) => expect(toStatement(text, 'Ada')).toBe(statement));
});
