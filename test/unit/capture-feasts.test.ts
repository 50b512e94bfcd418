/** Feasts that name the end of a state: those that move are computed. */
import { describe, expect, it } from 'vitest';
import { boundIn } from '../../src/capture/times/bounds.ts';
import { dayText, withDays } from '../../src/capture/times/dates.ts';
import { easterOf } from '../../src/capture/times/named-feast.ts';

const today = Date.parse('2026-11-27T00:00:00.000Z');
const endOf = (text: string): string | null => {
  const bound = boundIn(text, today);
  return bound && dayText(bound.to);
};

// The earliest and the latest that there are, leap years, and both sides of a century.
it.each([
  '1818-03-22',
  '1900-04-15',
  '1943-04-25',
  '1999-04-04',
  '2000-04-23',
  '2008-03-23',
  '2019-04-21',
  '2024-03-31',
  '2026-04-05',
  '2027-03-28',
  '2038-04-25',
  '2285-03-22',
])('Easter of its year is %s', (day) =>
  expect(dayText(easterOf(Number(day.slice(0, 4))))).toBe(day),
);

describe('a state that lasts until a feast', () => {
  it.each([
    ["I'm on a diet until Easter.", '2027-03-28'],
    ["I'm working from Lisbon till Good Friday.", '2027-03-26'],
    ["I'm away through Easter Monday.", '2027-03-29'],
    ["We're closed until Pentecost 2028.", '2028-06-04'],
    ["I'm off sugar until Christmas.", '2026-12-25'],
    ["I'm staying with my sister until New Year's Eve.", '2026-12-31'],
    ["I'm not drinking until Ash Wednesday.", '2027-02-10'],
  ])('ends with its day: %s', (text, day) => expect(endOf(text)).toBe(day));

  it('ends with that of this year while it is to come', () => {
    const day = Date.parse('2026-04-05T00:00:00.000Z');
    expect(boundIn("I'm fasting until Easter.", day)?.to).toBe(day);
  });

  it.each([
    'I visit my parents every Easter.',
    "I'm in Rome until the Easter break.",
    'Easter is my favourite feast.',
    'I live on Easter Island.',
    'We moved here last Easter.',
    'My dog is called Easter.',
    "I'm home until Thanksgiving.",
  ])('is none that names no such day: %s', (text) => expect(endOf(text)).toBeNull());

  it('has no other day written beside it', () => {
    expect(withDays("I'm away until Easter Monday.", today)).toBe("I'm away until Easter Monday.");
    expect(withDays("I'm away until Monday.", today)).toContain('2026-11-30');
  });
});
