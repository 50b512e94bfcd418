/** States that are told beside something else, in other words than their own, or with a comment. */
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

describe('the slot of what is told in passing', () => {
  it.each([
    ["They offered 52,000, so that's my salary.", ['salary=52 000']],
    ["The landlord wants 480 now, so that's my rent.", ['rent=480']],
    ["The scale says 81 kg, so that's my weight.", ['weight=81']],
    ['I saw my therapist, Dr Amsel.', ['therapist=dr amsel']],
    ['Talked to my boss, Karen.', ['manager=karen']],
    ['We take Rex to Dr Ada, our vet.', ['vet=dr ada']],
    ["I think that's Tom, he's my dentist.", ['dentist=tom']],
    ["I'm seeing someone new, her name's Amina, she's my girlfriend now.", ['partner=amina']],
    ['My title there is analytics lead.', ['occupation=analytics lead']],
    ['My title here is lead, cool right?', ['occupation=lead']],
    ['My boss there is Tom.', ['manager=tom']],
    ['For work, I run things at Tarragon.', ['employer=tarragon']],
    ['For a living I teach maths at Hilltop School.', ['employer=hilltop school']],
    ["I'm with Monzo, for banking I mean.", ['bank=monzo']],
    ["I'm with Verizon for internet.", ['internet provider=verizon']],
    ['Work on the roof begins on 5 May.', ['roof start date day=5 may']],
    ['Work starts on 5 May.', ['start date day=5 may']],
    [
      "So the doctor, that's Dr Hansen, she's my GP, she's put me on 500 mg of metformin.",
      ['doctor=dr hansen', 'metformin dose=500 mg'],
    ],
    [
      'My doctor is Dr Kim, she put me on 20 mg of lisinopril.',
      ['doctor=dr kim', 'lisinopril dose=20 mg'],
    ],
  ])('is that of it: %s', (text, slots) => {
    expect(slotsOf(text)).toEqual(slots);
  });

  it.each([
    'I paid 300 for 2 nights, that is my budget.',
    "I sold it for 300, so that's my weekend sorted.",
    'I visited my grandmother, Rosa.',
    'Met my neighbour, Tom.',
    'I met my old manager, Tom.',
    'I called my manager, Anna called hers.',
    'My name there is Zed.',
    'My title is lead, right?',
    'For work, I travel to Berlin.',
    'For work I stay at the Hilton.',
    "I'm with Tom for the weekend.",
    'Work starts on Monday.',
    "She's put me on the night shift.",
  ])('is none: %s', (text) => {
    expect(slotsOf(text)).toEqual([]);
  });

  it.each([
    'Rent is down to 950 here, so that’s nice.',
    'The landlord put the rent up to 820, ugh.',
    'Rent went up to 900, which is a lot.',
    'Standup moved to 9:30, so annoying.',
    "I've stopped drinking espresso, I drink matcha in the morning now.",
    'I stopped taking sertraline, I take escitalopram now.',
  ])('is all that is kept of it: %s', (text) => {
    expect(slotOf(sentenceOf(text, 0))).toMatchObject({ isRestated: true });
  });

  it.each([
    'Pepper is on Hounder kibble now.',
    'Rent went up to 900, 20 more than I can pay.',
    'Rent is down to 950 here, which includes water.',
    'The landlord put the rent up to 820 and 900, ugh.',
    'I stopped smoking, I drink tea in the morning now.',
  ])('is less than what it says: %s', (text) => {
    expect(slotOf(sentenceOf(text, 0))).not.toHaveProperty('isRestated');
  });
});
