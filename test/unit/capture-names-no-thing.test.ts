/** A deed to a thing that only the talk around it knows waits. */
import { describe, expect, it } from 'vitest';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

/** What of a turn of Ada goes live; what only ends something known states nothing. */
async function directOf(said: string): Promise<readonly string[]> {
  const { gated } = await gateTurns([turnOf(said)], gating);
  return extractCandidates([...gated], extracting).going.flatMap((each) =>
    each.isDirect && each.kind === 'fact' && !each.ends ? [each.content] : [],
  );
}

describe('a thing that nothing names', () => {
  it.each([
    'bought the licence',
    'bought the licence on Monday',
    'I got the keys on Monday.',
    'I passed the test.',
    'I joined the club.',
    'We booked the hotel.',
    'We adopted the dog.',
    'I got the job.',
    'I signed on Monday.',
    'We signed last week.',
    'We ordered last week.',
    'We have booked the flight.',
    'I signed up for the course.',
    'I moved into the house last month.',
    'I lost the key yesterday.',
    'Today I bought the licence.',
    'I finished the book in March.',
    'promised cheese',
    'mech started is Tomasz',
  ])('waits: %j', async (said) => expect(await directOf(said)).toEqual([]));

  it.each([
    'I bought a Leica M6.',
    'I bought the Leica on Monday.',
    'I got the job at Siemens.',
    'I bought the house in Graz.',
    'I signed a contract with Acme on Monday.',
    'I joined the army in 2010.',
    'I joined the chess club.',
    'We visited the Louvre in May.',
    'I learned the violin in 2010.',
    'I moved to the coast in 2019.',
    'I had the baby on Monday.',
    'I play the piano.',
    'I love the sea.',
    'I retired in May.',
    'I left the church in 2012.',
    'I finished the course on Rust in March.',
  ])('stays: %j', async (said) => expect(await directOf(said)).not.toEqual([]));
});
