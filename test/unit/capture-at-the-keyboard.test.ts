/** Somebody else types in the chat of a speaker: what they say of `I` waits. */
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

describe('another one at the keyboard', () => {
  it.each([
    "This is Ben, I borrowed Ada's phone. || I live in Rome.",
    "This is Ben. I'm using Ada's account. || I live in Rome.",
    'This is Ben. || I live in Rome. || I have a dog.',
    'Ok, this is Ben. I live in Rome.',
    'This is Ben Miller! || I live in Rome.',
    'This is now Ben. || I live in Rome.',
    "I'm on Ada's laptop. || I live in Rome.",
    "Now it's Ben speaking. || I live in Rome. || I have a dog.",
    'Hi, this is Ben. || I live in Rome.',
    'Ben typing now. || I live in Rome.',
    "Hi, it's Ada's son using her account. I live in Rome.",
    "This is Tom, Ada's brother. I live in Rome.",
    "Hi, Tom here, Ada's brother. || I live in Rome.",
    "I'm Tom, a friend of Ada's. I live in Rome.",
    "This is Tom (Ada's son). I live in Rome.",
    "Ada's account, but I'm Ben. I live in Rome.",
    "I'm Ben, not Ada. || I live in Rome.",
    "Not Ada, I'm Ben. I live in Rome.",
    "This isn't Ada. I live in Rome.",
    "You're not talking to Ada. I live in Rome.",
    'Ben speaking, Ada is in the shower. I live in Rome.',
    "Ada's brother here. I live in Rome.",
    'Her husband Tom here! || I live in Rome.',
    "Hi, I'm Ada's husband. || I live in Rome.",
    'This is her sister typing. || I live in Rome.',
    'My daughter is taking over now. || Hi! || I live in Rome.',
    "I'm handing you over to my son now. || I live in Rome.",
    'My son wants to talk to you now. || I live in Rome.',
    "I'm typing for my dad, he can't see well. || I have a dog. || I live in Rome.",
    "I'm writing this on behalf of my mother. || I live in Rome.",
    'My mother asked me to type this for her. I live in Rome.',
    'My grandpa is dictating this. || I live in Rome.',
    "Now it's Ben speaking. || I live in Rome. || It's Ben again. || I have a dog.",
  ])('%j', async (talk) => {
    expect((await directOf(talk)).filter((each) => /Rome|dog/.test(each))).toEqual([]);
  });

  it.each([
    "This is Ben, I borrowed Ada's phone. || I live in Rome. || It's Ada again. || I live in Bern.",
    "Now it's Ben speaking. || I live in Rome. || Ada here. I live in Bern.",
    'My son takes over now. || I live in Rome. || Me again. || I live in Bern.',
    "I'm typing for my dad. || I live in Rome. || This is Ada. || I live in Bern.",
    'This is Ben. || I live in Rome. || Ada again. || I live in Bern.',
    'This is Ben. || I live in Rome. || This is Ada. || I live in Bern.',
    "Ben typing now. || I live in Rome. || I've got my phone back. || I live in Bern.",
  ])('until the speaker is back: %j', async (talk) => {
    const lived = (await directOf(talk)).filter((each) => /Rome|Bern/.test(each));
    expect(lived).toEqual([expect.stringContaining('Bern')]);
  });

  it.each([
    'This is Ada. || I live in Bern.',
    'Hi, this is Ada. I live in Bern.',
    "It's Ada speaking. || I live in Bern.",
    'My daughter is taking over the company now. || I live in Bern.',
    "I'm typing on my phone. || I live in Bern.",
    "I'm using my wife's laptop. || I live in Bern.",
    'This is Berlin, I love it here. || I live in Bern.',
    'My mother asked me to call her. || I live in Bern.',
    'My boss asked me to write a report for the board. || I live in Bern.',
    "I'm writing for Vogue. || Hm. || Ok. || I live in Bern.",
    "It's Ben's birthday. || I live in Bern.",
    "I'm Ben's sister. || I live in Bern.",
    'My daughter is typing her thesis. || I live in Bern.',
    'My son wants to talk to his teacher. || I live in Bern.',
    'Same here. || I live in Bern.',
    "I'm not a lawyer. I live in Bern.",
    "I'm Ada, Tom's sister. I live in Bern.",
    "I'm Ada, not Ben. I live in Bern.",
    'This is Tom, my brother. I live in Bern.',
    "But I'm Austrian. I live in Bern.",
    "Here's my phone number, but I'm Swiss. I live in Bern.",
    'Her brother is here. I live in Bern.',
    'His office is in Rome. I live in Bern.',
    "I'm not Ada's biggest fan. I live in Bern.",
    'This is Berlin. || I live in Bern.',
    'This is Portugal. || I live in Bern.',
    'This is Monday. || I live in Bern.',
    'This is NATO. || I live in Bern.',
    'This is TypeScript. || I live in Bern.',
    'This is nice. || I live in Bern.',
    'This is my friend Ben. || I live in Bern.',
    'I love this town. This is Ghent. || I live in Bern.',
    'Nothing new here. || I live in Bern.',
  ])('none: %j', async (talk) =>
    expect(await directOf(talk)).toContainEqual(expect.stringContaining('Bern')),
  );

  it('takes the name of whom only an id is known for theirs', async () => {
    const turns = ['Hi, this is Ben.', 'I live in Bern.'].map((said, n) => ({
      ...turnOf(said, n),
      author: 'user_12',
    }));
    const { gated } = await gateTurns(turns, gating);
    const { going } = extractCandidates([...gated], extracting);
    expect(going.some((each) => each.isDirect)).toBe(true);
  });
});
