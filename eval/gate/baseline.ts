/** The numbers that a change is held against, with all that they depend on. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ContextEngineError } from '../../src/index.ts';
import type { Report } from '../report/report.ts';
import type { QuestionResult } from '../run/run-suite.ts';
import { MAIN_BUDGET } from '../run/run-suite.ts';

/**
 * Of one question: recall at 5 and 10, reciprocal rank, whether the evidence stood whole in the
 * context; null without a ranking.
 */
export type QuestionScores = readonly [
  recall5: number | null,
  recall10: number | null,
  reciprocalRank: number | null,
  inContext: 0 | 1,
];

export interface SuiteBaseline {
  readonly data_sha256: string;
  readonly settings_sha256: string;
  readonly 'recall@5': number;
  readonly 'recall@10': number;
  readonly mrr: number;
  readonly on_top: number | null;
  readonly in_context: number;
  readonly false_surface_rate: number;
  /** Recall at 5. */
  readonly by_category: Readonly<Record<string, number>>;
  readonly questions: Readonly<Record<string, QuestionScores>>;
}
export interface Baseline {
  readonly baseline: 'v1';
  /** Of the code that ranks; see ranking-code.ts. */
  readonly ranking_sha256: string;
  readonly suites: Readonly<Record<string, SuiteBaseline>>;
}

/** Rounded, so that a baseline does not change in its last digits from one machine to another. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

export const toBaseline = (reports: readonly Report[], rankingSha256: string): Baseline => ({
  baseline: 'v1',
  ranking_sha256: rankingSha256,
  suites: Object.fromEntries(reports.map((report) => [report.suite, toSuiteBaseline(report)])),
});

export const toSuiteBaseline = (report: Report): SuiteBaseline => ({
  data_sha256: report.data_sha256,
  settings_sha256: report.settings_sha256,
  'recall@5': rounded(report['recall@5']),
  'recall@10': rounded(report['recall@10']),
  mrr: rounded(report.mrr),
  on_top: report.on_top === null ? null : rounded(report.on_top),
  in_context: rounded(report.evidence_in_context[String(MAIN_BUDGET)] ?? 0),
  false_surface_rate: rounded(report.unanswerable.false_surface_rate),
  by_category: Object.fromEntries(
    Object.entries(report.by_category).flatMap(([name, summary]) =>
      summary.ranked > 0 ? [[name, rounded(summary['recall@5'])]] : [],
    ),
  ),
  questions: Object.fromEntries(
    report.results
      .filter((result) => result.isAnswerable)
      .map((result) => [result.id, scoresOf(result)]),
  ),
});

const scoresOf = (result: QuestionResult): QuestionScores => [
  result.isScored ? rounded(result.recall[5] ?? 0) : null,
  result.isScored ? rounded(result.recall[10] ?? 0) : null,
  result.isScored ? rounded(result.reciprocalRank) : null,
  result.inContext[MAIN_BUDGET] ? 1 : 0,
];

/** Null where there is no file yet. Throws `EVAL.DATA` for a file that is something else. */
export function readBaseline(path: string): Baseline | null {
  if (!existsSync(path)) return null;
  const value = parsed(readFileSync(path, 'utf8'));
  if (isBaseline(value)) return value;
  throw new ContextEngineError('EVAL.DATA', {
    message: `\`${path}\` is not a baseline.`,
    fix: 'Write it anew: `contextengine eval gate --update`, with the same flags.',
    where: { file: path },
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the caller says that it is no baseline
  }
}

const isBaseline = (value: unknown): value is Baseline =>
  typeof value === 'object' &&
  value !== null &&
  'baseline' in value &&
  value.baseline === 'v1' &&
  'ranking_sha256' in value &&
  'suites' in value &&
  typeof value.suites === 'object';

/** One question a line, so that a difference in version control can be read. */
export function writeBaseline(path: string, baseline: Baseline): void {
  const text = JSON.stringify(baseline, null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, inside: string) => `[${inside.replace(/\s+/g, ' ')}]`,
  );
  writeFileSync(path, `${text}\n`);
}
