/** The negative space of a manifest, in whatever form its words are said. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { validateCandidates } from '../../src/capture/3-validate.ts';
import { neverPhrases } from '../../src/capture/negative-space.ts';
import { wordsOf } from '../../src/capture/sentence.ts';
import { at, extracting, gating, turnOf } from '../support/capture-turns.ts';

const never = neverPhrases(
  ['Salary', 'off the record', 'test box', 'h\u043ebby', 'зарплата', '?!'].map(wordsOf),
);
const settings = { now: at(59), timeZone: 'UTC', minConfidence: 0, never };

function captured(content: string) {
  const gated = [...gatedPieces(turnOf(content), { ...gating, never })];
  const extracted = extractCandidates(gated, extracting);
  const { going, settled } = validateCandidates(extracted.going, settings);
  return { going, reasons: [...extracted.settled, ...settled].map(({ reason }) => reason) };
}

describe('negative space', () => {
  it.each([
    'My salary is 90000.',
    "My salary's 90000.",
    'My salary’s 90000 and I live in Rome.',
    'I live in Rome, my SALARY is 90000.',
    'Our salaries are 90000.',
    'I keep two test boxes at home.',
    'I live in Rome, off-the-record.',
    'Never mention my salary to Bob.',
    'My s\u0430lary is 90000.',
    'My ｓａｌａｒｙ is 90000.',
    'My s\u200balary is 90000.',
    'I live in Rome, \u043eff the re\u0441ord.',
    'My hobby is chess.',
    'My зарплата is 90000.',
  ])('declines %j', (content) => {
    expect(captured(content)).toEqual({ going: [], reasons: ['never'] });
  });

  it('declines what is known under its word, whatever was said', () => {
    expect(captured('I earn 90000 a year.')).toEqual({ going: [], reasons: ['never'] });
  });

  it.each(['I live in Rome.', 'I am on the record.', 'I prefer salads.'])(
    'is not %j',
    (content) => {
      expect(captured(content).reasons).not.toContain('never');
    },
  );
});
