/**
 * One thing changed at a time, on one filled engine, and what each change does to the same
 * questions.
 */
import { basename } from 'node:path';
import { ContextEngineError } from '../../src/index.ts';
import type { EmbedderChoice } from '../evaluate.ts';
import type { Interval } from '../metrics/statistics.ts';
import { mean, pairedInterval } from '../metrics/statistics.ts';
import type { PreparedSuite } from '../own-suites.ts';
import { APART } from '../report/report.ts';
import type { Lab, LabOptions } from '../run/lab.ts';
import { openLab } from '../run/lab.ts';
import type { Variant } from '../run/manifest-variant.ts';
import { readBaseManifest } from '../run/manifest-variant.ts';
import type { QuestionResult } from '../run/run-suite.ts';
import { askOnce, budgetVariant, MAIN_BUDGET } from '../run/run-suite.ts';
import type { EvalQuestion } from '../suite.ts';
import type { Ablation } from './dimensions.ts';
import { ablationsOf } from './dimensions.ts';

/** Measures as lists of one number a question, in the order of the questions. */
const MEASURES = {
  'recall@5': (result: QuestionResult): number => result.recall[5] ?? 0,
  'recall@10': (result: QuestionResult): number => result.recall[10] ?? 0,
  mrr: (result: QuestionResult): number => result.reciprocalRank,
  in_context: (result: QuestionResult): number => (result.inContext[MAIN_BUDGET] ? 1 : 0),
} as const;
export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as readonly Measure[];

export interface AblationRow {
  readonly dimension: string;
  readonly change: string;
  /** Signed differences to the base, with 95 % paired bootstrap intervals over questions. */
  readonly delta: Readonly<Record<Measure, Interval>>;
  /** Differences of recall at 10 by category. */
  readonly by_category: Readonly<Record<string, number>>;
  /** Change in the share of unanswerable questions for which something is served. */
  readonly false_surface: number;
  /** The manifest's check refused the change. */
  readonly refused?: string;
}
export interface AblationReport {
  readonly suite: string;
  readonly data_sha256: string;
  readonly layer: string;
  readonly formula: string;
  readonly questions: number;
  readonly base: Readonly<Record<Measure, number>>;
  readonly rows: readonly AblationRow[];
}

export interface AblateOptions {
  readonly layer?: string;
  readonly only?: readonly string[];
  readonly embedder?: EmbedderChoice;
  readonly onProgress?: (text: string) => void;
}

const BASE = budgetVariant(MAIN_BUDGET);

export async function ablate(
  prepared: PreparedSuite,
  options: AblateOptions = {},
): Promise<AblationReport> {
  const { suite, collections } = prepared;
  const layer = options.layer ?? 'semantic';
  // held-out questions say what a choice is worth; they must not make it
  const questions = suite.questions.filter(
    (question) => question.layer === layer && question.side === 'dev',
  );
  const [probe] = questions;
  if (!probe)
    throw new ContextEngineError('EVAL.DATA', {
      message: `No dev question of \`${suite.name}\` is about the layer \`${layer}\`.`,
      fix: `Use one of ${[...new Set(suite.questions.map((question) => question.layer))].join(', ')}.`,
    });
  const manifest = await readBaseManifest(prepared.manifest, prepared.variant);
  const lab = {
    suite,
    manifest,
    collections,
    embedder: options.embedder ?? 'builtin',
    ...(options.onProgress && { onProgress: options.onProgress }),
  };
  const formula = await probeFormula(probe, lab);
  const {
    lab: filled,
    sound,
    refused,
  } = await openSound(ablationsOf(formula, layer, options.only), lab);
  await using open = filled;
  const answers = await askAll(questions, {
    lab: open,
    variants: [BASE, ...sound],
    ...(options.onProgress && { onProgress: options.onProgress }),
  });
  const base = answers.get(BASE.label) ?? [];
  const answerable = base.filter(isCounted);
  return {
    suite: suite.name,
    data_sha256: suite.dataSha256,
    layer,
    formula,
    questions: answerable.length,
    base: overMeasures((measure) => mean(answerable.map(MEASURES[measure]))),
    rows: [
      ...sound.map((ablation) => toRow(ablation, base, answers.get(ablation.label) ?? [])),
      ...refused,
    ],
  };
}

/** In the headline, and so in every mean; the other categories are shown by themselves. */
const isCounted = (result: QuestionResult): boolean =>
  result.isAnswerable && !APART.includes(result.category);

const overMeasures = <T>(of: (measure: Measure) => T): Record<Measure, T> => ({
  'recall@5': of('recall@5'),
  'recall@10': of('recall@10'),
  mrr: of('mrr'),
  in_context: of('in_context'),
});

