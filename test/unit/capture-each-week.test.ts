/** Weekdays that come every week name no day, so that none is written beside them. */
import { expect, it } from 'vitest';
import { withDays } from '../../src/capture/times/dates.ts';

const today = Date.parse('2026-11-28T00:00:00.000Z');

it.each([
  'I swim on Tuesday and Thursday.',
  'I got on the course, Monday and Tuesday evenings.',
  'I work Monday Wednesday Friday from 2 to 5.',
  'My second morning is now Thursday instead of Wednesday.',
  'My Monday meeting is in room 4.',
  'I drive to Rome every Friday.',
  'I see her every other Monday.',
  'We meet on the second Tuesday of each month.',
  'The group meeting is Wednesday 10 this semester.',
  // In a name.
  'I work at Next Friday Studios.',
  'My favourite film is The Day After Tomorrow.',
  'My favourite song is Yesterday.',
  'I like Taco Tuesday.',
])('of each week: %s', (text) => {
  expect(withDays(text, today)).toBe(text);
});

it.each([
  ['My exam is on Thursday.', '2026-12-03'],
  ['The first Tuesday is free.', '2026-12-01'],
  ['Tomorrow I fly to Rome.', '2026-11-29'],
  ['I fly to Rome on Tuesday.', '2026-12-01'],
  ['We moved. Yesterday we painted.', '2026-11-27'],
  ['I fly on Thursday instead of Wednesday.', '2026-12-03'],
])('of one: %s', (text, day) => {
  expect(withDays(text, today)).toContain(day);
});
