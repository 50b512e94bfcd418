/** From the results of single questions to the numbers that are printed, compared and gated. */
import type { Interval } from '../metrics/statistics.ts';
import { bootstrapInterval, mean, percentile } from '../metrics/statistics.ts';
import type { QuestionResult } from '../run/run-suite.ts';
import { RECALL_DEPTHS } from '../run/run-suite.ts';

/**
 * Measures over a group of questions, 0..1. Rankings count where the layer scores its items;
 * contexts count everywhere.
 */
export interface Summary {
  readonly questions: number;
  /** Questions whose layer has a ranking. */
  readonly ranked: number;
  readonly 'recall@1': number;
  readonly 'recall@3': number;
  readonly 'recall@5': number;
  readonly 'recall@10': number;
  readonly 'recall@20': number;
  readonly 'recall@50': number;
  readonly 'precision@5': number;
  readonly mrr: number;
  readonly 'ndcg@10': number;
  /** Questions with a ranking for which nothing was served. */
  readonly silenced: number;
  /**
   * Share of the questions with rivals whose evidence came before all of them; null where none
   * names any.
   */
  readonly on_top: number | null;
  /** Share of questions whose evidence stands whole in the context, by budget. */
  readonly evidence_in_context: Readonly<Record<string, number>>;
  /** Tokens used at each budget, on average. */
  readonly tokens_used: Readonly<Record<string, number>>;
  /** 95 % bootstrap intervals over questions. */
  readonly intervals: {
    readonly 'recall@5': Interval;
    readonly 'recall@10': Interval;
    readonly mrr: Interval;
  };
}

export function summarise(results: readonly QuestionResult[]): Summary {
  const answerable = results.filter((result) => result.isAnswerable);
  const ranked = answerable.filter((result) => result.isScored);
  const rivalled = answerable.filter((result) => result.beatsRivals !== null);
  const recallOf = (k: number): readonly number[] => ranked.map((result) => result.recall[k] ?? 0);
  const budgets = Object.keys(answerable[0]?.tokens ?? {}).map(Number);
  const [at1, at3, at5, at10, at20, at50] = RECALL_DEPTHS.map((k) => mean(recallOf(k)));
  const reciprocalRanks = ranked.map((result) => result.reciprocalRank);
  return {
    questions: answerable.length,
    ranked: ranked.length,
    'recall@1': at1 ?? 0,
    'recall@3': at3 ?? 0,
    'recall@5': at5 ?? 0,
    'recall@10': at10 ?? 0,
    'recall@20': at20 ?? 0,
    'recall@50': at50 ?? 0,
    'precision@5': mean(ranked.map((result) => result.precision5)),
    mrr: mean(reciprocalRanks),
    'ndcg@10': mean(ranked.map((result) => result.ndcg10)),
    silenced: ranked.filter((result) => !result.surfaced).length,
    on_top:
      rivalled.length === 0 ? null : mean(rivalled.map((result) => (result.beatsRivals ? 1 : 0))),
    evidence_in_context: Object.fromEntries(
      budgets.map((budget) => [
        String(budget),
        mean(answerable.map((result) => (result.inContext[budget] ? 1 : 0))),
      ]),
    ),
    tokens_used: Object.fromEntries(
      budgets.map((budget) => [
        String(budget),
        mean(answerable.map((result) => result.tokens[budget] ?? 0)),
      ]),
    ),
    intervals: {
      'recall@5': bootstrapInterval(recallOf(5)),
      'recall@10': bootstrapInterval(recallOf(10)),
      mrr: bootstrapInterval(reciprocalRanks),
    },
  };
}

/** What happens where there is nothing to find, and what the floor costs where there is. */
export interface UnanswerableSummary {
  readonly questions: number;
  /** Share of unanswerable questions for which the layer served anything at all. */
  readonly false_surface_rate: number;
  /** Recall at 10 of the answerable ones that the floor takes away. */
  readonly recall_10_cost: number;
  /** Share of answerable questions for which the layer served nothing. */
  readonly silenced_rate: number;
  /** `false_surface_rate` by category. */
  readonly by_category: Readonly<Record<string, number>>;
}

export function summariseUnanswerable(results: readonly QuestionResult[]): UnanswerableSummary {
  const unanswerable = results.filter((result) => !result.isAnswerable);
  const ranked = results.filter((result) => result.isAnswerable && result.isScored);
  return {
    questions: unanswerable.length,
    false_surface_rate: mean(unanswerable.map((result) => (result.surfaced ? 1 : 0))),
    recall_10_cost: mean(
      ranked.map((result) => (result.recall[10] ?? 0) - result.recall10AboveFloor),
    ),
    silenced_rate: mean(ranked.map((result) => (result.surfaced ? 0 : 1))),
    by_category: Object.fromEntries(
      [...groupBy(unanswerable, (result) => result.category)].map(([name, group]) => [
        name,
        mean(group.map((result) => (result.surfaced ? 1 : 0))),
      ]),
    ),
  };
}

/**
 * What a floor would do to a layer: which share of unanswerable questions something would still be
 * served for, and what recall would be left.
 */
export interface FloorPoint {
  readonly floor: number;
  readonly false_surface_rate: number;
  readonly 'recall@10': number;
}

const SURFACE_TARGETS = [0.5, 0.2, 0.1, 0.05];

/**
 * Worked out from the scores of one run, by layer: the floors that leave half, a fifth, a tenth and
 * a twentieth of the false surfaces.
 */
export function sweepFloors(
  results: readonly QuestionResult[],
): Readonly<Record<string, readonly FloorPoint[]>> {
  const layers = groupBy(
    results.filter((result) => result.isScored),
    (result) => result.layer,
  );
  return Object.fromEntries(
    [...layers].flatMap(([layer, own]) => {
      const noise = own.filter((result) => !result.isAnswerable).map((result) => result.topScore);
      const answerable = own.filter((result) => result.isAnswerable);
      if (noise.length === 0 || answerable.length === 0) return [];
      const points = SURFACE_TARGETS.map((target): FloorPoint => {
        // just above the score that has to go
        const floor = Math.max(0, percentile(noise, 1 - target)) + 1e-6;
        return {
          floor,
          false_surface_rate: mean(noise.map((score) => (score >= floor ? 1 : 0))),
          'recall@10': mean(
            answerable.map(
              ({ evidence, evidenceScores10: scores }) =>
                scores.filter((score) => score >= floor).length / evidence.length,
            ),
          ),
        };
      });
      return [[layer, points]];
    }),
  );
}

export interface Latency {
  readonly p50_ms: number;
  readonly p95_ms: number;
}

export const latencyOf = (results: readonly QuestionResult[]): Latency => {
  const times = results.map((result) => result.composeMs);
  return { p50_ms: percentile(times, 0.5), p95_ms: percentile(times, 0.95) };
};

/** Groups in the order of first appearance. */
export function groupBy(
  results: readonly QuestionResult[],
  keyOf: (result: QuestionResult) => string,
): ReadonlyMap<string, readonly QuestionResult[]> {
  const groups = new Map<string, QuestionResult[]>();
  for (const result of results) {
    const key = keyOf(result);
    const group = groups.get(key);
    if (group) group.push(result);
    else groups.set(key, [result]);
  }
  return groups;
}
