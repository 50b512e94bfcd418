/** Weekdays that come every week name no day, so that none is written beside them. */
import { expect, it } from 'vitest';
import { withDays } from '../../src/capture/times/dates.ts';

const today = Date.parse('2026-11-28T00:00:00.000Z');

it.each([
  'I swim on Tuesday and Thursday.',
  'I got on the course, Monday and Tuesday evenings.',
  'I work Monday Wednesday Friday from 2 to 5.',
  'My second morning is now Thursday instead of Wednesday.',
])('of each week: %s', (text) => {
  expect(withDays(text, today)).toBe(text);
});

it.each([
  ['My exam is on Thursday.', '2026-12-03'],
  ['I fly on Thursday instead of Wednesday.', '2026-12-03'],
])('of one: %s', (text, day) => {
  expect(withDays(text, today)).toContain(day);
});
