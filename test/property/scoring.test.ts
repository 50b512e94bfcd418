import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFormula } from '../../src/manifest/formula.ts';
import { FORMULA_PRESETS } from '../../src/manifest/formula-presets.ts';
import { toInstant } from '../../src/model/ids.ts';
import type { Formula } from '../../src/model/manifest.ts';
import {
  SIGNAL_LIST,
  SIGNALS,
  type SignalName,
  type Signals,
} from '../../src/model/signals/index.ts';
import { calibrate, maximumOf } from '../../src/scoring/calibrate.ts';
import { type DiverseItem, diversify } from '../../src/scoring/diversity.ts';
import { type FoldedUsage, foldUsage, type OutcomeEvent } from '../../src/scoring/fold-outcomes.ts';
import { fuse } from '../../src/scoring/fusion.ts';
import { compareScored } from '../../src/scoring/order.ts';
import { retrievability } from '../../src/scoring/retrievability.ts';
import { relevanceOf, scoreOf } from '../../src/scoring/score.ts';

const at = (values: Signals, name: SignalName): number => values[name] ?? 0;
const governed: Formula = {
  text: 'sim * pow(R, lambda) * (1 + beta * U)',
  names: ['sim', 'R', 'lambda', 'beta', 'U'],
  evaluate: (s) => at(s, 'sim') * at(s, 'R') ** at(s, 'lambda') * (1 + at(s, 'beta') * at(s, 'U')),
};
const archival: Formula = {
  text: '(0.45*sim + clamp(2*sim, 0, 1) * (0.25*recency + 0.20*importance + 0.10*frequency)) * stale',
  names: ['sim', 'recency', 'importance', 'frequency', 'stale'],
  evaluate: (s) =>
    (0.45 * at(s, 'sim') +
      Math.min(2 * at(s, 'sim'), 1) *
        (0.25 * at(s, 'recency') + 0.2 * at(s, 'importance') + 0.1 * at(s, 'frequency'))) *
    at(s, 'stale'),
};

const within = ([min, max]: readonly [number, number]) => fc.double({ min, max, noNaN: true });
const signals: fc.Arbitrary<Record<SignalName, number>> = fc.record(
  Object.fromEntries(
    Object.entries(SIGNALS).map(([name, { range }]) => [name, within(range)]),
  ) as Record<SignalName, fc.Arbitrary<number>>,
);
const formula = fc.constantFrom(governed, archival);
const instant = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) }).map(toInstant);
const outcome = fc.record({
  kind: fc.constantFrom(
    'used' as const,
    'cited' as const,
    'confirmed' as const,
    'corrected' as const,
    'unused' as const,
  ),
  at: instant,
});
/** In the order of arrival, which need not be that of time. */
const folded = (events: readonly OutcomeEvent[]): FoldedUsage | null =>
  events.reduce<FoldedUsage | null>(foldUsage, null);
