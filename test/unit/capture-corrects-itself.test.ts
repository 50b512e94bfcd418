/** A sentence that corrects itself says what was meant; what only looks so stays as it is. */
import { expect, it } from 'vitest';
import { correctedSentence } from '../../src/capture/sentences/corrects-itself.ts';

it.each([
  ['I live in Rome, sorry, Turin.', 'I live in Turin'],
  ['My rent is 900, no, 910.', 'My rent is 910'],
  ["I'm allergic to nuts, I mean latex.", "I'm allergic to latex"],
  ['My dentist is Dr. Weber, sorry, Dr. Weiss.', 'My dentist is Dr. Weiss'],
  ['I work at Acme - no wait, Globex', 'I work at Globex'],
  ['I moved on 3 May, oops, 4 May.', 'I moved on 4 May'],
])('%s', (text, meant) => expect(correctedSentence(text)).toBe(meant));

it.each([
  "I can't come, sorry, boss.",
  'I have a dog, sorry, Bob.',
  "I don't eat meat, no fish either.",
  'I like tea, no, really.',
  'Do I live in Rome, sorry, Turin?',
  'I live in Rome, sorry, I was distracted by the cat on my desk.',
  'Rome, sorry, Turin.',
])('corrects nothing: %s', (text) => expect(correctedSentence(text)).toBeNull());

it('is read in linear time', () => {
  const time = (count: number): number => {
    const start = performance.now();
    correctedSentence(`I live in ${'Rome, sorry, '.repeat(count)}Turin.`);
    return performance.now() - start;
  };
  expect(time(100_000)).toBeLessThan(1000);
});
