/** What the command line uses of the harness. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { EngineOptions } from '../src/index.ts';
import type { Report } from './report/report.ts';
import { createReport } from './report/report.ts';
import { openLab } from './run/lab.ts';
import type { Variant } from './run/manifest-variant.ts';
import { readBaseManifest } from './run/manifest-variant.ts';
import { BUDGETS, budgetVariant, runSuite } from './run/run-suite.ts';
import type { EvalSuite } from './suite.ts';

export type { Report } from './report/report.ts';
export { BUDGETS, MAIN_BUDGET } from './run/run-suite.ts';
export type { EvalSuite } from './suite.ts';
export type { LocomoConversation } from './suites/locomo.ts';
export { locomoSuite } from './suites/locomo.ts';

/** A file beside this one, in the sources and in `dist/` alike. */
export const evalFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface EvaluateOptions {
  readonly suite: EvalSuite;
  readonly manifest: string;
  readonly collections?: readonly string[];
  readonly embedder?: EngineOptions['embedder'];
  readonly budgets?: readonly number[];
  readonly onProgress?: (text: string) => void;
}

/** Fills a fresh engine with the suite, asks all its questions, and sums up. */
export async function evaluate(options: EvaluateOptions): Promise<Report> {
  const { suite, onProgress } = options;
  const budgets = options.budgets ?? BUDGETS;
  const variants: readonly Variant[] = budgets.map(budgetVariant);
  const manifest = await readBaseManifest(options.manifest);
  await using lab = await openLab({
    suite,
    manifest,
    variants,
    ...(options.collections && { collections: options.collections }),
    ...(options.embedder && { embedder: options.embedder }),
    ...(onProgress && { onProgress }),
  });
  const results = await runSuite(suite, lab, { budgets, ...(onProgress && { onProgress }) });
  const embedder =
    typeof options.embedder === 'object'
      ? 'space' in options.embedder
        ? options.embedder.space
        : options.embedder.model
      : options.embedder;
  const settingsSha256 = createHash('sha256')
    .update(JSON.stringify([manifest.text, embedder ?? 'builtin']))
    .digest('hex');
  return createReport({ suite, lab, results, settingsSha256 });
}
