/** What a sum, code or a joke says of `I` does not go live. */
import { describe, expect, it } from 'vitest';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

async function directOf(text: string): Promise<readonly string[]> {
  const { gated } = await gateTurns([turnOf(text)], gating);
  return extractCandidates([...gated], extracting).going.flatMap((each) =>
    each.isDirect && each.kind === 'fact' ? [each.content] : [],
  );
}

describe('what is supposed for an answer', () => {
  it.each([
    'I am a function that takes a list.',
    'I have a triangle with sides 3, 4, 5.',
    'We have a circle with radius 3.',
    'I have 3 red balls in a bag.',
    'I have two matrices of size 3.',
    'I have the following list.',
    'I use the following query.',
    'I have the following two tables:',
    'I am the king of Spain, haha.',
    "I'm basically a wizard lol",
  ])('%s', async (text) => expect(await directOf(text)).toEqual([]));

  it.each([
    'I have 3 cats in a flat.',
    'I have a circle of friends in Bern.',
    'I have 3 apple trees in my garden.',
    'I have a square table.',
    'I am a teacher that takes the bus.',
    "I'm vegan, haha.",
    'I have a king size bed.',
    'I am the manager of a bank, haha.',
  ])('none: %s', async (text) => expect(await directOf(text)).toHaveLength(1));
});
