/** What tells something new of a slot and value that are known is no duplicate. */
import { describe, expect, it } from 'vitest';
import { saysAlready } from '../../src/capture/compare/says-already.ts';
import type { FactCandidate, KnownFact } from '../../src/capture/state.ts';

const heard = (content: string, name: string, value: string, isCorrection = false) =>
  ({
    ...{ content, subject: 'Ada', isCorrection, slot: { name, value, isEnd: false } },
  }) as unknown as FactCandidate;
const known = (content: string): KnownFact => ({ content }) as unknown as KnownFact;

describe('what is known already', () => {
  it.each([
    ['Ada works at Acme as a cook.', 'Ada works at Acme as a nurse.', 'employer', 'acme'],
    ["Ada's budget is 900 for food.", "Ada's budget is 900 for rent.", 'budget', '900'],
    ["Ada's allergies are nuts.", "Ada's allergies: nuts and shellfish.", 'allergies', 'nuts'],
  ])('%j does not say %j', (before, after, name, value) =>
    expect(saysAlready(heard(after, name, value), known(before))).toBe(false),
  );
  it.each([
    ['Ada has lived in Oslo since 2016.', 'Ada lives in Oslo.', 'home', 'oslo'],
    ['Ada moved to Oslo.', 'Ada lives in Oslo now.', 'home', 'oslo'],
  ])('%j says %j', (before, after, name, value) =>
    expect(saysAlready(heard(after, name, value), known(before))).toBe(true),
  );
  it('hears a correction unless it is the same text', () => {
    const said = 'Ada lives in Oslo.';
    const long = known('Ada has lived in Oslo since 2016.');
    expect(saysAlready(heard(said, 'home', 'oslo', true), long)).toBe(false);
    expect(saysAlready(heard(said, 'home', 'oslo', true), known(said))).toBe(true);
  });
});