const withMainBudget = (ablation: Ablation): Variant => ({
  label: ablation.label,
  changes: { ...BASE.changes, ...ablation.changes },
});

/** The formula that the layer is scored by, from the trace of one question over an empty store. */
async function probeFormula(
  probe: EvalQuestion,
  lab: Omit<LabOptions, 'variants'>,
): Promise<string> {
  const stores = lab.suite.stores.map((store) => ({ ...store, turns: [], facts: [], typed: [] }));
  await using empty = await openLab({ ...lab, suite: { ...lab.suite, stores }, variants: [BASE] });
  const { asOf: _asOf, ...question } = probe;
  return (await empty.ask(question, BASE)).formula ?? '';
}

interface Opened {
  readonly lab: Lab;
  readonly sound: readonly Ablation[];
  readonly refused: readonly AblationRow[];
}

/**
 * A change that the manifest's check refuses, such as a key that this version does not have, is
 * reported and left out.
 */
async function openSound(
  ablations: readonly Ablation[],
  options: Omit<LabOptions, 'variants'>,
): Promise<Opened> {
  const refused: AblationRow[] = [];
  let sound = ablations;
  for (;;) {
    try {
      return {
        lab: await openLab({ ...options, variants: [BASE, ...sound.map(withMainBudget)] }),
        sound,
        refused,
      };
    } catch (error) {
      const reasons = refusalsOf(error);
      const known = sound.filter(({ label }) => reasons.has(label));
      if (known.length === 0) throw error;
      refused.push(
        ...known.map((ablation) => ({
          ...emptyRow(ablation),
          refused: reasons.get(ablation.label) ?? '',
        })),
      );
      sound = sound.filter((ablation) => !known.includes(ablation));
    }
  }
}

/** What the check found, by variant: its label is the name of its file. */
function refusalsOf(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ContextEngineError) || error.code !== 'MANIFEST.INVALID') return new Map();
  const findings: unknown[] = Array.isArray(error.meta['findings']) ? error.meta['findings'] : [];
  return new Map(
    findings.flatMap((finding): [string, string][] => {
      if (
        typeof finding !== 'object' ||
        finding === null ||
        !('file' in finding) ||
        !('message' in finding)
      )
        return [];
      return [[basename(String(finding.file), '.yaml'), String(finding.message)]];
    }),
  );
}

async function askAll(
  questions: readonly EvalQuestion[],
  {
    lab,
    variants,
    onProgress,
  }: {
    readonly lab: Lab;
    readonly variants: readonly Variant[];
    readonly onProgress?: (text: string) => void;
  },
): Promise<ReadonlyMap<string, readonly QuestionResult[]>> {
  const answers = new Map<string, QuestionResult[]>();
  for (const [index, variant] of variants.entries()) {
    const results: QuestionResult[] = [];
    for (const question of questions) {
      onProgress?.(
        `variant ${index + 1} of ${variants.length}: ${results.length + 1} of ${questions.length}`,
      );
      results.push(await askOnce(question, lab, variant));
    }
    answers.set(variant.label, results);
  }
  return answers;
}

function toRow(
  ablation: Ablation,
  base: readonly QuestionResult[],
  changed: readonly QuestionResult[],
): AblationRow {
  const pairs = base.flatMap((before, index) => {
    const after = changed[index];
    return after ? [{ before, after }] : [];
  });
  const answerable = pairs.filter(({ before }) => isCounted(before));
  const unanswerable = pairs.filter(({ before }) => !before.isAnswerable);
  const named = pairs.filter(({ before }) => before.isAnswerable);
  const categories = [...new Set(named.map(({ before }) => before.category))];
  const recall10 = MEASURES['recall@10'];
  return {
    dimension: ablation.dimension,
    change: ablation.change,
    delta: overMeasures((measure) =>
      pairedInterval(
        answerable.map(({ before }) => MEASURES[measure](before)),
        answerable.map(({ after }) => MEASURES[measure](after)),
      ),
    ),
    by_category: Object.fromEntries(
      categories.map((category) => {
        const own = named.filter(({ before }) => before.category === category);
        return [category, mean(own.map(({ before, after }) => recall10(after) - recall10(before)))];
      }),
    ),
    false_surface: mean(
      unanswerable.map(({ before, after }) => Number(after.surfaced) - Number(before.surfaced)),
    ),
  };
}

function emptyRow({ dimension, change }: Ablation): AblationRow {
  const none: Interval = { mean: 0, low: 0, high: 0 };
  return { dimension, change, delta: overMeasures(() => none), by_category: {}, false_surface: 0 };
}
