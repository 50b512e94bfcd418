/** A thing that moved is where it went; it is no town itself. */
import { describe, expect, it } from 'vitest';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

async function keptOf(said: string): Promise<readonly string[]> {
  const { gated } = await gateTurns([turnOf(said)], gating);
  return extractCandidates([...gated], extracting).going.flatMap((each) =>
    each.kind === 'fact' ? [each.content] : [],
  );
}

describe('what was moved', () => {
  it.each([
    ['We moved the office to Turin.', "Ada's office is in Turin."],
    ['We moved our office from Milan to Turin.', "Ada's office is in Turin."],
    ['We relocated the headquarters to Zug.', "Ada's headquarters are in Zug."],
    ['We moved our warehouse to Ghent.', "Ada's warehouse is in Ghent."],
    // A day is one.
    ['We moved the meeting to Friday.', "Ada's meeting is on Friday"],
  ])('%s', async (said, kept) =>
    expect((await keptOf(said)).map((each) => each.replace(/ \(.*\)/, ''))).toEqual([kept]),
  );
});
