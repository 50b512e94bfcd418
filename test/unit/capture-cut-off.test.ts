/** What breaks off or stumbles states nothing; what ends in a small word rightly does. */
import { expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { gating, turnOf } from '../support/capture-turns.ts';

const keptOf = (text: string): number =>
  [...gatedPieces(turnOf(text, 0), gating)].filter(({ verdict }) => verdict.isKept).length;

it.each([
  'I live in.',
  'I work at the.',
  'I am allergic to.',
  'My dog is called.',
  "I'm married to the.",
  'My sister lives in.',
  'I live in in Berlin',
  'I own the the book.',
  'I use to live in Berlin.',
])('keeps nothing of what is cut off: %s', (text) => expect(keptOf(text)).toBe(0));

it.each([
  'I live in Berlin.',
  'I used to live in Berlin.',
  'My dog is called Rex.',
  'I like the city I live in.',
  'I live in the city I was born in.',
  'I love the people I work with.',
  'I have a dog to play with.',
  'My blood type is A.',
  'I take vitamin A.',
  'I moved in.',
])('keeps what ends as it should: %s', (text) => expect(keptOf(text)).toBe(1));
