/** What is kept says what was said: whose it is, where it went, who is quoted, and each verb. */
import { describe, expect, it } from 'vitest';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { toStatement } from '../../src/capture/sentences/statement.ts';
import type { Collection } from '../../src/model/manifest.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';
import { keptOf } from '../support/kept-facts.ts';

describe('what was moved', () => {
  it.each([
    ['I moved my money to Wells Fargo.', 'Ada moved their money to Wells Fargo.'],
    ['I moved my savings to ING.', 'Ada moved their savings to ING.'],
    ['I moved my couch to the basement.', 'Ada moved their couch to the basement.'],
    ['I moved my office to Oslo.', "Ada's office is in Oslo."],
    ['We moved our standup to 10:30.', "Ada's standup is at 10:30."],
    ['We moved our standup to Friday.', "Ada's standup is on Friday (2026-05-22)"],
  ])('is where it went: %s', async (said, kept) => expect(await keptOf(said)).toEqual([kept]));

  it.each([
    'I moved the file to src.',
    'I moved the config file to src/config.',
    'We moved the tests to the test folder.',
    'I just renamed the helpers to utils.',
  ])('is none to keep, where it is a file of the work: %s', async (said) =>
    expect(await keptOf(said)).toEqual([]),
  );

  it('is kept of files that are one’s own', async () =>
    expect(await keptOf('I moved my photos to Google Drive.')).toEqual([
      'Ada moved their photos to Google Drive.',
    ]));
});

it.each([
  ["My wife's birthday is June 3rd.", "Ada's wife's birthday is on June 3rd."],
  ["My daughter Mia's birthday is May 3.", "Ada's daughter Mia's birthday is on May 3."],
  ['My birthday is June 3rd.', "Ada's birthday is June 3rd."],
])('whose it is stays: %s', async (said, kept) => expect(await keptOf(said)).toEqual([kept]));

it.each([
  ['I moved out and live alone now', 'Ada moved out and lives alone now'],
  ['I quit and work from home now', 'Ada quit and works from home now'],
  ['I moved to Rome and speak Italian now', 'Ada moved to Rome and speaks Italian now'],
  ['I wanted to move out and live alone now', 'Ada wanted to move out and live alone now'],
  ['I learned to cook and play the guitar', 'Ada learned to cook and play the guitar'],
  ['I bought songs and love letters', 'Ada bought songs and love letters'],
  ['My sister says "I live in Berlin."', 'Ada\'s sister says "I live in Berlin."'],
  ['My motto is “I never give up”', "Ada's motto is “I never give up”"],
  ['I say "my house" to my guests', 'Ada says "my house" to their guests'],
  [
    'My screen is 27" wide and my desk is small',
    'Ada\'s screen is 27" wide and their desk is small',
  ],
])('each verb is of who does it, and quoted words stay: %s', (said, kept) =>
  expect(toStatement(said, 'Ada')).toBe(kept),
);

it.each([
  ['I work as the system administrator of this platform.', ['system administrator']],
  ['I work as the head of marketing of Acme.', ['head of marketing of Acme']],
  ['I work as a teacher in Rome.', ['teacher in Rome']],
])('a value ends in no preposition: %s', async (said, values) => {
  const role = { name: 'role', type: 'text', cardinality: 'one', patterns: ['i work as {value}'] };
  const property = { ...role, description: '', words: {}, options: [] };
  const profile = { name: 'profile', properties: { role: property } } as unknown as Collection;
  const { gated } = await gateTurns([turnOf(said)], gating);
  const { going } = extractCandidates([...gated], { ...extracting, collections: [profile] });
  const found = going.flatMap((each) => (each.kind === 'typed' ? [each.typed.value] : []));
  expect(found).toEqual(values);
});
