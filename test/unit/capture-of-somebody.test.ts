/** `Tom's salary is 90k` is of Tom, whatever form it has. */
import { describe, expect, it } from 'vitest';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

async function directOf(content: string): Promise<readonly string[]> {
  const { gated } = await gateTurns([turnOf(content)], gating);
  return extractCandidates([...gated], extracting).going.flatMap((each) =>
    each.isDirect && each.kind === 'fact' ? [each.content] : [],
  );
}

describe('what somebody is said to have', () => {
  it.each([
    "Tom's salary is 90k.",
    "Bob's weight is 90 kg.",
    "Mia's rent is 900 euros.",
    "Lars' shift is at 9.",
    "Bavaria's budget is 90k.",
    'Her salary is 90k.',
  ])('is not the speaker\u2019s: %s', async (said) => {
    expect(slotOf(sentenceOf(said, 0))?.isOwn ?? false).toBe(false);
    expect(await directOf(said)).toEqual([]);
  });

  it.each([
    ['Salary is 90k.', "Ada's salary is 90k."],
    ['My salary is 90k.', "Ada's salary is 90k."],
    ["Ada's salary is 90k.", "Ada's salary is 90k."],
    ["Metformin's back to 500 mg.", "Ada's metformin dose is 500 mg."],
  ])('is theirs: %s', async (said, kept) => {
    const { gated } = await gateTurns([turnOf(said)], gating);
    const { going } = extractCandidates([...gated], extracting);
    expect(going).toMatchObject([{ content: kept }]);
  });
});

it.each([
  "Ada says hi. I'm her mom and I live in Rome.",
  'Ada is asleep. I live in Rome.',
  'Speaking as Tom, I live in Rome.',
  'My character lives in Oslo. I live in Rome.',
  'This is a test. I live in Rome.',
  'I live in Rome. Just testing!',
])('is no statement of the speaker: %s', async (said) => expect(await directOf(said)).toEqual([]));

it.each(['Ada is my name. I live in Rome.', 'The test is on Monday. I live in Rome.'])(
  'is one: %s',
  async (said) => expect(await directOf(said)).toContain('Ada lives in Rome.'),
);
