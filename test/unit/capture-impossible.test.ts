/** What nobody can mean of themselves waits; what people are stays. */
import { describe, expect, it } from 'vitest';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

/** What of a turn of Ada goes live. */
async function directOf(said: string): Promise<readonly string[]> {
  const { gated } = await gateTurns([turnOf(said)], gating);
  return extractCandidates([...gated], extracting).going.flatMap((each) =>
    each.isDirect && each.kind === 'fact' ? [each.content] : [],
  );
}

describe('a joke without a laugh', () => {
  it.each([
    "I'm the king of Spain.",
    "I'm the Pope.",
    "Well, I'm actually the queen of England.",
    "I'm the president of the United States.",
    'I am the emperor of the galaxy.',
    'I am Batman.',
    'My name is Harry Potter.',
    "I'm a vampire.",
    "I'm a 300 year old elf named Faelar.",
    "I'm a level 40 mage.",
    "I'm 300 years old.",
    "I'm 2 years old.",
    'I live on Mars.',
    'I live in Narnia.',
    'We moved to the moon.',
    'I was born in 1650.',
  ])('waits: %j', async (said) => expect(await directOf(said)).toEqual([]));

  it.each([
    "I'm the president of the chess club.",
    "I'm the president of Siemens.",
    "I'm the king of pancakes in my family.",
    "I'm a wizard at Excel.",
    "I'm an alien resident of Japan.",
    "I'm a ghost writer for a publisher.",
    "I'm a dragon boat racer.",
    "I'm 99 years old.",
    "I'm 17 years old.",
    'I was born in 1950.',
    'I live on Mars Street.',
    'I live in Venus, Texas.',
    'I live on the coast.',
    'My name is Harry Miller.',
    'I have a dog named Batman.',
    'I moved to Moon Lake.',
  ])('stays: %j', async (said) => expect(await directOf(said)).not.toEqual([]));
});
