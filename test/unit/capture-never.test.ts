/** The negative space of a manifest, in whatever form its words are said. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { validateCandidates } from '../../src/capture/3-validate.ts';
import { neverPhrases } from '../../src/capture/gate/negative-space.ts';
import { wordsOf } from '../../src/capture/sentences/sentence.ts';
import { at, extracting, gating, turnOf } from '../support/capture-turns.ts';

const never = neverPhrases(
  [
    'Salary',
    'off the record',
    'test box',
    'divorce',
    'legal battle',
    'h\u043ebby',
    'зарплата',
    '?!',
  ].map(wordsOf),
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
    "I'm divorced and I live in Rome.",
    "We're divorcing in May.",
    'My divorce is through.',
    "I'm tired of our legal battles.",
  ])('declines %j', (content) => {
    expect(captured(content)).toEqual({ going: [], reasons: ['never'] });
  });

  it('declines what is known under its word, whatever was said', () => {
    expect(captured('I earn 90000 a year.')).toEqual({ going: [], reasons: ['never'] });
  });

  it.each([
    'I live in Rome.',
    'I am on the record.',
    'I prefer salads.',
    'I prefer diverse teams.',
  ])('is not %j', (content) => {
    expect(captured(content).reasons).not.toContain('never');
  });
});

describe('what its speaker asks not to be kept', () => {
  const read = (content: string) => {
    const gated = [...gatedPieces(turnOf(content), gating)];
    return {
      kept: gated.flatMap(({ whole, verdict }) => (verdict.isKept ? [whole.text] : [])),
      reasons: gated.map(({ verdict }) => (verdict.isKept ? 'kept' : verdict.reason)),
    };
  };

  it.each([
    'Off the record. I earn 90k.',
    'Off the record: I earn 90k.',
    'Strictly off-the-record, I earn 90k.',
    '\u041eff the re\u0441ord: I earn 90k.',
    'I earn 90k. Off the record, please.',
    "I earn 90k. That's off the record.",
    'I earn 90k, off the record.',
    'This is off the record. I am seeing a new therapist, Ada.',
    "I'm telling you off the record that I quit Acme.",
    'Can I tell you something off the record? I quit Acme.',
    "Don't remember this: I live in Rome.",
    'Do not remember that I live in Rome.',
    'Please do not store this. My landlord is Bob.',
    'dont save this, my landlord is Bob',
    'My landlord is Bob. No need to remember that.',
    'My landlord is Bob, please do not store that.',
    'My landlord is Bob. This should not be stored.',
    "My landlord is Bob. I don't want this saved.",
    'Between us, I live in Rome.',
    'Between us, the new landlord is Bob.',
    'Just between you and me, I live in Rome.',
    'Just between us, we have three kids.',
    'My landlord is Bob. Keep this between us.',
    "My landlord is Bob. Don't tell anyone.",
    'I live in Rome. Forget I said that.',
    'I live in Rome. Please forget what I just said.',
    'My landlord is Bob. Forget it.',
    'I live in Rome. Delete that.',
    'I live in Rome. Actually no, ignore that.',
    'I live in Rome. Please erase what I just said.',
    'I live in Rome, delete that.',
    'My landlord is Bob. Scratch that.',
    'No, ignore that.',
  ])('is none of: %j', (content) => {
    const { kept, reasons } = read(content);
    expect(kept).toEqual([]);
    expect(new Set(reasons)).toEqual(new Set(['never']));
  });

  it('is still a secret where it is one', () =>
    expect(read('My password is correct-horse-9. Off the record.').reasons).toEqual([
      'secret',
      'never',
    ]));

  it('is what stands before its speaker takes it back', () => {
    expect(read('I live in Rome. Forget that. I prefer tea.').kept).toEqual(['I prefer tea.']);
    expect(read('I live in Rome. No, ignore that. I prefer tea.').kept).toEqual(['I prefer tea.']);
    expect(read('I live in Rome. Scratch that. I prefer tea.').kept).toEqual(['I prefer tea.']);
    expect(read('Forget what I said, I live in Oslo now.').kept).toHaveLength(1);
    expect(read('Forget it, I live in Oslo now.').kept).toHaveLength(1);
  });

  it.each([
    'please do not ',
    'off the record ',
    'between us, ',
    'this is not ',
    'forget that ',
    'no, delete that ',
  ])('is looked for in linear time: %j', (words) => {
    const start = performance.now();
    read(words.repeat(8000));
    read(`${words.repeat(200)}x. `.repeat(20));
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it.each([
    'Remember: I live in Rome.',
    "Don't forget that I live in Rome.",
    'I live in Rome. Save this.',
    'I live in Rome. There is a comment in line 4. Delete that.',
    'I live in Rome. There is a sign in the hall. Ignore that.',
    'I live in Rome. Ignore that sign.',
    'I live in Rome. Ignore that the mail is late.',
    'I live in Rome. My interview with Bob was off the record.',
    'I live in Rome. We spoke off the record.',
    'I told Bo off the record that I live in Rome.',
    'I live in Rome. I like off the record chats.',
    "I live in Rome. Don't store secrets in the repo.",
    "I live in Rome. Don't keep it in the fridge.",
    "I live in Rome. Don't tell Bob.",
    'Between us, we have three kids.',
    'I live in Rome. The gap between us is small.',
  ])('is not asked by: %j', (content) => {
    const { kept, reasons } = read(content);
    expect(kept).not.toEqual([]);
    expect(reasons).not.toContain('never');
  });
});
