import { describe, expect, it } from 'vitest';
import { boundIn } from '../../src/capture/times/bounds.ts';
import { dayText, pastDay, timesIn, withDays } from '../../src/capture/times/dates.ts';

/** A Tuesday. */
const today = Date.UTC(2026, 2, 3);
const daysOf = (text: string) => timesIn(text, today).map(({ from }) => dayText(from));
const pastOf = (text: string): string | null => {
  const day = pastDay(text, today);
  return day === null ? null : dayText(day);
};

describe('a day that is counted from another one', () => {
  it.each([
    ['I see the dentist the day after tomorrow', '2026-03-05'],
    ['I met Tom the day before yesterday', '2026-03-01'],
    ['I fly to Rome on Friday week', '2026-03-13'],
    ['My exam is a week on Friday', '2026-03-13'],
    ['My exam is a week from Friday', '2026-03-13'],
    ['We meet two weeks from Monday', '2026-03-23'],
    ['I start in two weeks from tomorrow', '2026-03-18'],
    ['My flight is a week from today', '2026-03-10'],
    ['I start at Acme the Friday after next', '2026-03-13'],
    ['I started at Acme the Tuesday before last', '2026-02-17'],
    ['I moved to Bern a year ago today', '2025-03-03'],
    ['I start at Acme this coming Monday', '2026-03-09'],
  ])('%s', (text, day) => expect(withDays(text, today)).toBe(`${text} (${day})`));

  it.each([
    'I fly to Rome on Tuesday week',
    'My exam is a week from Tuesday',
    'It was a week ago Tuesday',
    'It was a week ago on Monday',
  ])('is none where it can be one of two: %s', (text) => expect(daysOf(text)).toEqual([]));

  it.each([
    ['I swim once a week on Friday', ['2026-03-06']],
    ['I see Tom on Friday week 3 of the term', ['2026-03-06']],
    ['I love The Day After Tomorrow', []],
    ['I moved to Bern a week ago', ['2026-02-23']],
  ])('is another one or none: %s', (text, days) => expect(daysOf(text)).toEqual(days));
});

describe('a day in numbers', () => {
  it.each([
    ['My lease runs until 31.12.2027', '2027-12-31'],
    ['My visa is valid until 31/12/27', '2027-12-31'],
    ['My exam is on 09.12.2026', '2026-12-09'],
    ['My exam is on 12/25/2026', '2026-12-25'],
    ['My exam is on 5/5/2026', '2026-05-05'],
    ['I moved on 1.3.2024', '2024-03-01'],
  ])('%s', (text, day) => expect(daysOf(text)).toEqual([day]));

  it.each([
    'My exam is on 12/9/2026',
    'I use Python 3.12.10',
    'The release is 1.3.24',
    'The host is 10.12.2026.4',
    'The ratio is 12/15/27',
    'My lease ends on 31.02.2027',
    'My exam is on 13/13/2026',
  ])('is none: %s', (text) => expect(daysOf(text)).toEqual([]));

  it('ends what holds until then', () => {
    for (const day of ['31.12.2027', '31/12/27', '31/12/2027']) {
      const to = boundIn(`My visa is valid until ${day}`, today)?.to ?? 0;
      const span = boundIn(`I am in Rome until ${day}`, today)?.to ?? to;
      expect([to, span].map(dayText)).toEqual(['2027-12-31', '2027-12-31']);
    }
  });
});

describe('since when it is so', () => {
  it.each([
    ["I've lived in Bern since 2019", null],
    ['I have lived in Bern since March 2020', null],
    ['I have worked at Acme since October', '2025-10-01'],
    ['I have worked at Acme since February', '2026-02-01'],
    ['I worked at Acme from 2020 to 2023', '2020-01-01'],
    ['I live in a house built in 1990', null],
    ['I pay from 1900 to 2000 euros', null],
    ['I like October', null],
  ])('%s', (text, day) => expect(pastOf(text)).toBe(day));
});

describe('the 15th', () => {
  it.each([
    ['My exam is on the 15th', '2026-03-15'],
    ['My flight to Rome is on the 2nd at noon', '2026-04-02'],
    ['My exam is on the 31st', '2026-03-31'],
    ['I start at Acme on the 15th', '2026-03-15'],
  ])('is the next one of what comes once: %s', (text, day) => expect(daysOf(text)).toEqual([day]));

  it.each([
    'My rent is due on the 1st',
    'I get paid on the 15th every month',
    'I live on the 15th floor',
    'My exam was on the 15th',
    'My exam is on the 3rd',
  ])('is none: %s', (text) => expect(daysOf(text)).toEqual([]));

  it('is over then', () => {
    const bound = boundIn('My exam is on the 15th', today);
    expect([bound?.isEvent, dayText(bound?.to ?? 0)]).toEqual([true, '2026-03-15']);
    expect(boundIn('I start at Acme on the 15th', today)).toBeNull();
  });
});
