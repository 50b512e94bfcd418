import { describe, expect, it } from 'vitest';
import { parseFormula } from '../../src/manifest/formula.ts';
import { FORMULA_PRESETS } from '../../src/manifest/formula-presets.ts';
import type { Signals } from '../../src/model/signals/index.ts';

function resultOf(text: string, values: Signals = {}): number {
  const result = parseFormula(text);
  if (!('formula' in result)) throw new Error(result.problem.message);
  return result.formula.evaluate(values);
}
function problemOf(text: string): string {
  const result = parseFormula(text);
  return 'problem' in result ? `${result.problem.code} ${result.problem.offset}` : 'parses';
}

describe('formulas', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['8 / 4 / 2', 1],
    ['8 - 4 - 2', 2],
    ['-2 * -3', 6],
    ['--2', 2],
    ['2 - -1', 3],
    ['.5 + 1. + 1e1', 11.5],
    ['pow(2, 10)', 1024],
    ['min(3, 1, 2)', 1],
    ['max(3, 1, 2)', 3],
    ['clamp(2)', 1],
    ['clamp(-1)', 0],
    ['clamp(5, 2, 4)', 4],
    ['pow(0, 0)', 1],
  ])('%s is %d', (text, value) => expect(resultOf(text)).toBe(value));

  it('counts a missing signal as 0 and lets what is not finite through', () => {
    expect(resultOf('sim + 1')).toBe(1);
    expect(resultOf('1 / sim')).toBe(Number.POSITIVE_INFINITY);
    expect(resultOf('sim / sim')).toBeNaN();
    expect(resultOf('pow(-1, 0.5)')).toBeNaN();
  });

  it('has the numbers of the seeds in its presets', () => {
    expect(
      resultOf(FORMULA_PRESETS.governed.formula, {
        sim: 0.8,
        R: 0.25,
        lambda: 0.5,
        beta: 1.5,
        U: 0.4,
      }),
    ).toBeCloseTo(0.8 * 0.5 * 1.6, 12);
    expect(
      resultOf(FORMULA_PRESETS.governed.formula, { sim: 0.8, R: 0, lambda: 0, beta: 1.5, U: 0 }),
    ).toBe(0.8);
    expect(
      resultOf(FORMULA_PRESETS.archival.formula, {
        sim: 1,
        recency: 1,
        importance: 1,
        frequency: 1,
        stale: 0.5,
      }),
    ).toBeCloseTo(0.5, 12);
  });

  it('knows the names it uses', () => {
    const result = parseFormula('sim * pow(R, lambda) + sim');
    expect('formula' in result && result.formula.names).toEqual(['sim', 'R', 'lambda']);
  });

  it.each([
    ['', 'MANIFEST.FORMULA 0'],
    ['sim +', 'MANIFEST.FORMULA 5'],
    ['sim R', 'MANIFEST.FORMULA 4'],
    ['(sim', 'MANIFEST.FORMULA 4'],
    ['sim)', 'MANIFEST.FORMULA 3'],
    ['process.exit()', 'MANIFEST.FORMULA 0'],
    ['sim.constructor', 'MANIFEST.FORMULA 3'],
    ['constructor', 'MANIFEST.FORMULA 0'],
    ['constructor(1)', 'MANIFEST.FORMULA 0'],
    ['1 + sqrt(2)', 'MANIFEST.FORMULA 4'],
    ['pow(1)', 'MANIFEST.FORMULA 0'],
    ['clamp(1, 2)', 'MANIFEST.FORMULA 0'],
    ['pow', 'MANIFEST.FORMULA 0'],
    ['+1', 'MANIFEST.FORMULA 0'],
    ['1 = 1', 'MANIFEST.FORMULA 2'],
    ['1e999', 'MANIFEST.FORMULA 0'],
    ['sim * co_occurs', 'FEATURE.NOT_LANDED 6'],
    [`${'('.repeat(40)}1${')'.repeat(40)}`, 'MANIFEST.FORMULA 32'],
    [`${'-'.repeat(900)}1`, 'MANIFEST.FORMULA 32'],
    ['1'.repeat(1001), 'MANIFEST.FORMULA 1000'],
  ])('%s is refused: %s', (text, problem) => expect(problemOf(text)).toBe(problem));

  it('takes the longest chain of operators', () =>
    expect(resultOf(`1${'+1'.repeat(499)}`)).toBe(500));
});
