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
