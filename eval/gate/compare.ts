/**
 * Two runs over the same questions: signed differences with paired intervals, and which questions
 * moved.
 */
import type { Interval } from '../metrics/statistics.ts';
import { pairedInterval } from '../metrics/statistics.ts';
import type { QuestionScores, SuiteBaseline } from './baseline.ts';

const COLUMNS = ['recall@5', 'recall@10', 'mrr', 'in_context'] as const;
export type Column = (typeof COLUMNS)[number];

export interface Comparison {
  readonly suite: string;
  /** Questions that both runs hold. */
  readonly questions: number;
  /** Whether both saw the same data. */
  readonly same_data: boolean;
  readonly same_settings: boolean;
  readonly delta: Readonly<Record<Column, Interval>>;
  readonly worse: readonly Moved[];
  readonly better: readonly Moved[];
}
export interface Moved {
  readonly id: string;
  readonly before: QuestionScores;
  readonly after: QuestionScores;
}

export function compareSuites(
  suite: string,
  before: SuiteBaseline,
  after: SuiteBaseline,
): Comparison {
  const shared = Object.entries(before.questions).flatMap(([id, scores]): Moved[] => {
    const now = after.questions[id];
    return now ? [{ id, before: scores, after: now }] : [];
  });
  const deltaOf = (column: number): Interval => {
    const ranked = shared.filter(
      (pair) => pair.before[column] !== null && pair.after[column] !== null,
    );
    return pairedInterval(
      ranked.map((pair) => Number(pair.before[column])),
      ranked.map((pair) => Number(pair.after[column])),
    );
  };
  // how far a question moved: by its recall at 5, then by the place of its first evidence, then by
  // the context
  const movement = ({ before: old, after: now }: Moved): number =>
    [0, 2, 3]
      .map((column) => Number(now[column] ?? 0) - Number(old[column] ?? 0))
      .find((difference) => difference !== 0) ?? 0;
  const moved = shared
    .filter((pair) => movement(pair) !== 0)
    .sort((a, b) => movement(a) - movement(b));
  return {
    suite,
    questions: shared.length,
    same_data: before.data_sha256 === after.data_sha256,
    same_settings: before.settings_sha256 === after.settings_sha256,
    delta: {
      'recall@5': deltaOf(0),
      'recall@10': deltaOf(1),
      mrr: deltaOf(2),
      in_context: deltaOf(3),
    },
    worse: moved.filter((pair) => movement(pair) < 0),
    better: moved.filter((pair) => movement(pair) > 0).reverse(),
  };
}