const shuffled = <T>(items: readonly T[], seed: number): T[] =>
  items
    .map((item, index) => ({ item, key: Math.imul(index + 1, seed | 1) % 1009 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

describe('a score', () => {
  it('is finite whatever the signals', () => {
    const wild = fc.record(
      Object.fromEntries(Object.keys(SIGNALS).map((name) => [name, fc.double()])) as Record<
        SignalName,
        fc.Arbitrary<number>
      >,
    );
    fc.assert(fc.property(formula, wild, (f, values) => Number.isFinite(scoreOf(f, values).score)));
  });

  it('never falls when similarity, retrievability or utility rises', () => {
    fc.assert(
      fc.property(
        formula,
        signals,
        fc.constantFrom<SignalName>('sim', 'R', 'U'),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (f, values, name, other) => {
          const [low, high] = [Math.min(values[name], other), Math.max(values[name], other)];
          return (
            scoreOf(f, { ...values, [name]: low }).score <=
            scoreOf(f, { ...values, [name]: high }).score
          );
        },
      ),
    );
  });

  it('is independent of R at lambda 0 and of U at beta 0', () => {
    fc.assert(
      fc.property(signals, within([0, 1]), (values, other) => {
        expect(scoreOf(governed, { ...values, lambda: 0, R: other }).score).toBe(
          scoreOf(governed, { ...values, lambda: 0 }).score,
        );
        expect(scoreOf(governed, { ...values, beta: 0, U: other }).score).toBe(
          scoreOf(governed, { ...values, beta: 0 }).score,
        );
      }),
    );
  });

  it('rises with each leg of the search, within 0..1', () => {
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(cosine, cosine, within([0, 1]), within([0, 1]), (a, b, lexical, weight) => {
        const weights = { dense: weight, lexical: 1 - weight, words: 0 };
        const [low, high] = [
          fuse({ dense: Math.min(a, b), lexical }, weights),
          fuse({ dense: Math.max(a, b), lexical }, weights),
        ];
        return low >= 0 && low <= high && high <= 1;
      }),
    );
  });
});

describe('a bid', () => {
  it('is in 0..1 and keeps the order of scores', () => {
    fc.assert(
      fc.property(formula, signals, signals, (f, one, two) => {
        const bid = calibrate(f, { lambda: one.lambda, beta: one.beta });
        const [a, b] = [scoreOf(f, one).score, scoreOf(f, two).score];
        expect(bid(a)).toBeGreaterThanOrEqual(0);
        expect(bid(a)).toBeLessThanOrEqual(1);
        expect(Math.sign(bid(a) - bid(b)) * Math.sign(a - b)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is 1 for the best item of each formula', () => {
    fc.assert(
      fc.property(formula, within([0, 4]), within([0, 10]), (f, lambda, beta) => {
        const best = Object.fromEntries(Object.keys(SIGNALS).map((name) => [name, 1]));
        expect(
          calibrate(f, { lambda, beta })(scoreOf(f, { ...best, lambda, beta }).score),
        ).toBeCloseTo(1, 12);
      }),
    );
  });

  it('finds the greatest score where a signal counts against the item', () => {
    const penal: Formula = {
      text: 'sim * (1 - trust) - age_days',
      names: ['sim', 'trust', 'age_days'],
      evaluate: (s) => at(s, 'sim') * (1 - at(s, 'trust')) - at(s, 'age_days'),
    };
    expect(maximumOf(penal, {})).toBe(1);
    const hopeless: Formula = { text: '0/0', names: [], evaluate: () => Number.NaN };
    expect([
      calibrate(hopeless, {})(0),
      calibrate(hopeless, {})(0.4),
      calibrate(hopeless, {})(7),
    ]).toEqual([0, 0.4, 1]);
  });

  it('knows the greatest score of every preset, however many signals it has', () => {
    for (const { formula: text } of Object.values(FORMULA_PRESETS)) {
      const parsed = parseFormula(text);
      if (!('formula' in parsed)) throw new Error(text);
      const greatest = maximumOf(parsed.formula, { lambda: 1, beta: 1.5 });
      fc.assert(
        fc.property(signals, (values) => {
          const counted = SIGNAL_LIST.filter(({ isCounted }) => isCounted);
          const item = {
            ...values,
            ...Object.fromEntries(counted.map(({ name, range }) => [name, range[0]])),
            ...{ lambda: 1, beta: 1.5 },
          };
          expect(scoreOf(parsed.formula, item).score).toBeLessThanOrEqual(greatest + 1e-9);
        }),
      );
    }
  });

  it('knows a formula by lambda and beta', () => {
    const evaluate: Formula['evaluate'] = ({ sim = 0, beta = 0, U = 0 }) => sim * (1 + beta * U);
    const f: Formula = { text: 'sim * (1 + beta * U)', names: ['sim', 'beta', 'U'], evaluate };
    expect([
      calibrate(f, { beta: 0 })(0.5),
      calibrate(f, { beta: 1 })(0.5),
      calibrate(f, { beta: 0 })(0.5),
    ]).toEqual([0.5, 0.25, 0.5]);
  });
});

describe('the relevance', () => {
  it('is the score without what only orders', () => {
    const evaluate: Formula['evaluate'] = ({ sim = 0, when = 0 }) => sim + when;
    const dated: Formula = { text: 'sim + when', names: ['sim', 'when'], evaluate };
    expect(relevanceOf(dated, { sim: 0.3, when: 1 }, 1.3)).toBe(0.3);
    const plain: Formula = { text: 'sim', names: ['sim'], evaluate };
    expect(relevanceOf(plain, { sim: 0.3 }, 0.3)).toBe(0.3);
  });
});

describe('the order', () => {
  const words = fc
    .array(fc.constantFrom('ship', 'in', 'march', 'april', '8', 'not', 'beta', 'export'), {
      maxLength: 6,
    })
    .map((list) => list.join(' '));
  const items: fc.Arbitrary<DiverseItem[]> = fc.uniqueArray(
    fc.record({
      uuid: fc.uuid(),
      score: fc.integer({ min: -2, max: 6 }).map((n) => n / 4),
      depth: fc.integer({ min: 0, max: 2 }),
      place: fc.integer({ min: 0, max: 3 }),
      valid_from: instant,
      text: words,
    }),
    { selector: ({ uuid }) => uuid, maxLength: 14 },
  );

  it('is total and blind to the order of arrival', () => {
    fc.assert(
      fc.property(
        items,
        fc.nat(),
        fc.constantFrom(0, 0.5, 1),
        fc.integer({ min: 0, max: 8 }),
        (list, seed, lambda, limit) => {
          const other = shuffled(list, seed);
          expect([...other].sort(compareScored)).toEqual([...list].sort(compareScored));
          const settings = { lambda, limit, nearDuplicate: 0.92 };
          expect(diversify(other, settings)).toEqual(diversify(list, settings));
        },
      ),
    );
  });

  it('accounts for every item once, and keeps the best', () => {
    fc.assert(
      fc.property(items, fc.constantFrom(0.3, 1), (list, lambda) => {
        const { kept, dropped } = diversify(list, { lambda, nearDuplicate: 0.92 });
        expect(
          [...kept, ...dropped.map(({ item }) => item)].map(({ uuid }) => uuid).sort(),
        ).toEqual(list.map(({ uuid }) => uuid).sort());
        expect(new Set(kept.map(({ text }) => text)).size).toBe(kept.length);
        expect(kept[0]).toBe([...list].sort(compareScored)[0]);
      }),
    );
  });
});

describe('folded outcomes', () => {
  it('stay in range, in whatever order they arrive', () => {
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 1, maxLength: 12 }), instant, (events, now) => {
        const state = folded(events);
        const R = retrievability(state, { bornAt: now, now });
        expect(R).toBeGreaterThan(0);
        expect(R).toBeLessThanOrEqual(1);
        expect(state?.utility).toBeGreaterThanOrEqual(0);
        expect(state?.utility).toBeLessThanOrEqual(1);
        expect(state?.utility_variance).toBeGreaterThan(0);
        expect(state?.utility_variance).toBeLessThanOrEqual(0.25);
        expect(state?.count).toBe(events.filter(({ kind }) => kind !== 'unused').length);
      }),
    );
  });

  it('are not reviewed, counted or touched by what was served and ignored', () => {
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 1, maxLength: 8 }), instant, (events, when) => {
        const before = folded(events) as FoldedUsage;
        const after = foldUsage(before, { kind: 'unused', at: when });
        const { utility: _u, utility_variance: _v, utility_at: _t, ...rest } = after;
        expect(before).toMatchObject(rest);
      }),
    );
  });

  it('fall in utility with a correction, and rise with a confirmation', () => {
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 1, maxLength: 8 }), instant, (events, when) => {
        const before = folded(events) as FoldedUsage;
        expect(foldUsage(before, { kind: 'corrected', at: when }).utility).toBeLessThanOrEqual(
          before.utility,
        );
        expect(foldUsage(before, { kind: 'confirmed', at: when }).utility).toBeGreaterThanOrEqual(
          before.utility,
        );
      }),
    );
  });
});
