import { describe, expect, it } from 'vitest';
import { type Instant, parseInstant, toEpochMs, toInstant } from '../../src/model/ids.ts';
import {
  initialState,
  type MemoryState,
  type ReviewGrade,
  retrievability,
  reviewed,
} from '../../src/scoring/retrievability.ts';

const BORN = parseInstant('2026-01-01T00:00:00Z', 'born');
const after = (from: Instant, days: number): Instant =>
  toInstant(toEpochMs(from) + days * 86_400_000);

describe('review', () => {
  it('gives the published FSRS-6 states on fractional days', () => {
    const steps: readonly [ReviewGrade, number, number, number][] = [
      ['good', 1, 7.31530068, 2.11121424],
      ['good', 3, 19.83347414, 2.1043314],
      ['good', 10, 53.98459231, 2.09745544],
      ['good', 30, 139.18256254, 2.09058635],
      ['again', 20, 3.90951252, 7.38545788],
    ];
    let state: MemoryState = initialState(BORN);
    expect(state.stability).toBeCloseTo(2.3065, 8);
    expect(state.difficulty).toBeCloseTo(2.11810397, 8);
    for (const [grade, days, stability, difficulty] of steps) {
      state = reviewed(state, grade, after(state.reviewed_at, days));
      expect(state.stability).toBeCloseTo(stability, 7);
      expect(state.difficulty).toBeCloseTo(difficulty, 7);
    }
  });

  it('is nearly free of inflation within a session', () => {
    const state = reviewed(initialState(BORN), 'good', after(BORN, 0.01));
    expect(state.stability).toBeCloseTo(2.3668, 3);
    expect(reviewed(state, 'good', state.reviewed_at).stability).toBe(state.stability);
    expect(reviewed(state, 'easy', state.reviewed_at).stability).toBe(state.stability);
  });

  it('never moves back in time when the clock was set back', () => {
    const state = reviewed(initialState(BORN), 'good', after(BORN, 5));
    const late = reviewed(state, 'good', after(BORN, 2));
    expect(late.reviewed_at).toBe(state.reviewed_at);
    expect(late.stability).toBe(state.stability);
  });
});

describe('retrievability', () => {
  const at = (days: number, decay?: number): number =>
    retrievability(null, {
      bornAt: BORN,
      now: after(BORN, days),
      ...(decay === undefined ? {} : { decay }),
    });

  it('starts a row without reviews as if it had been graded good when written', () => {
    expect([1, 7, 30, 90].map((days) => at(days))).toEqual([
      0.9468475, 0.80830994, 0.66752633, 0.56783784,
    ]);
    expect(at(0)).toBe(1);
  });

  it('takes another curve when asked', () => {
    [0.9527, 0.7643, 0.4968, 0.3138].forEach((expected, index) => {
      expect(at([1, 7, 30, 90][index] ?? 0, 0.5)).toBeCloseTo(expected, 4);
    });
    const state = { stability: 30, difficulty: 5, reviewed_at: BORN };
    expect(retrievability(state, { bornAt: BORN, now: after(BORN, 180) })).toBeCloseTo(0.7427, 4);
    expect(retrievability(state, { bornAt: BORN, now: after(BORN, 180), decay: 0.5 })).toBeCloseTo(
      0.6445,
      4,
    );
  });

  it('is 0.9 after as many days as the stability', () => {
    expect(
      retrievability(
        { stability: 12, difficulty: 5, reviewed_at: BORN },
        { bornAt: BORN, now: after(BORN, 12) },
      ),
    ).toBeCloseTo(0.9, 6);
  });

  it('begins by grade, the same each time', () => {
    const [good, easy, again] = [
      initialState(BORN, 'good'),
      initialState(BORN, 'easy'),
      initialState(after(BORN, 3), 'good'),
    ];
    expect(easy.stability).toBeGreaterThan(good.stability);
    expect(again).toEqual({ ...good, reviewed_at: after(BORN, 3) });
  });

  it('counts from birth while the state has no review, and takes a clock behind the review as the review itself', () => {
    const never = { stability: 0, difficulty: 0, reviewed_at: after(BORN, 29) };
    expect(retrievability(never, { bornAt: BORN, now: after(BORN, 30) })).toBe(at(30));
    expect(retrievability(initialState(after(BORN, 10)), { bornAt: BORN, now: BORN })).toBe(1);
  });
});
