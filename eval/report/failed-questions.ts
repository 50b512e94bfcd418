/** Questions by name: those that an answer was missed of, and those that no answer has. */
import { MAIN_BUDGET, type QuestionResult } from '../run/run-suite.ts';

/** As deep as the gate looks. */
const DEPTH = 5;

export interface FailedQuestion {
  readonly id: string;
  readonly category: string;
  readonly question: string;
  readonly layer: string;
  /** Keys of the evidence. */
  readonly wanted: readonly string[];
  /** Place of each in the ranking, from 1; null = not in it, or the layer has none. */
  readonly ranks: readonly (number | null)[];
  readonly why: 'nothing_served' | 'not_in_first_five' | 'rival_first' | 'not_in_context';
}

/** Nothing in the store answers it, and something was served. */
export interface UnrelatedServed {
  readonly id: string;
  readonly category: string;
  readonly question: string;
  readonly layer: string;
  /** Key and score of what came first. */
  readonly served: string;
  readonly score: number;
}

export interface FailedQuestions {
  readonly failed: readonly FailedQuestion[];
  readonly unrelated_served: readonly UnrelatedServed[];
}

/** In the order of the suite. */
export const failedQuestions = (results: readonly QuestionResult[]): FailedQuestions => ({
  failed: results.flatMap((result) => {
    const why = result.isAnswerable ? whyFailed(result) : null;
    if (why === null) return [];
    const { evidence: wanted, ranks } = result;
    return [{ ...named(result), wanted, ranks, why }];
  }),
  unrelated_served: results.flatMap((result) =>
    !result.isAnswerable && result.surfaced
      ? [{ ...named(result), served: result.top[0] ?? '', score: result.topScore }]
      : [],
  ),
});

const named = ({ id, category, query: question, layer }: QuestionResult) => ({
  ...{ id, category, question, layer },
});

/** The context counts alone only where the layer has no ranking: there a budget cuts, not a score. */
function whyFailed(result: QuestionResult): FailedQuestion['why'] | null {
  const { isScored, surfaced, recall, beatsRivals, inContext } = result;
  if (isScored && !surfaced) return 'nothing_served';
  if (isScored && (recall[DEPTH] ?? 0) < 1) return 'not_in_first_five';
  if (beatsRivals === false) return 'rival_first';
  const isWhole = inContext[MAIN_BUDGET] ?? Object.values(inContext).at(-1) ?? true;
  return isScored || isWhole ? null : 'not_in_context';
}
