/** The bar of a long command counts one unit, and says what is left once it knows. */
import { expect, it } from 'vitest';
import { barOf } from '../../src/cli/progress-bar.ts';

it('is empty at the beginning and full at the end, and never beyond', () => {
  expect(barOf({ done: 0, all: 400, ms: 0 })).toBe(`${'░'.repeat(20)}  0 of 400 records`);
  expect(barOf({ done: 400, all: 400, ms: 500 })).toBe(`${'█'.repeat(20)}  400 of 400 records`);
  expect(barOf({ done: 9, all: 4, ms: 0 })).toContain('█'.repeat(20));
  expect(barOf({ done: 0, all: 0, ms: 0 })).toContain('█'.repeat(20));
});

it('says what is left by the rate so far', () => {
  expect(barOf({ done: 100, all: 400, ms: 2000 })).toContain('100 of 400 records, 6 s left');
  expect(barOf({ done: 100, all: 40_000, ms: 2000 })).toContain('14 min left');
  expect(barOf({ done: 100, all: 400, ms: 900 })).not.toContain('left');
});
