import { describe, expect, it } from 'vitest';
import { headOf, isVisible } from '../../src/model/validity.ts';
import { day, uuidOf } from '../support/timeline-ledger.ts';

const row = {
  recorded_seq: 5,
  retired_seq: null,
  valid_from: day(2),
  valid_until: null,
  closed_seq: null,
  status: 'live',
} as const;

describe('isVisible', () => {
  it.each([
    ['recorded by K', {}, 2, 5, true],
    ['not recorded by K', {}, 2, 4, false],
    ['begun by V, at its first instant', {}, 2, 9, true],
    ['not begun by V', {}, 1, 9, false],
    ['retired after K', { retired_seq: 8 }, 3, 7, true],
    ['retired by K', { retired_seq: 8 }, 3, 8, false],
    ['an end that V has not reached', { valid_until: day(4) }, 3, 9, true],
    ['an end is not part of the interval', { valid_until: day(4) }, 4, 9, false],
    ['an end that became known after K', { valid_until: day(4), closed_seq: 8 }, 4, 7, true],
    ['an end that was known by K', { valid_until: day(4), closed_seq: 8 }, 4, 8, false],
    ['a status other than live, whatever K is', { status: 'suppressed' }, 3, 9, false],
  ] as const)('%s', (_what, columns, on, head, expected) => {
    expect(isVisible({ ...row, ...columns }, day(on), head)).toBe(expected);
  });
});

describe('headOf', () => {
  it('is undefined for a scope outside the position: head 0 is a head', () => {
    const position = [{ scope: uuidOf(1), head: 0 }];
    expect([headOf(position, uuidOf(1)), headOf(position, uuidOf(2))]).toEqual([0, undefined]);
  });
});
