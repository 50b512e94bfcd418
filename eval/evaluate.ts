/**
 * One evaluation: a fresh engine is filled with the suite, asked all its questions, and summed up.
 */
import { createHash } from 'node:crypto';
import type { EngineOptions } from '../src/index.ts';
import type { PreparedSuite } from './own-suites.ts';
import type { Report } from './report/report.ts';
import { createReport } from './report/report.ts';
import { openLab } from './run/lab.ts';
import type { BaseManifest, Variant } from './run/manifest-variant.ts';
import { readBaseManifest } from './run/manifest-variant.ts';
import type { QuestionResult } from './run/run-suite.ts';
import { askOnce, BUDGETS, budgetVariant, MAIN_BUDGET, runSuite } from './run/run-suite.ts';

export type EmbedderChoice = NonNullable<EngineOptions['embedder']>;

export interface EvaluateOptions {
  readonly embedder?: EmbedderChoice;
  /** Token budgets to compose at; default all four of the bar. */
  readonly budgets?: readonly number[];
  readonly onProgress?: (text: string) => void;
}

/** Rejects with `EVAL.DATA` or whatever the engine refuses. */
export async function evaluate(
  prepared: PreparedSuite,
  options: EvaluateOptions = {},
): Promise<Report> {
  const { suite, beside } = prepared;
  const { embedder = 'builtin', budgets = BUDGETS, onProgress } = options;
  const manifest = await readBaseManifest(prepared.manifest, prepared.variant);
  await using lab = await openLab({
    suite,
    manifest,
    variants: [...budgets.map(budgetVariant), ...(beside ? [atMainBudget(beside)] : [])],
    collections: prepared.collections,
    embedder,
    ...(onProgress && { onProgress }),
  });
  const results = await runSuite(suite, lab, { budgets, ...(onProgress && { onProgress }) });
  const settingsSha256 = settingsDigest(manifest, embedder);
  const others: QuestionResult[] = [];
  for (const question of beside ? suite.questions : [])
    others.push(await askOnce(question, lab, beside ?? BASE));
  return createReport({
    ...{ suite, lab, results, settingsSha256 },
    ...(beside && { beside: { name: beside.name, results: others } }),
  });
}

const BASE = budgetVariant(MAIN_BUDGET);
const atMainBudget = ({ label, changes }: Variant): Variant => ({
  label,
  changes: { ...BASE.changes, ...changes },
});

/** What was set: the manifest's own text and the embedder's name. */
export const settingsDigest = (
  manifest: Pick<BaseManifest, 'text'>,
  embedder: EmbedderChoice,
): string =>
  createHash('sha256')
    .update(JSON.stringify([manifest.text, nameOf(embedder)]))
    .digest('hex');

const nameOf = (embedder: EmbedderChoice): string =>
  typeof embedder === 'string'
    ? embedder
    : 'space' in embedder
      ? JSON.stringify(embedder.space)
      : embedder.model;
