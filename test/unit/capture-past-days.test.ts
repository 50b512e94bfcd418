import { describe, expect, it } from 'vitest';
import { withDays } from '../../src/capture/times/dates.ts';

/** A Thursday. */
const today = Date.UTC(2025, 9, 9);

describe('a weekday behind a verb of the past', () => {
  it.each([
    ['I ate mussels on Sunday', '2025-10-05'],
    ['She broke her hip on Sunday', '2025-10-05'],
    ['I sold the bike on Tuesday', '2025-10-07'],
    ['We drove to Graz on Saturday', '2025-10-04'],
    ['I visited Ada on Monday', '2025-10-06'],
  ])('is the last one: %s', (text, day) => expect(withDays(text, today)).toBe(`${text} (${day})`));

  it.each([
    ['I am eating mussels on Sunday', '2025-10-12'],
    ['I have a plate to fill on Sunday', '2025-10-12'],
    ['My left knee is seen to on Tuesday', '2025-10-14'],
    ['I sold the bike for Saturday', '2025-10-11'],
  ])('is the next one elsewhere: %s', (text, day) =>
    expect(withDays(text, today)).toBe(`${text} (${day})`),
  );
});
