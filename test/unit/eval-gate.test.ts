/** The gate: what fails it and what does not, and the digest that makes it look. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ablationsOf, weightAblations } from '../../eval/ablate/dimensions.ts';
import type { Baseline } from '../../eval/gate/baseline.ts';
import { readBaseline, toBaseline, writeBaseline } from '../../eval/gate/baseline.ts';
import { compareSuites } from '../../eval/gate/compare.ts';
import { judgeGate } from '../../eval/gate/gate.ts';
import { rankingCodeDigest } from '../../eval/gate/ranking-code.ts';
import { failedQuestions } from '../../eval/report/failed-questions.ts';
import { htmlReport } from '../../eval/report/html/page.ts';
import type { Report } from '../../eval/report/report.ts';
import { createReport } from '../../eval/report/report.ts';
import type { QuestionResult } from '../../eval/run/run-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'eval-gate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const result = (
  id: string,
  recall: number,
  more: Partial<QuestionResult> = {},
): QuestionResult => ({
  id,
  layers: {},
  query: `What of ${id}?`,
  evidence: ['e'],
  category: 'lookup',
  layer: 'semantic',
  side: 'dev',
  isAnswerable: true,
  isScored: true,
  recall: { 1: recall, 3: recall, 5: recall, 10: recall, 20: recall, 50: recall },
  recall10AboveFloor: recall,
  precision5: recall / 5,
  reciprocalRank: recall,
  ndcg10: recall,
  beatsRivals: null,
  inContext: { 2000: recall === 1 },
  tokens: { 2000: 1500 },
  contentShare: null,
  ids: { count: 0, tokens: 0, marked: 0 },
  ranks: [recall === 1 ? 1 : null],
  prefixStability: null,
  surfaced: true,
  topScore: 0.5,
  evidenceScores10: recall === 1 ? [0.5] : [],
  composeMs: 12,
  top: ['e'],
  ...more,
});

const reportOf = (
  results: readonly QuestionResult[],
  more: { dataSha256?: string; settingsSha256?: string } = {},
): Report =>
  createReport({
    suite: {
      name: 'small',
      dataSha256: more.dataSha256 ?? 'd1',
      stores: [],
      questions: [],
      skipped: [],
    },
    lab: { items: 3, filledMs: 1 },
    results,
    settingsSha256: more.settingsSha256 ?? 's1',
  });

/** `hits` of a hundred questions found. */
const found = (hits: number): Report =>
  reportOf(Array.from({ length: 100 }, (_, index) => result(`q${index}`, index < hits ? 1 : 0)));
const baseline = toBaseline([found(80)], 'r1');
const codes = (
  report: Report,
  rankingSha256 = 'r1',
  held: Baseline | null = baseline,
): readonly string[] =>
  judgeGate(held, { reports: [report], rankingSha256 }).map(
    ({ code, severity }) => `${severity} ${code}`,
  );

describe('the gate', () => {
  it('passes what is the same, better, or worse by at most 5 % of the baseline', () => {
    expect(codes(found(80))).toEqual([]);
    expect(codes(found(95))).toEqual([]);
    expect(codes(found(76))).toEqual([]);
  });

  it('fails what is worse, and says in which category', () => {
    expect(codes(found(75))).toEqual(['error EVAL.REGRESSION', 'warning EVAL.REGRESSION']);
  });

  it('only warns of one category that falls while the whole holds', () => {
    const mixed = (lost: number): Report =>
      reportOf(
        Array.from({ length: 100 }, (_, index) =>
          result(`q${index}`, index < lost ? 0 : 1, { category: index < 10 ? 'rare' : 'lookup' }),
        ),
      );
    expect(codes(mixed(4), 'r1', toBaseline([mixed(0)], 'r1'))).toEqual([
      'warning EVAL.REGRESSION',
    ]);
  });

  it('fails where rivals come first again', () => {
    const rivals = (won: boolean): Report => reportOf([result('q', 1, { beatsRivals: won })]);
    expect(codes(rivals(false), 'r1', toBaseline([rivals(true)], 'r1'))).toEqual([
      'error EVAL.REGRESSION',
    ]);
  });

  it('wants the baseline measured again when what it depends on changed', () => {
    expect(codes(found(80), 'r2')).toEqual(['error EVAL.STALE_BASELINE']);
    expect(codes(reportOf([result('q0', 1)], { dataSha256: 'd2' }))).toEqual([
      'error EVAL.STALE_BASELINE',
    ]);
    expect(codes({ ...found(80), settings_sha256: 's2' })).toEqual(['error EVAL.STALE_BASELINE']);
    expect(codes({ ...found(80), suite: 'other' })).toEqual(['error EVAL.STALE_BASELINE']);
    expect(codes(found(80), 'r1', null)).toEqual(['error EVAL.STALE_BASELINE']);
  });

  it('tells a regression also when the ranking code changed', () => {
    expect(codes(found(70), 'r2')).toContain('error EVAL.REGRESSION');
  });
});

describe('a baseline', () => {
  it('is the same after writing and reading', () => {
    const path = join(folder, 'baseline.json');
    writeBaseline(path, baseline);
    expect(readBaseline(path)).toEqual(baseline);
  });

  it('is not there, or is something else', () => {
    expect(readBaseline(join(folder, 'nowhere.json'))).toBeNull();
    writeFileSync(join(folder, 'else.json'), '{"baseline":"v0"}');
    expect(() => readBaseline(join(folder, 'else.json'))).toThrow(/is not a baseline/);
  });

  it('is compared question by question', () => {
    const before = toBaseline([reportOf([result('a', 1), result('b', 0), result('c', 1)])], 'r1')
      .suites['small'];
    const after = toBaseline([reportOf([result('a', 0), result('b', 1), result('c', 1)])], 'r2')
      .suites['small'];
    if (!before || !after) throw new Error('The suite is missing.');
    const comparison = compareSuites('small', before, after);
    expect(comparison.worse.map(({ id }) => id)).toEqual(['a']);
    expect(comparison.better.map(({ id }) => id)).toEqual(['b']);
    expect(comparison.delta['recall@5'].mean).toBe(0);
    expect(comparison.same_data).toBe(true);
  });
});

