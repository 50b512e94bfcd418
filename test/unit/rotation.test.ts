import { describe, expect, it } from 'vitest';
import { rotate } from '../../src/compose/rotation.ts';
import { parseFormula } from '../../src/manifest/formula.ts';
import type { Formula, ScoringSettings } from '../../src/model/manifest.ts';
import { id } from '../support/ledger.ts';

const formulaOf = (text: string): Formula => {
  const parsed = parseFormula(text);
  if ('formula' in parsed) return parsed.formula;
  throw new Error(parsed.problem.message);
};
const ARCHIVAL = formulaOf('(0.45*sim + 0.25*recency) * stale');
const settingsOf = (
  formula: Formula,
  { stalePenalty = 0.5, rivalShare = 0.5 } = {},
): Pick<ScoringSettings, 'formula' | 'stalePenalty' | 'rivalShare'> => ({
  formula,
  stalePenalty,
  rivalShare,
});
const item = (n: number, sim: number, recency = 0) => ({
  uuid: id(1, n),
  root: id(1, n),
  signals: { sim, recency, stale: 1 },
  score: 0.45 * sim + 0.25 * recency,
});
const served = (...numbers: readonly number[]): ReadonlySet<string> =>
  new Set(numbers.map((n) => id(1, n)));

describe('rotation', () => {
  it('halves what another session was served, and leaves the others', () => {
    const { items, lowered, kept } = rotate(
      [item(1, 0.8), item(2, 0.7)],
      served(1),
      settingsOf(ARCHIVAL),
    );
    expect(items.map(({ score }) => Number(score.toFixed(9)))).toEqual([0.18, 0.315]);
    expect(items.map(({ signals }) => signals.stale)).toEqual([0.5, 1]);
    expect([lowered, kept]).toEqual([[id(1, 1)], []]);
  });

  it('lowers by as much as the settings say', () => {
    const { items } = rotate(
      [item(1, 0.8), item(2, 0.7)],
      served(1),
      settingsOf(ARCHIVAL, { stalePenalty: 0.1 }),
    );
    expect(items.map(({ signals }) => signals.stale)).toEqual([0.1, 1]);
  });

  it('lowers no sole answer, whatever is fresher', () => {
    const { items, lowered, kept } = rotate(
      [item(1, 0.8), item(2, 0.1, 1)],
      served(1),
      settingsOf(ARCHIVAL),
    );
    expect(items.map(({ score }) => Number(score.toFixed(9)))).toEqual([0.36, 0.295]);
    expect([lowered, kept]).toEqual([[], [id(1, 1)]]);
  });

  it('takes for an answer what matches well enough, as the settings say', () => {
    const items = [item(1, 0.8), item(2, 0.1, 1)];
    const loweredAt = (rivalShare: number): readonly string[] =>
      rotate(items, served(1), settingsOf(ARCHIVAL, { rivalShare })).lowered;
    expect([loweredAt(0.1), loweredAt(0.2)]).toEqual([[id(1, 1)], []]);
  });

  it('lowers none of several answers where all of them were served, but all that is no answer', () => {
    const items = [item(1, 0.8), item(2, 0.6), item(3, 0.1, 1)];
    const { lowered, kept } = rotate(items, served(1, 2, 3), settingsOf(ARCHIVAL));
    expect([lowered, kept]).toEqual([[id(1, 3)], [id(1, 1), id(1, 2)]]);
  });

  it('touches nothing where the formula does not read it', () => {
    const items = [item(1, 0.8)];
    expect(rotate(items, served(1), settingsOf(formulaOf('sim'))).items).toBe(items);
  });
});
