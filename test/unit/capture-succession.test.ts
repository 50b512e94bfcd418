/** What takes the place of a fact that no slot ties it to, and what stands beside it. */
import { describe, expect, it } from 'vitest';
import { checkContradiction } from '../../src/capture/6-contradict.ts';
import { newClause } from '../../src/capture/succession/new-clause.ts';
import { besideOthers } from '../../src/capture/succession/succeed.ts';
import { predecessorOf } from '../../src/capture/succession/takes-place.ts';
import { loadTopics } from '../../src/capture/succession/topics.ts';
import { monthToCome } from '../../src/capture/times/month-to-come.ts';
import { SLOT, SLOT_VALUE } from '../../src/model/fact-slot.ts';
import { capturedOf, knownOf } from '../support/capture-succession.ts';

const topics = await loadTopics();

const after = (said: string, before: readonly string[]): string | null => {
  const known = before.flatMap((text) => knownOf(text));
  const [candidate] = capturedOf(said);
  return candidate ? (predecessorOf(candidate, known, topics)?.content ?? null) : null;
};

describe('a statement', () => {
  it.each([
    ['The gym charges me 55 euros now.', 'My gym membership costs me 48 euros a month.'],
    [
      'Marek Dolny has closed his practice, and Sanna Lahti is my physiotherapist now.',
      'A physiotherapist named Marek Dolny treats me once a week.',
    ],
    ['I now have a desk on the fifth floor.', 'I have a desk on the third floor.'],
    ['My metformin is 1000 mg now.', 'I take metformin 500 mg.'],
    ['I play the piano now instead.', 'I play guitar.'],
    ['I pay 25 for Netflix now.', 'I pay 20 for Netflix.'],
    ['I meet Tom on Tuesdays now.', 'I meet Tom on Mondays.'],
    ['I run 10 km now.', 'I run 5 km.'],
    ['I no longer teach maths.', 'I teach maths.'],
  ])('takes the place of the one before it: %s', (said, before) => {
    const others = [
      'My sister Ada collects stamps from Peru.',
      'I swim in the lake every morning.',
    ];
    expect(after(said, [before, ...others])).toBe(knownOf(before)[0]?.content);
  });

  it.each([
    ['My sister pays 55 euros for the pool.', 'My gym membership costs me 48 euros a month.'],
    [
      'My sister pays 70 euros at her gym.',
      'The gym has put its price up and charges me 55 euros.',
    ],
    ['I love hiking in the mountains.', 'I love camping in the forest.'],
    ['I visited Oslo last month with guest 7.', 'I visited Lyon last month with guest 6.'],
    ['I prefer cello rehearsals in week 7.', 'I prefer violin rehearsals in week 6.'],
    ['My phone plan costs me 20 euros a month now.', 'My gym membership costs me 48 euros.'],
    ['I am also allergic to shellfish now.', 'I am allergic to peanuts.'],
    ['I am allergic to penicillin as well.', 'I am allergic to peanuts.'],
    ['I now have an allergy to cats.', 'I have an allergy to penicillin.'],
    ['My other dog is called Bella.', 'My dog is called Rex.'],
    ['My dog Bella is 2 years old now.', 'My dog Rex is 5 years old.'],
    ['I now speak German.', 'I speak Italian.'],
    ['My project manager is Clara.', 'My manager is Bob.'],
    ['My work email is ann@b.example.', 'My email is ann@a.example.'],
    ['I run 10 km on Sundays.', 'I run 5 km on Mondays.'],
    ['My dog weighs 20 kg now.', 'I weigh 70 kg.'],
    ['I was married to Jim.', 'I am married to Tom.'],
    ['Our staging database is Postgres 17 now.', 'Our production database is Postgres 15.'],
    ['I swim 1 km now.', 'I run 5 km.'],
    ['I play tennis now.', 'I play guitar.'],
    ['I meet Eva on Tuesdays now.', 'I meet Tom on Mondays.'],
    ['I pay 12 for Spotify now.', 'I pay 20 for Netflix.'],
    ['I have an account at N26 now.', 'I have an account at ING.'],
    ['My home laptop is a ThinkPad now.', 'My work laptop is a Mac.'],
    ['My plan B is Oslo now.', 'My plan A is Rome.'],
    ['I now study at TU Berlin.', 'I study physics.'],
    ['I sing in a band now.', 'I sing in a choir.'],
    ['Now I drink water at night.', 'I drink coffee every morning.'],
    ['I no longer teach chess.', 'I teach maths.'],
    ['I went to a pride parade last Friday.', 'I passed the agency interviews in March 2023.'],
  ])('stands beside others: %s', (said, before) => expect(after(said, [before])).toBeNull());

  it.each([
    ['I take aspirin for my heart now.', 'I take ibuprofen for my back.', true],
    ['I stopped taking ibuprofen for my knee.', 'I take ibuprofen for my back.', true],
    ['My Friday standup is at 10 now.', 'My Monday standup is at 9.', true],
    ['I take aspirin for my back now.', 'I take ibuprofen for my back.', false],
    ['I stopped taking ibuprofen for my back.', 'I take ibuprofen for my back.', false],
    ['I stopped taking ibuprofen.', 'I take ibuprofen for my back.', false],
    ['My Monday standup is at 10 now.', 'My Monday standup is at 9.', false],
    ['I work for Globex now.', 'I work for Acme.', false],
    ['I drive a Polo now.', 'I drive a Golf.', false],
  ])('keeps its slot but beside another thing: %s', (said, before, isBeside) => {
    const [candidate] = capturedOf(said);
    const known = knownOf(before).map((fact) => ({
      ...fact,
      metadata: { ...fact.metadata, [SLOT]: candidate?.slot?.name },
    }));
    expect(candidate && besideOthers(candidate, known).slot === null).toBe(isBeside);
  });

  it.each([
    ['I live in Italy.', 'rome', true],
    ['I live in Italy now.', 'rome', false],
    ['I live in Italy.', 'france', false],
    ['I live in Oslo.', 'rome', false],
  ])('says in which country one lives, and not that one moved: %s, %s', (said, value, isBeside) => {
    const [candidate] = capturedOf(said);
    const known = knownOf('I live in Rome.').map((fact) => ({
      ...fact,
      metadata: { ...fact.metadata, [SLOT]: 'home', [SLOT_VALUE]: value },
    }));
    expect(candidate && besideOthers(candidate, known).slot === null).toBe(isBeside);
  });

  it.each([
    ['My rent will be 950 from April.', '2027-04-01'],
    ['My rent goes up to 950 in July.', '2026-07-01'],
    ['My rent went up to 950 in July.', null],
    ['My rent is 950 from April to June.', null],
    ['My birthday is in July.', null],
    ['My rent was 950 from April.', null],
  ])('holds from a month to come: %s', (said, day) => {
    const found = monthToCome(said, Date.UTC(2026, 4, 20));
    expect(found === null ? null : new Date(found).toISOString().slice(0, 10)).toBe(day);
  });

  it.each([
    ['I was never allergic to nuts.', "I'm allergic to nuts.", 'correction'],
    ['I have three kids, not two.', 'I have two kids.', 'correction'],
    ["I'm not allergic to nuts any more.", "I'm allergic to nuts.", 'change'],
    ['I have three kids.', 'I have two kids.', 'change'],
    ['I have three kids, not four.', 'I have two kids.', 'change'],
  ])('corrects or changes what it contradicts: %s', (said, before, cause) => {
    const [candidate] = capturedOf(said);
    const add = { operation: 'ADD', why: 'new' } as const;
    expect(
      candidate && checkContradiction(candidate, add, knownOf(before)).judgement,
    ).toMatchObject({ operation: 'UPDATE', cause });
  });

  it('leaves what was written by hand', () => {
    const said = 'The gym charges me 55 euros now.';
    const known = knownOf('My gym membership costs me 48 euros a month.');
    const byHand = known.map((fact) => ({ ...fact, metadata: {} }));
    const [candidate] = capturedOf(said);
    expect(candidate && predecessorOf(candidate, known, topics)).toBe(known[0]);
    expect(candidate && predecessorOf(candidate, byHand, topics)).toBeNull();
  });

  it('says of two clauses the one of what is', () => {
    const [was] = knownOf('A physiotherapist named Marek Dolny treats me once a week.');
    const told =
      'Marek Dolny has closed his practice, and Sanna Lahti is their physiotherapist now.';
    expect(was && newClause(told, was, 'Ada')).toBe('Sanna Lahti is their physiotherapist now.');
    const one = 'Marek Dolny moved to Lindau, which is far.';
    expect(was && newClause(one, was, 'Ada')).toBe(one);
  });
});
