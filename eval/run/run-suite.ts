/** Every question of a suite under the manifest, at each budget, and what came of it. */
import {
  ndcgAt,
  precisionAt,
  prefixStability,
  recallAt,
  reciprocalRank,
} from '../metrics/ranking.ts';
import type { EvalQuestion, EvalSuite, Side } from '../suite.ts';
import type { Asked, Lab } from './lab.ts';
import type { Variant } from './manifest-variant.ts';

export const RECALL_DEPTHS = [1, 3, 5, 10, 20, 50] as const;
export const BUDGETS = [500, 1000, 2000, 4000] as const;
/** The budget of the bar: rankings and latencies are read from it. */
export const MAIN_BUDGET = 2000;

export interface QuestionResult {
  readonly id: string;
  readonly query: string;
  readonly evidence: readonly string[];
  readonly category: string;
  readonly layer: string;
  readonly side: Side;
  readonly isAnswerable: boolean;
  readonly isScored: boolean;
  /** By depth; empty where the question has no evidence or the layer no ranking. */
  readonly recall: Readonly<Record<number, number>>;
  /** Recall at 10 of what passes the floor. */
  readonly recall10AboveFloor: number;
  readonly precision5: number;
  readonly reciprocalRank: number;
  readonly ndcg10: number;
  /** Whether the evidence came before all rivals; null where the question names none. */
  readonly beatsRivals: boolean | null;
  /** Whether all evidence stands whole in the context, by budget. */
  readonly inContext: Readonly<Record<number, boolean>>;
  readonly tokens: Readonly<Record<number, number>>;
  /** Share of the context's tokens that are stored content; null for an empty one. */
  readonly contentShare: number | null;
  readonly ids: Asked['ids'];
  /** Place of each item of the evidence, from 1; null = not in the ranking, or there is none. */
  readonly ranks: readonly (number | null)[];
  readonly layers: Asked['layers'];
  /**
   * Share of leading characters in common with the context of the question before, of the same
   * store; null for the first.
   */
  readonly prefixStability: number | null;
  /** Whether anything of the layer passed the floor. */
  readonly surfaced: boolean;
  readonly topScore: number;
  /** Scores of the evidence that stands among the first ten. */
  readonly evidenceScores10: readonly number[];
  readonly composeMs: number;
  /** The first keys of the ranking, to look at a question by hand. */
  readonly top: readonly string[];
}

export const budgetVariant = (budget: number): Variant => ({
  label: `b${budget}`,
  changes: { 'spec.budget.total_tokens': budget },
});

export interface RunOptions {
  readonly budgets?: readonly number[];
  readonly onProgress?: (text: string) => void;
}

export async function runSuite(
  suite: EvalSuite,
  lab: Lab,
  options: RunOptions = {},
): Promise<readonly QuestionResult[]> {
  const budgets = options.budgets ?? BUDGETS;
  const results: QuestionResult[] = [];
  const texts = new Map<string, string>();
  for (const [index, question] of suite.questions.entries()) {
    options.onProgress?.(`${index + 1} of ${suite.questions.length}: ${question.id}`);
    const asked = new Map<number, Asked>();
    for (const budget of budgets) asked.set(budget, await lab.ask(question, budgetVariant(budget)));
    const text = mainOf(asked).text;
    results.push(judge(question, asked, texts.get(question.store)));
    texts.set(question.store, text);
  }
  return results;
}

/** A question under one variant alone. */
export async function askOnce(
  question: EvalQuestion,
  lab: Lab,
  variant: Pick<Variant, 'label'>,
): Promise<QuestionResult> {
  return judge(question, new Map([[MAIN_BUDGET, await lab.ask(question, variant)]]));
}

function mainOf(asked: ReadonlyMap<number, Asked>): Asked {
  const main = asked.get(MAIN_BUDGET) ?? [...asked.values()].at(-1);
  if (!main) throw new RangeError('A run needs at least one budget.');
  return main;
}

function judge(
  question: EvalQuestion,
  asked: ReadonlyMap<number, Asked>,
  textBefore?: string,
): QuestionResult {
  const main = mainOf(asked);
  const { isAnyEnough = false } = question;
  const evidence = isAnyEnough ? question.evidence.slice(0, 1) : question.evidence;
  /** Where any of the evidence is enough, all of it goes by the name of the first. */
  const nameOf = ({ key }: { readonly key: string }): string =>
    isAnyEnough && question.evidence.includes(key) ? (evidence[0] ?? key) : key;
  const ranking = [...new Set(main.ranking.map(nameOf))];
  const passed = [...new Set(main.ranking.filter((item) => item.fate !== 'floor').map(nameOf))];
  const isAnswerable = evidence.length > 0;
  const isRanked = isAnswerable && main.isScored;
  return {
    id: question.id,
    query: question.query,
    evidence,
    category: question.category,
    layer: question.layer,
    side: question.side,
    isAnswerable,
    isScored: main.isScored,
    recall: isRanked
      ? Object.fromEntries(RECALL_DEPTHS.map((k) => [k, recallAt(ranking, evidence, k)]))
      : {},
    recall10AboveFloor: isRanked ? recallAt(passed, evidence, 10) : 0,
    precision5: isRanked ? precisionAt(ranking, evidence, 5) : 0,
    reciprocalRank: isRanked ? reciprocalRank(ranking, evidence) : 0,
    ndcg10: isRanked ? ndcgAt(ranking, evidence, 10) : 0,
    beatsRivals: beatsRivals(question, main),
    inContext: Object.fromEntries(
      [...asked].map(([budget, { whole }]) => [
        budget,
        isAnswerable &&
          (isAnyEnough
            ? question.evidence.some((key) => whole.has(key))
            : evidence.every((key) => whole.has(key))),
      ]),
    ),
    tokens: Object.fromEntries([...asked].map(([budget, { tokens }]) => [budget, tokens])),
    contentShare: main.tokens === 0 ? null : main.contentTokens / main.tokens,
    ids: main.ids,
    ranks: evidence.map((key) => (main.isScored ? rankOf(ranking, key) : null)),
    layers: main.layers,
    prefixStability: textBefore === undefined ? null : prefixStability(textBefore, main.text),
    surfaced: passed.length > 0,
    topScore: main.ranking[0]?.score ?? 0,
    evidenceScores10: main.ranking
      .slice(0, 10)
      .flatMap(({ key, score }) => (evidence.includes(key) ? [score ?? 0] : [])),
    composeMs: main.composeMs,
    top: ranking.slice(0, 10),
  };
}

function rankOf(ranking: readonly string[], key: string): number | null {
  const place = ranking.indexOf(key);
  return place < 0 ? null : place + 1;
}

/** In a ranking the evidence leads; in a layer without one the rivals are not there at all. */
function beatsRivals({ evidence, rivals }: EvalQuestion, asked: Asked): boolean | null {
  if (rivals === undefined || evidence.length === 0) return null;
  const order = asked.isScored ? asked.ranking.map((item) => item.key) : [...asked.whole];
  const place = Math.min(
    ...evidence.map((key) => (order.includes(key) ? order.indexOf(key) : Number.POSITIVE_INFINITY)),
  );
  if (!Number.isFinite(place)) return false;
  return rivals.every(
    (key) => !order.includes(key) || (asked.isScored && order.indexOf(key) > place),
  );
}
