import { describe, expect, it } from 'vitest';
import type { UsageState } from '../../src/cxri/contract.ts';
import type { FoldUsage } from '../../src/cxri/ports/usage.ts';
import { type Instant, toInstant } from '../../src/model/ids.ts';
import { type FoldedUsage, foldUsage, type OutcomeKind } from '../../src/scoring/fold-outcomes.ts';
import { observe } from '../../src/scoring/utility.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const day = (days: number): Instant => toInstant(START + days * DAY);
const event = (kind: OutcomeKind, days: number) => ({ kind, at: day(days) });

describe('observe', () => {
  it('follows the worked example: used, then a correction on the same day', () => {
    const used = observe(
      { utility: 0.5, utility_variance: 0.25, utility_at: null },
      { value: 1, noise: 0.1, at: day(0) },
    );
    expect(used.utility).toBeCloseTo(0.857, 3);
    expect(used.utility_variance).toBeCloseTo(0.0714, 4);
    const corrected = observe(used, { value: 0, noise: 0.05, at: day(0) });
    expect(corrected.utility).toBeCloseTo(0.353, 3);
    expect(corrected.utility_variance).toBeCloseTo(0.0294, 4);
  });

  it('grows unsure with idle days, up to where it began', () => {
    const sure = { utility: 0.9, utility_variance: 0.02, utility_at: day(0) };
    const afterDays = (days: number): number =>
      observe(sure, { value: 0, noise: 0.1, at: day(days) }).utility;
    expect(afterDays(5)).toBeLessThan(afterDays(0));
    expect(afterDays(23)).toBe(afterDays(400));
    expect(afterDays(-3)).toBe(afterDays(0));
  });
});

describe('foldUsage', () => {
  it('is what the connectors call', () => {
    const fold: FoldUsage = foldUsage;
    const state: UsageState | null = foldUsage(null, event('used', 0));
    expect(fold).toBe(foldUsage);
    expect(state?.count).toBe(1);
  });

  it.each([
    ['used', 2.3065, 0.857],
    ['cited', 2.3065, 0.857],
    ['confirmed', 8.2956, 0.963],
    ['corrected', 0.212, 0.083],
  ] as const)('takes a first %s as the first review', (kind, stability, utility) => {
    const state = foldUsage(null, event(kind, 3));
    expect(state.stability).toBeCloseTo(stability, 6);
    expect(state.utility).toBeCloseTo(utility, 3);
    expect(state).toMatchObject({
      count: 1,
      reviewed_at: day(3),
      touched_at: day(3),
      utility_at: day(3),
    });
  });

  it('starts from a memory as old as the row where the birth is known', () => {
    const state = foldUsage(null, { ...event('used', 1), born_at: day(0) });
    expect(state.stability).toBeCloseTo(7.31530068, 7);
  });

  it('takes being served and ignored as no review, only as doubt of its use', () => {
    const ignored = foldUsage(null, event('unused', 3));
    expect(ignored).toMatchObject({ stability: 0, count: 0 });
    expect(ignored.utility).toBeCloseTo(0.364, 3);
    const used = foldUsage(ignored, event('used', 4));
    expect(used).toMatchObject({ count: 1, reviewed_at: day(4), touched_at: day(4) });
    expect(used.stability).toBeCloseTo(2.3065, 6);
    const again = foldUsage(used, event('unused', 9));
    expect(again).toMatchObject({
      stability: used.stability,
      reviewed_at: day(4),
      touched_at: day(4),
      count: 1,
    });
    expect(again.utility).toBeLessThan(used.utility);
  });

  it('touches at the first outcome even where it is dated before the first serving', () => {
    const late = [event('unused', 9), event('used', 4)].reduce<FoldedUsage | null>(foldUsage, null);
    expect(late?.touched_at).toBe(day(4));
  });

  it('takes a late outcome as simultaneous with the last', () => {
    const last = [event('used', 0), event('cited', 5)].reduce<FoldedUsage | null>(foldUsage, null);
    const late = foldUsage(last, event('corrected', 2));
    expect(late).toEqual(foldUsage(last, event('corrected', 5)));
    expect(late).not.toEqual(foldUsage(last, event('corrected', 6)));
  });
});
