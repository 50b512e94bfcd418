/** Roles and announcements that reach into the next turns of a conversation. */
import { describe, expect, it } from 'vitest';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

/** Of turns between `||`, those of an assistant behind `A:`: what goes live. */
async function directOf(talk: string): Promise<readonly string[]> {
  const turns = talk
    .split(' || ')
    .map((said, n) =>
      turnOf(said.replace(/^A:/, ''), n, said.startsWith('A:') ? 'assistant' : 'user'),
    );
  const { gated } = await gateTurns(turns, gating);
  return extractCandidates([...gated], extracting).going.flatMap((each) =>
    each.isDirect && each.kind === 'fact' ? [each.content] : [],
  );
}

describe('what is said in a role of a turn before waits', () => {
  it.each([
    'You are now Bo. || I live in Rome.',
    "Let's roleplay: I'm a knight and you are a king || A:Welcome || I live in Rome.",
    "Let's roleplay. || A:Sure! || Hi! || A:Hi! || I live in Rome.",
    "Pretend I'm my boss for this chat || I live in Rome.",
    "Imagine I'm Bo. || I live in Rome.",
    "I'll play Bo, you interview me || A:Where do you live? || I live in Rome.",
    "I'm the customer, you're the clerk. || I live in Rome.",
    'Answer as my customer would. || I live in Rome.',
    "Let's play a scene. || I live in Rome.",
    'Act as Bo. || A:Ok. || I live in Rome.',
    'Be Bo for a while. || I live in Rome.',
    'You are now Bo. || Do not stop the roleplay. || I live in Rome.',
  ])('%j', async (talk) => expect(await directOf(talk)).toEqual([]));

  it.each([
    "Let's roleplay. || I live in Rome. || back to normal || I live in Bern.",
    'You are now Bo. || I live in Rome. || ok, now seriously || I live in Bern.',
    'You are now Bo. || I live in Rome. || Stop the roleplay. I live in Bern.',
    "Pretend I'm my boss. || I live in Rome. || end scene || I live in Bern.",
    "Let's roleplay. || I live in Rome. || Game over. || I live in Bern.",
    'You are now Bo. || I live in Rome. || Be yourself again. || I live in Bern.',
    "Let's roleplay. || In real life I live in Bern.",
  ])('until it ends: %j', async (talk) => {
    const [only = '', ...more] = await directOf(talk);
    expect([only.endsWith('lives in Bern.'), more]).toEqual([true, []]);
  });

  it.each([
    'Act as a trainer. || I live in Bern.',
    'Act as an expert in tax law. || I live in Bern.',
    'You are now my English tutor. || I live in Bern.',
    'You are a helpful assistant. || I live in Bern.',
    'Answer as a doctor would. || I live in Bern.',
    'Write a tweet as Bo. || A:Here it is. || I live in Bern.',
    "Imagine I'm a beginner. || I live in Bern.",
    "You're Welcome. || I live in Bern.",
    'Be brief for this one. || I live in Bern.',
    'I play the guitar. || I live in Bern.',
    'I play Minecraft, you know. || I live in Bern.',
    "Let's play chess. || I live in Bern.",
    'I like roleplaying games. || I live in Bern.',
    'Suppose we sold it. || I live in Bern.',
    'Be honest. || I live in Bern.',
    'Say I have a dog. || I live in Bern.',
    'I am a nurse. || I live in Bern.',
  ])('none lasts: %j', async (talk) =>
    expect(await directOf(talk)).toContainEqual(expect.stringContaining('Bern')),
  );
});

describe('what a turn announces, the next one may hold', () => {
  it.each([
    "Here's Bo's message. || I live in Rome.",
    'He replied || I live in Rome.',
    'My boss just wrote back. || I live in Rome.',
    'forwarded || I live in Rome.',
    'paste incoming || I live in Rome.',
    'Translate what I type from now on. || I live in Rome.',
    'Correct my sentences please. || I live in Rome.',
    'Fill this form for Bo. || I live in Rome.',
    "I'm filling this in for my mom. || I live in Rome.",
    "My friend's bio. || I live in Rome.",
    'Voice memo from mom || I live in Rome.',
  ])('%j', async (talk) => expect(await directOf(talk)).toEqual([]));

  it.each([
    'Write a poem. || I live in Bern.',
    'I dreamed I could fly. || I live in Bern.',
    'Correct! || I live in Bern.',
    'Fill the gap in my CV. || I live in Bern.',
    'I corrected my sentences. || I live in Bern.',
    "My friend's bio is long. || I live in Bern.",
    'He replied late as always, so I went home. || I live in Bern.',
    'I pasted the wallpaper. || I live in Bern.',
    'What can you do? || I live in Bern.',
    'Translate it || A:Which text do you mean? Here is what I can do for you, and I will gladly help you with it at any time. || I live in Bern.',
  ])('else it is said: %j', async (talk) =>
    expect(await directOf(talk)).toContainEqual(expect.stringContaining('Bern')),
  );
});