describe('the digest of the ranking code', () => {
  it('changes with a file that ranks, and with no other', () => {
    const root = join(folder, 'root');
    for (const name of ['src/scoring', 'src/cli']) mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, 'src/scoring/score.ts'), 'one');
    const first = rankingCodeDigest(root);
    writeFileSync(join(root, 'src/cli/main.ts'), 'anything');
    expect(rankingCodeDigest(root)).toBe(first);
    writeFileSync(join(root, 'src/scoring/score.ts'), 'two');
    expect(rankingCodeDigest(root)).not.toBe(first);
  });

  it('is one of the version where there are no sources', () => {
    expect(rankingCodeDigest(join(folder, 'empty'))).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('ablations', () => {
  it('switch off one weighted signal at a time', () => {
    expect(
      weightAblations('0.3*window - .2 * question').map(
        ({ changes }) => changes['spec.scoring.formula'],
      ),
    ).toEqual(['0*window - .2 * question', '0.3*window - 0*question']);
    expect(weightAblations('sim * pow(R, lambda) * (1 + beta * U)')).toEqual([]);
  });

  it('can be asked for by dimension', () => {
    const dimensions = (only: readonly string[]): readonly string[] => [
      ...new Set(ablationsOf('0.5*sim', 'semantic', only).map(({ dimension }) => dimension)),
    ];
    expect(dimensions(['weights'])).toEqual(['weight of sim']);
    expect(dimensions(['floor', 'embedder'])).toEqual(['embedder', 'floor']);
    expect(dimensions([])).toEqual(
      expect.arrayContaining([
        'weight of sim',
        'fusion',
        'diversity',
        'neighbours',
        'overfetch',
        'preset',
      ]),
    );
  });

  it('have labels that can be versions', () => {
    const labels = ablationsOf('0.5*sim', 'semantic').map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.every((label) => /^[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$/.test(label))).toBe(true);
  });
});

describe('the floors', () => {
  it('are those that leave a share of the noise, with the recall that is left', () => {
    const noise = Array.from({ length: 20 }, (_, index) =>
      result(`n${index}`, 0, { isAnswerable: false, evidence: [], topScore: index / 100 }),
    );
    const answers = [
      result('low', 1, { evidenceScores10: [0.15] }),
      result('high', 1, { evidenceScores10: [0.5] }),
    ];
    const points = reportOf([...noise, ...answers]).floors['semantic'] ?? [];
    expect(
      points.map((point) => [
        Number(point.floor.toFixed(2)),
        point.false_surface_rate,
        point['recall@10'],
      ]),
    ).toEqual([
      [0.09, 0.5, 1],
      [0.15, 0.2, 0.5],
      [0.17, 0.1, 0.5],
      [0.18, 0.05, 0.5],
    ]);
  });
});

describe('the page', () => {
  const page = htmlReport(reportOf([result('q<1>', 0), result('q2', 1)]));

  it('stands alone', () => {
    expect(page).not.toMatch(/<script|<link|<img|https?:\/\//);
    expect(page.match(/<svg /g)?.length).toBe(4);
  });

  it('escapes what it shows and lists what was missed', () => {
    expect(page).not.toContain('q<1>');
    expect(page).toContain('q&lt;1&gt;');
    expect(page).toContain('1 questions without all of their evidence');
  });
});

describe('questions by name', () => {
  const unrelated = { isAnswerable: false, evidence: [], ranks: [], recall: {} };
  it('are those that an answer was missed of, and why', () => {
    const { failed } = failedQuestions([
      result('found', 1),
      result('late', 0, { ranks: [7], evidence: ['e'] }),
      result('silent', 1, { surfaced: false }),
      result('stale', 1, { beatsRivals: false }),
      result('cut', 1, { inContext: { 2000: false } }),
      result('typed', 0, { isScored: false, recall: {}, ranks: [null] }),
      result('stranger', 0, unrelated),
    ]);
    expect(failed.map(({ id, why, ranks }) => [id, why, ranks])).toEqual([
      ['late', 'not_in_first_five', [7]],
      ['silent', 'nothing_served', [1]],
      ['stale', 'rival_first', [1]],
      ['typed', 'not_in_context', [null]],
    ]);
    expect(failed[0]).toMatchObject({ question: 'What of late?', wanted: ['e'] });
  });

  it('are those that nothing answers and something was served for', () => {
    const { unrelated_served: served } = failedQuestions([
      result('served', 0, { ...unrelated, top: ['x', 'y'], topScore: 0.4 }),
      result('refused', 0, { ...unrelated, surfaced: false }),
    ]);
    expect(served).toMatchObject([{ id: 'served', served: 'x', score: 0.4 }]);
  });

  it('take their ids by what they cost on average, over all contexts', () => {
    const ids = (count: number, tokens: number) => ({
      ids: { count, tokens, marked: tokens + 2 * count },
    });
    const report = reportOf([result('a', 1, ids(3, 6)), result('b', 1, ids(1, 4))]);
    expect(report.id_tokens).toBe(2.5);
    expect(report.id_tokens_marked).toBe(4.5);
    expect(reportOf([result('a', 1)]).id_tokens).toBe(0);
  });
});
