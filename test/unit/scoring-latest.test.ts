import { describe, expect, it } from 'vitest';
import { presence } from '../../src/scoring/asks-now.ts';
import { lateness } from '../../src/scoring/latest.ts';

describe('a question for now', () => {
  it.each([
    'Where does Dana live now?',
    'What is the current owner of the release?',
    'Is she still at Acme?',
    'What’s the latest on the budget?',
    'As of today, who leads it?',
    'Wo wohnt Dana jetzt?',
    'Wer leitet das Projekt derzeit?',
    'Où habite-t-elle actuellement ?',
    '¿Dónde vive ahora?',
    'Где она живёт сейчас?',
    '她现在住在哪里？',
    '彼女は今どこに住んでいますか。今の住所は？',
  ])('is recognised: %s', (query) => expect(presence(query)).toBe(1));

  it.each([
    'Where did Dana live in 2019?',
    'What is known of the snow?',
    'Who knows the answer?',
    'Что случилось?',
    '她什么时候搬家？',
  ])('is not seen in: %s', (query) => expect(presence(query)).toBe(0));

  it.each([
    'What is the gym that Ravi goes to?',
    'Remind me of the door code.',
    'Do you know Dana’s address?',
    'Where is my appointment?',
    'Hey, can you tell me what the rate is?',
    'So, who is our vet?',
  ])('is heard in the tense of: %s', (query) => {
    expect(presence(query)).toBeGreaterThan(0);
    expect(presence(query)).toBeLessThan(1);
  });

  it.each([
    'What was the gym that Ravi went to?',
    'What is the name of the dog?',
    'What is the reason for the move?',
    'What is one of the plans?',
    'What is the plan for 9 November?',
    'What is the first thing that she did?',
    'What is love?',
    'Which gym does Ravi go to?',
  ])('is not heard in the tense of: %s', (query) => expect(presence(query)).toBe(0));

  it('is not looked for in a pasted text', () => {
    expect(presence(`now ${'x'.repeat(2000)}`)).toBe(0);
    expect(presence(`What is the code? ${'x'.repeat(2000)}`)).toBe(0);
  });
});

describe('lateness', () => {
  const at = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;

  it('falls from the last to the first of what matches alike, whatever the gaps', () => {
    const late = lateness([
      { uuid: 'a', at: at(1), match: 0.9 },
      { uuid: 'b', at: at(2), match: 0.6 },
      { uuid: 'c', at: at(28), match: 0.7 },
    ]);
    expect([late.get('c'), late.get('b')]).toEqual([1, 0.7]);
    expect(late.get('a')).toBeCloseTo(0.49, 12);
  });

  it('leaves out what speaks of something else, however late', () => {
    const late = lateness([
      { uuid: 'a', at: at(1), match: 1 },
      { uuid: 'noise', at: at(9), match: 0.49 },
    ]);
    expect([...late]).toEqual([['a', 1]]);
  });

  it('gives texts of one time one place, and nothing where nothing matches', () => {
    const same = { at: at(3), match: 0.5 };
    expect([
      ...lateness([
        { uuid: 'a', ...same },
        { uuid: 'b', ...same },
      ]).values(),
    ]).toEqual([1, 1]);
    expect(lateness([{ uuid: 'a', at: at(3), match: 0 }]).size).toBe(0);
  });
});
