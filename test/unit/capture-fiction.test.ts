/** A figure, a game or a text for another: what is said of `I` behind it waits. */
import { describe, expect, it } from 'vitest';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

/** Of turns of Ada between `||`: what goes live. */
async function directOf(talk: string): Promise<readonly string[]> {
  const turns = talk.split(' || ').map((said, n) => turnOf(said, n));
  const { gated } = await gateTurns(turns, gating);
  return extractCandidates([...gated], extracting).going.flatMap((each) =>
    each.isDirect && each.kind === 'fact' ? [each.content] : [],
  );
}

describe('what a figure says', () => {
  it.each([
    "We do a role play: you're a doctor and I'm the patient. || I have a dog. || I live in Rome.",
    'Generate a persona. I live in Rome.',
    'Create a fictional character for my game. I live in Rome.',
    'Fill in the form like this. I live in Rome.',
    'Continue this diary of a pirate. I live in Rome.',
    "Let's write a story together, I'll start. || I live in Rome. || I have a dog. || I have a cat.",
    'Let me play the customer now. || I live in Rome. || I have a dog.',
    'Write in first person about a nurse. || I live in Rome.',
    'My test user has this profile: I am 30, I live in Rome, I have a dog.',
    "I'm playing Skyrim. || I live in Rome.",
    'In The Sims I have a big house. I live in Rome.',
    'Write a cover letter for my brother. || I live in Rome.',
    "I'm playing The Sims. || I live in Rome.",
    "I'm playing Yakuza 3. || I live in Rome.",
    'In Hogwarts Legacy I have a dog.',
    "In Stardew Valley 2 I'm a farmer and I have a dog.",
    'I own a dog in Minecraft.',
    "I'm a thief with a dog in Skyrim.",
    'We have a castle and a cat in Valheim.',
    'My house is full of cats in Animal Crossing.',
  ])('%j', async (talk) => {
    expect((await directOf(talk)).filter((each) => /Rome|dog|cat/.test(each))).toEqual([]);
  });

  it.each([
    'I play the violin. || I live in Bern.',
    "I'm playing tennis tonight. || I live in Bern.",
    "I'm playing Chopin. || I live in Bern.",
    "I'm playing Bach and Mozart tonight. || I live in Bern.",
    "We're playing Arsenal on Sunday. || I live in Bern.",
    "I'm playing Hamlet in our school. || I live in Bern.",
    'I play Minecraft. I live in Bern.',
    'I met my wife in World of Warcraft. I live in Bern.',
    'In Zelda Street I own a flat. || I live in Bern.',
    'I work in Second Avenue and live in Bern.',
    'Let me play the guitar now. || I live in Bern.',
    'Let me be the first. || I live in Bern.',
    'Write a cover letter for me. || I live in Bern.',
    'Write a cover letter for my application. I live in Bern.',
    'Continue the story of my life. I live in Bern.',
    'I filled in the form. I live in Bern.',
    'I wrote a story together with my son. I live in Bern.',
    'In The Hague I have a big house. I live in Bern.',
    'Our test users are happy. I live in Bern.',
    'Generate a table. I live in Bern.',
    'We do improv theater on Mondays. || I live in Bern.',
  ])('none: %j', async (talk) =>
    expect(await directOf(talk)).toContainEqual(expect.stringContaining('Bern')),
  );
});
