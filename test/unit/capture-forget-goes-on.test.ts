/** A sentence without a verb goes on with the request to forget before it. */
import { expect, it } from 'vitest';
import { withContinued } from '../../src/capture/forget/goes-on.ts';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';

const read = (...texts: readonly string[]): readonly string[] =>
  withContinued(texts.map((text, at) => sentenceOf(text, at * 100))).map(({ text }) => text);

it.each([
  ['Forget my diet.', 'And my cats.', 'Forget my cats'],
  ['Please forget that I live in Rome.', 'Also where I work, please.', 'Forget where I work'],
  ['Forget my address.', 'My phone number too.', 'Forget My phone number'],
  ['Forget my diet.', 'And that I have asthma.', 'Forget that I have asthma'],
])('goes on: %s %s', (request, more, whole) => {
  expect(read(request, more)).toEqual([request, whole]);
  expect(read(request, more, more)).toEqual([request, whole, whole]);
});

it.each([
  ['Forget my diet.', 'And my cats are fine.'],
  ['Forget my diet.', 'My cats.'],
  ['Forget my diet.', 'And remember my cats.'],
  ['I like my diet.', 'And my cats.'],
  ["Don't forget my diet.", 'And my cats.'],
])('says something else: %s %s', (before, more) => {
  expect(read(before, more)).toEqual([before, more]);
});
