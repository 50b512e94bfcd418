/** Laws of the importance that upkeep re-estimates from use. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  estimateImportance,
  fadedImportance,
  UNUSED,
  type UseOfRoot,
  withOutcome,
} from '../../src/jobs/estimate-importance.ts';

const KINDS = ['used', 'cited', 'confirmed', 'corrected', 'unused'] as const;
const outcomes = fc.array(fc.constantFrom(...KINDS), { maxLength: 40 });
const stated = fc.double({ min: 0, max: 1, noNaN: true });
const after = (kinds: readonly (typeof KINDS)[number][]): UseOfRoot =>
  kinds.reduce<UseOfRoot>(withOutcome, UNUSED);

describe('importance by use', () => {
  it('stays within 0..1, whatever was stated', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), outcomes, (value, kinds) => {
        const estimate = estimateImportance(value, after(kinds));
        expect(estimate).toBeGreaterThanOrEqual(0);
        expect(estimate).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('is what was stated where nothing is known of its use', () => {
    fc.assert(
      fc.property(stated, (value) => {
        expect(estimateImportance(value, UNUSED)).toBeCloseTo(value, 12);
      }),
    );
  });

  it('never falls by a use, never rises by a correction', () => {
    fc.assert(
      fc.property(stated, outcomes, (value, kinds) => {
        const before = estimateImportance(value, after(kinds));
        const by = (kind: (typeof KINDS)[number]): number =>
          estimateImportance(value, after([...kinds, kind]));
        for (const kind of ['used', 'cited', 'confirmed'] as const)
          expect(by(kind)).toBeGreaterThanOrEqual(before - 1e-12);
        expect(by('corrected')).toBeLessThanOrEqual(before + 1e-12);
      }),
    );
  });

  it('does not depend on the order of outcomes', () => {
    fc.assert(
      fc.property(stated, outcomes, (value, kinds) => {
        const there = estimateImportance(value, after(kinds));
        expect(estimateImportance(value, after([...kinds].reverse()))).toBeCloseTo(there, 12);
      }),
    );
  });

  it('halves with each half-life, and never grows by waiting', () => {
    const days = fc.double({ min: 0, max: 4000, noNaN: true });
    fc.assert(
      fc.property(stated, days, days, (value, first, more) => {
        const at = (idleDays: number): number =>
          fadedImportance(value, { idleDays, halfLifeDays: 90 });
        expect(at(first + more)).toBeLessThanOrEqual(at(first));
        expect(at(first + 90)).toBeCloseTo(at(first) / 2, 12);
      }),
    );
  });
});
