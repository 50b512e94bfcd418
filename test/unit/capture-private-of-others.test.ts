/** What is private of somebody else waits, also where it is asked to be kept. */
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

describe('private matters of others wait', () => {
  it.each([
    'Remember that Ben has cancer.',
    'Note that Vera is pregnant.',
    "Remember that she's pregnant.",
    'I live with Eva, she has cancer.',
    'Remember that Tom is gay.',
    'Please remember that my cousin has an eating disorder.',
  ])('%s', async (text) => expect(await directOf(text)).toEqual([]));

  it.each([
    'Remember that Ben has a dog.',
    'I have cancer.',
    "Remember that I'm pregnant.",
    'I live with Eva, she has a cat.',
    'I have debts.',
    'I work at a clinic that has cancer patients.',
    "I'm still in chemo and I have insulin.",
  ])('none: %s', async (text) => expect(await directOf(text)).not.toEqual([]));
});
