/** What somebody else said, or what is said of somebody else, is no statement of the speaker. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

const directOf = (content: string): readonly string[] =>
  extractCandidates([...gatedPieces(turnOf(content), gating)], extracting).going.flatMap((each) =>
    each.isDirect && each.kind === 'fact' ? [each.content] : [],
  );

describe('what is said by or of others', () => {
  it.each([
    '"I live in Rome", said Bob.',
    'I live in Rome, said my boss.',
    'Translate into French: I moved to Rome.',
    'Please translate this.\nI moved to Rome.',
    'Bob: I moved to Rome.\nAnn: I did not.',
    'They moved my sister to the payments team.',
    "My sister's budget is 900.",
    "Our CEO's salary is 500000.",
    "My son's school is Hilltop.",
    "My parents' address is 5 Main Street.",
    "My lawyer's phone is 555 0101 22.",
    'My ex-wife lives in Rome.',
    'My fiancé works at Acme.',
    'My grandson is 5.',
    'Our daughter-in-law earns 900.',
    "I raised Bob's rent.",
    "I've just raised Bob’s rent to 900.",
    "We lowered our tenant's rent to 900 in May.",
    'I moved Clara to the Paris office.',
    'We have moved Bob to Berlin in May.',
    'I told Bob that his salary is 90k.',
  ])('%s', (content) => expect(directOf(content)).toEqual([]));

  it.each([
    'I live in Rome.',
    'My tutor is Marc.',
    "My boss's name is Ada.",
    'My rent is 900.',
    'Update: I moved to Rome.',
    'I told my boss that I quit, I work at Acme now.',
    'I raised my rent to 900.',
    "I have moved to Bob's flat.",
    "I moved in with Bob's sister in May.",
    "I love Bob's cooking.",
    "I visited Bob's wife in Rome last week.",
  ])('of the speaker: %s', (content) => expect(directOf(content)).not.toEqual([]));
});

describe('what is to be passed on', () => {
  it.each([
    'Tell Bob I live in Oslo now.',
    'tell bob i live in oslo now',
    'Please tell my boss that I quit Acme.',
    'Remember to tell Bob I live in Oslo now.',
    'Tell Bob: I live in Oslo and I work at Acme now.',
    'Let her know I moved to Rome.',
    'Let the team know that I work at Acme now.',
    'Text Bob that I moved to Rome.',
    'Email Clara that my new number is 555 0101 22.',
    'Write to Bob that I moved to Rome.',
    'Message Bob I live in Oslo now.',
    'Inform the team I moved to Rome.',
  ])('is no statement: %s', (content) => {
    const gated = [...gatedPieces(turnOf(content), gating)];
    expect(gated.map(({ verdict }) => verdict)).toEqual([{ isKept: false, reason: 'uncertain' }]);
  });

  it.each([
    'Just to let you know I moved to Rome.',
    'I told you I live in Oslo now.',
    'Tell Bob hi, I live in Rome now.',
    'Let me tell you, I live in Rome.',
    'Email me at ann@b.example.',
    'Message queues we use are Kafka and NATS.',
    'Always tell the team before we deploy.',
  ])('is not asked by: %s', (content) =>
    expect([...gatedPieces(turnOf(content), gating)].some(({ verdict }) => verdict.isKept)).toBe(
      true,
    ),
  );
});
