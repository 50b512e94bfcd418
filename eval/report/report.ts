/** One run, as data: what is printed, stored as a baseline, compared and drawn. */

import type { Interval } from '../metrics/statistics.ts';
import { mean, pairedInterval } from '../metrics/statistics.ts';
import type { Lab } from '../run/lab.ts';
import type { QuestionResult } from '../run/run-suite.ts';
import type { EvalSuite } from '../suite.ts';
import { SIDES } from '../suite.ts';
import { ANSWERABLE_NAMELESS, LOCOMO_CATEGORIES } from '../suites/locomo.ts';
import type { FloorPoint, Latency, Summary, UnanswerableSummary } from './summarise.ts';
import { groupBy, latencyOf, summarise, summariseUnanswerable, sweepFloors } from './summarise.ts';

/**
 * The headline measures stand at the top level, over the categories that count (see `headline`).
 */
export interface Report extends Summary {
  readonly suite: string;
  readonly data_sha256: string;
  /** Digest of the manifest file and the embedder: what could be set otherwise. */
  readonly settings_sha256: string;
  /** Categories that the measures at the top are over. */
  readonly headline: readonly string[];
  readonly by_category: Readonly<Record<string, Summary>>;
  /** The headline on either side of the split; empty sides are left out. */
  readonly by_side: Readonly<Record<string, Summary>>;
  readonly unanswerable: UnanswerableSummary;
  /** By layer; see summarise.ts. */
  readonly floors: Readonly<Record<string, readonly FloorPoint[]>>;
  /** At the budget of the bar. */
  readonly latency: Latency;
  /** Mean share of the tokens of a context that are stored content. */
  readonly content_share: number;
  /** The same of the parts of each layer, all contexts together. */
  readonly content_by_layer: Readonly<Record<string, number>>;
  /** Tokens of an id, `17`, all contexts together; 0 where no item has one. */
  readonly id_tokens: number;
  /** The same as it stands in the text, `[17]`. */
  readonly id_tokens_marked: number;
  /**
   * Share of leading characters that two contexts of one store, one after the other, have in
   * common.
   */
  readonly prefix_stability: number;
  /** nDCG@10 above another way to rank the same questions; null where there is none. */
  readonly beside: {
    readonly name: string;
    readonly 'ndcg@10': number;
    /** 95 % bootstrap interval of the paired difference. */
    readonly difference: Interval;
    readonly by_category: Readonly<Record<string, Interval>>;
  } | null;
  readonly skipped: number;
  readonly items: number;
  readonly filled_ms: number;
  readonly results: readonly QuestionResult[];
}

export interface ReportParts {
  readonly suite: EvalSuite;
  readonly lab: Pick<Lab, 'items' | 'filledMs'>;
  readonly results: readonly QuestionResult[];
  readonly settingsSha256: string;
  readonly beside?: { readonly name: string; readonly results: readonly QuestionResult[] };
}

/**
 * Reported, but in no headline: asked about the wrong person on purpose, as the literature has it,
 * and asked without the names.
 */
export const APART: readonly string[] = [LOCOMO_CATEGORIES[5] ?? '', ANSWERABLE_NAMELESS];

export function createReport(parts: ReportParts): Report {
  const { suite, lab, results, settingsSha256 } = parts;
  const categories = [...groupBy(results, (result) => result.category)];
  const headline = categories.flatMap(([name, group]) =>
    APART.includes(name) || !group.some((result) => result.isAnswerable) ? [] : [name],
  );
  const asWritten = results.filter(({ category }) => category !== ANSWERABLE_NAMELESS);
  const counted = results.filter((result) => headline.includes(result.category));
  const sides = SIDES.flatMap((side) => {
    const group = counted.filter((result) => result.side === side && result.isAnswerable);
    return group.length === 0 ? [] : [[side, summarise(group)] as const];
  });
  return {
    suite: suite.name,
    data_sha256: suite.dataSha256,
    settings_sha256: settingsSha256,
    headline,
    ...summarise(counted),
    by_category: Object.fromEntries(
      categories.flatMap(([name, group]) =>
        group.some((result) => result.isAnswerable) ? [[name, summarise(group)] as const] : [],
      ),
    ),
    by_side: Object.fromEntries(sides),
    unanswerable: summariseUnanswerable(asWritten),
    floors: sweepFloors(asWritten),
    latency: latencyOf(results),
    content_share: mean(
      results.flatMap((result) => (result.contentShare === null ? [] : [result.contentShare])),
    ),
    content_by_layer: contentByLayer(results),
    id_tokens: perId(results, 'tokens'),
    id_tokens_marked: perId(results, 'marked'),
    prefix_stability: mean(
      results.flatMap((result) =>
        result.prefixStability === null ? [] : [result.prefixStability],
      ),
    ),
    beside: besideOf(parts),
    skipped: suite.skipped.length,
    items: lab.items,
    filled_ms: lab.filledMs,
    results,
  };
}

function besideOf({ results, beside }: ReportParts): Report['beside'] {
  if (!beside) return null;
  const other = new Map(beside.results.map((result) => [result.id, result]));
  const ranked = results.filter(({ isAnswerable, isScored }) => isAnswerable && isScored);
  const above = (own: readonly QuestionResult[]): Interval =>
    pairedInterval(
      own.map(({ id }) => other.get(id)?.ndcg10 ?? 0),
      own.map(({ ndcg10 }) => ndcg10),
    );
  return {
    name: beside.name,
    'ndcg@10': mean(ranked.map(({ id }) => other.get(id)?.ndcg10 ?? 0)),
    difference: above(ranked),
    by_category: Object.fromEntries(
      [...groupBy(ranked, ({ category }) => category)].map(([name, own]) => [name, above(own)]),
    ),
  };
}

function perId(results: readonly QuestionResult[], what: 'tokens' | 'marked'): number {
  const sum = (of: 'count' | 'tokens' | 'marked'): number =>
    results.reduce((total, { ids }) => total + ids[of], 0);
  const count = sum('count');
  return count === 0 ? 0 : sum(what) / count;
}

function contentByLayer(results: readonly QuestionResult[]): Readonly<Record<string, number>> {
  const sums = new Map<string, { tokens: number; content: number }>();
  for (const { layers } of results)
    for (const [layer, { tokens, content }] of Object.entries(layers)) {
      const sum = sums.get(layer) ?? { tokens: 0, content: 0 };
      sums.set(layer, { tokens: sum.tokens + tokens, content: sum.content + content });
    }
  return Object.fromEntries(
    [...sums].map(([layer, { tokens, content }]) => [layer, content / tokens]),
  );
}
