/** A weekday that ends something: the text and the end of the statement are of one day. */
import { describe, expect, it } from 'vitest';
import { boundIn } from '../../src/capture/times/bounds.ts';
import { DAY_MS, withDays } from '../../src/capture/times/dates.ts';

const FRIDAY = Date.parse('2026-03-06T00:00:00.000Z');
const dayOf = (day: number | undefined) =>
  day === undefined ? null : new Date(day).toISOString().slice(0, 10);

describe('a weekday that ends something', () => {
  it.each([
    ['I am on leave until Friday.', '2026-03-13'],
    ['I am on leave through Friday.', '2026-03-13'],
    ["I'm on leave till Friday.", '2026-03-13'],
    ["I'm on leave 'til Friday.", '2026-03-13'],
    ['I am on leave up to Friday.', '2026-03-13'],
    ['I am on leave up to and including Friday.', '2026-03-13'],
    ['I am on leave until this Friday.', '2026-03-06'],
    ['I am on leave until next Friday.', '2026-03-13'],
    ['I am on leave until Saturday.', '2026-03-07'],
    ['I am on leave until Thursday.', '2026-03-12'],
    ['I am on leave from Wednesday to Friday.', '2026-03-13'],
    ['I am on leave from Saturday until Tuesday.', '2026-03-10'],
  ])('ends %j on one day', (text, day) => {
    expect(dayOf(boundIn(text, FRIDAY)?.to)).toBe(day);
    expect(withDays(text, FRIDAY)).toContain(`(${day}).`);
  });

  it('is the one of today where nothing lasts until then', () => {
    expect(withDays('My exam is on Friday.', FRIDAY)).toBe('My exam is on Friday (2026-03-06).');
    expect(withDays('I moved on Friday.', FRIDAY)).toContain('(2026-03-06)');
  });

  it('has one day on every day of the week', () => {
    for (let today = FRIDAY; today < FRIDAY + 7 * DAY_MS; today += DAY_MS)
      for (const day of ['Monday', 'Wednesday', 'Friday', 'Sunday']) {
        const text = `I am on leave until ${day}.`;
        const to = dayOf(boundIn(text, today)?.to);
        expect(withDays(text, today)).toBe(`I am on leave until ${day} (${to}).`);
      }
  });
});
