/** Who keeps one word out of memory means the other common words for the same. */
import { expect, it } from 'vitest';
import { isNever, neverPhrases } from '../../src/capture/gate/negative-space.ts';
import { wordsOf } from '../../src/capture/sentences/sentence.ts';

const isKeptOut = (phrase: string, text: string): boolean =>
  isNever(wordsOf(text), neverPhrases([wordsOf(phrase)]));

it.each([
  ['salary', 'My pay is 5,000 a month'],
  ['salary', 'My wages went up'],
  ['income', 'My salary is 5,000'],
  ['divorce', 'My separation is hard'],
  ['divorce', 'We are splitting up'],
  ['pregnancy', "I'm pregnant"],
  ['pregnancy', "We're expecting in May"],
])('%s keeps out: %s', (phrase, text) => expect(isKeptOut(phrase, text)).toBe(true));

it.each([
  ['salary', 'I pay by card'],
  ['salary', 'I pay 900 rent'],
  ['divorce', 'My salary is 5,000'],
  ['pregnancy', 'I live in Rome'],
  ['diet', 'My pay is 5,000 a month'],
])('%s does not keep out: %s', (phrase, text) => expect(isKeptOut(phrase, text)).toBe(false));
