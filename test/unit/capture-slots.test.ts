/** Slots that later statements take: what says of one, and what looks like it and says of none. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { sentenceOf } from '../../src/capture/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';
import { gating, turnOf } from '../support/capture-turns.ts';

const slotsOf = (content: string): readonly string[] =>
  [...gatedPieces(turnOf(content), gating)].flatMap(({ sentence, verdict }) => {
    const slot = verdict.isKept ? slotOf(sentence) : null;
    return slot ? [`${slot.name}=${slot.value}${slot.isEnd ? ' ends' : ''}`] : [];
  });

describe('the slot of a statement', () => {
  it.each([
    ['My doctor retired, my new one is Dr. Otxoa.', 'doctor=dr otxoa'],
    ['I changed my number, it is 555 3421 now.', 'phone=555 3421'],
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
  ])('%s', (content, slot) => expect(slotsOf(content)).toContain(slot));

  it.each([
    ["The banjo's gone.", '=banjo ends'],
    ['I quit Acme.', '=acme ends'],
    ['Me and Marieke broke up.', '=marieke ends'],
  ])('ends with the value that it names: %s', (content, slot) =>
    expect(slotsOf(content)).toEqual([slot]),
  );

  it.each([
    'I dropped Rex at the vet.',
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

  it('is read once for what the oven does, which has none', () => {
    expect(slotOf(sentenceOf('My oven only reaches 220 degrees.', 0))).toBeNull();
    const [piece] = [...gatedPieces(turnOf('My oven only reaches 220 degrees.'), gating)];
    expect(piece?.verdict).toMatchObject({ isKept: true, class: 'fact' });
  });
});
