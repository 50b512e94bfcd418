/** What says until when it holds ends there; a day that no calendar has is none. */
import { describe, expect, it } from 'vitest';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { validateCandidates } from '../../src/capture/3-validate.ts';
import { gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { namesNoDay } from '../../src/capture/times/day-spelling.ts';
import { at, extracting, gating, turnOf } from '../support/capture-turns.ts';

/** Of a turn of 20 May 2026. */
async function candidatesOf(said: string) {
  const { gated } = await gateTurns([turnOf(said)], gating);
  return extractCandidates([...gated], extracting).going;
}
const endsOf = async (said: string) =>
  (await candidatesOf(said)).map(({ valid_until: until }) => until?.slice(0, 10) ?? null);

describe('until', () => {
  it.each([
    ['I live in Rome until 2028.', '2029-01-01'],
    ['I live in Rome until September.', '2026-10-01'],
    ['I work at Acme until the end of the year.', '2027-01-01'],
    ["I'm at Acme until the end of 2027.", '2028-01-01'],
    ["I'm on parental leave until Easter.", '2027-03-29'],
    ['I live with my parents until Christmas.', '2026-12-26'],
    ['My lease runs until the end of March 2027.', '2027-04-01'],
    ['I use Windows until 2027-06-30.', '2027-07-01'],
    ['I rent a flat in Bonn until June 30.', '2026-07-01'],
    ['I live in Rome until next summer.', '2026-09-01'],
    ["I'm on leave until next winter.", '2027-03-01'],
    ['I work from Lisbon until next spring.', '2027-06-01'],
    ['I live in Rome from 2025 to 2028.', '2029-01-01'],
    ["I'm studying in Rome from 2025 to 2028.", '2029-01-01'],
    ['My contract runs from 2024 to 2027.', '2028-01-01'],
    ['My exam is on 2026-12-15.', '2026-12-16'],
    ['My exam is on 15.12.2026.', '2026-12-16'],
    ['I have an exam on 2026-12-15.', '2026-12-16'],
    ['My exam is on the 15th.', '2026-06-16'],
    ['My exam is at 10 on the 15th.', '2026-06-16'],
    // Said as if it went on, all of it is over.
    ['I work at Siemens from 2020 to 2023.', '2024-01-01'],
  ])('ends: %s', async (said, day) => expect(await endsOf(said)).toEqual([day]));

  it.each([
    'I live in Rome until further notice.',
    'I lived in Rome until 2019.',
    "I didn't drink coffee until 2020.",
    'I used to live in Ghent until May.',
    'I work until 6.',
    'I live in Spain from October until May.',
    'My band is called Until May.',
    'I lived in Rome from 2020 to 2023.',
    'I worked at Siemens from 2020 to 2023.',
    'I studied in Rome (2015-2018).',
    'I work from 2000 to 2100.',
    'I swim in summer.',
    'My favourite film is Until Dawn.',
  ])('does not: %s', async (said) => expect(await endsOf(said)).toEqual([null]));
});

it('is over before it was said, and then it is none to keep', async () => {
  const settings = { now: at(1), timeZone: 'UTC', minConfidence: 0, never: [] };
  const said = await candidatesOf('I live in Rome from 2020 to 2023.');
  const { going, settled } = validateCandidates(said, settings);
  expect([going, settled.map(({ reason }) => reason)]).toEqual([[], ['expired']]);
});

it.each(['Order 2026-12-15 4711 4712.', '2026-12-15 10:33:12 ERROR 500'])(
  'a line of numbers is code: %s',
  async (said) => expect(await candidatesOf(said)).toEqual([]),
);

describe('a day', () => {
  it.each([
    'My party is on June 31.',
    'My exam is on February 30.',
    'My flight is on 2027-02-29.',
    'My birthday is February 30.',
    'I start at Acme on 31 November.',
    'My deadline is 31/02/2027.',
    'My appointment is on the 31st of June.',
    'My wedding is on Feb 29, 2027.',
  ])('is none: %s', async (said) => {
    const settings = { now: at(1), timeZone: 'UTC', minConfidence: 0, never: [] };
    const { going, settled } = validateCandidates(await candidatesOf(said), settings);
    expect(going).toEqual([]);
    expect(settled.map(({ reason }) => reason)).toEqual(['not_dated']);
  });

  it.each([
    'February 29',
    '2028-02-29',
    'May 31',
    '12/31/2026 or 31/12/2026',
    'I work at 31 June Street.',
    'in June 31 people came',
    'my order is 2026-99-12',
    'I may 31 times',
    'version 1.31.2027',
  ])('is one, or no date: %s', (said) => expect(namesNoDay(said)).toBe(false));
});
