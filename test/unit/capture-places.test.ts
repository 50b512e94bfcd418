/** A thing that moved is where it went; it is no town itself. */
import { describe, expect, it } from 'vitest';
import { keptOf } from '../support/kept-facts.ts';

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
