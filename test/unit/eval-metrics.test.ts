/** The measures of the evaluation, against values worked out by hand. */
import { describe, expect, it } from 'vitest';
import {
  ndcgAt,
  precisionAt,
  prefixStability,
  recallAt,
  reciprocalRank,
} from '../../eval/metrics/ranking.ts';
import {
  bootstrapInterval,
  pairedInterval,
  percentile,
  seededRandom,
} from '../../eval/metrics/statistics.ts';
import { evidenceOf } from '../../eval/suites/locomo.ts';

describe('a ranking', () => {
  const ranking = ['a', 'b', 'c', 'd', 'e', 'f'];

  it('recalls the share of the evidence among the first k', () => {
    expect(recallAt(ranking, ['b', 'f'], 1)).toBe(0);
    expect(recallAt(ranking, ['b', 'f'], 2)).toBe(0.5);
    expect(recallAt(ranking, ['b', 'f'], 6)).toBe(1);
    expect(recallAt(ranking, ['b', 'z'], 6)).toBe(0.5);
  });

  it('is precise by k places, also where it is shorter', () => {
    expect(precisionAt(ranking, ['a', 'c'], 4)).toBe(0.5);
    expect(precisionAt(['a'], ['a'], 5)).toBe(0.2);
  });

  it('has the reciprocal of the first place', () => {
    expect(reciprocalRank(ranking, ['d', 'f'])).toBe(0.25);
    expect(reciprocalRank(ranking, ['z'])).toBe(0);
  });

  it('gains less with depth, against the best order', () => {
    expect(ndcgAt(ranking, ['a'], 10)).toBe(1);
    expect(ndcgAt(ranking, ['b'], 10)).toBeCloseTo(1 / Math.log2(3), 12);
    expect(ndcgAt(ranking, ['a', 'b'], 10)).toBe(1);
    expect(ndcgAt(ranking, ['a', 'd'], 10)).toBeCloseTo(
      (1 + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3)),
      12,
    );
    expect(ndcgAt(ranking, ['f'], 5)).toBe(0);
  });
});

describe('prefix stability', () => {
  it('is the share of leading characters in common', () => {
    expect(prefixStability('abcd', 'abXd')).toBe(0.5);
    expect(prefixStability('ab', 'abcd')).toBe(0.5);
    expect(prefixStability('', '')).toBe(1);
    expect(prefixStability('', 'a')).toBe(0);
  });
});

describe('statistics', () => {
  const values = Array.from({ length: 200 }, (_, index) => (index % 4 === 0 ? 1 : 0));

  it('gives the same interval on every run, around the mean', () => {
    const interval = bootstrapInterval(values);
    expect(interval).toEqual(bootstrapInterval(values));
    expect(interval.mean).toBe(0.25);
    // the standard error is sqrt(0.25 * 0.75 / 200) = 0.0306
    expect(interval.low).toBeGreaterThan(0.25 - 3 * 0.0306);
    expect(interval.low).toBeLessThan(0.25 - 0.0306);
    expect(interval.high).toBeGreaterThan(0.25 + 0.0306);
    expect(interval.high).toBeLessThan(0.25 + 3 * 0.0306);
  });

  it('pairs: an equal gain everywhere has no spread, though the values spread widely', () => {
    const better = values.map((value) => value + 0.01);
    const { mean, low, high } = pairedInterval(values, better);
    expect([mean, low, high].map((value) => Number(value.toFixed(9)))).toEqual([0.01, 0.01, 0.01]);
  });

  it('refuses pairs that do not match', () => {
    expect(() => pairedInterval([1], [1, 2])).toThrow(RangeError);
  });

  it('takes percentiles by nearest rank', () => {
    expect(percentile([5, 1, 3, 2, 4], 0.5)).toBe(3);
    expect(percentile([5, 1, 3, 2, 4], 0.95)).toBe(5);
    expect(percentile([], 0.5)).toBe(0);
  });

  it('draws the same numbers from the same seed, and others from another', () => {
    const draw = (seed: number): readonly number[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 5 }, random);
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(draw(7).every((value) => value >= 0 && value < 1)).toBe(true);
  });
});

describe('evidence of LoCoMo', () => {
  const known = new Set(['D1:3', 'D8:6', 'D9:17', 'D11:26', 'D30:5', 'D9:1', 'D4:4', 'D4:6']);

  it.each([
    [['D1:3'], ['D1:3']],
    [['D8:6; D9:17'], ['D8:6', 'D9:17']],
    [['D9:1 D4:4 D4:6'], ['D9:1', 'D4:4', 'D4:6']],
    [['D:11:26'], ['D11:26']],
    [['D30:05'], ['D30:5']],
    [['D'], []],
    [['D10:19'], []],
    [
      ['D1:3', 'D1:3', 'D8:6; D1:3'],
      ['D1:3', 'D8:6'],
    ],
    [[], []],
  ])('reads %j as %j', (listed, ids) => {
    expect(evidenceOf(listed, known)).toEqual(ids);
  });
});
