/** `eval compare`: two saved runs, or the baseline and a run of now. */
import { resolve } from 'node:path';
import type { Baseline, Comparison, Moved } from '../../../eval/index.ts';
import { usageError } from '../arguments.ts';
import type { Call, ExitCode } from '../command.ts';
import { printJson, printText } from '../output.ts';
import { formatTable } from '../table.ts';
import { createProgress } from '../terminal.ts';
import { baselinePath } from './gate-action.ts';
import type { Harness } from './harness.ts';
import { evaluateOptions, preparedSuite } from './harness.ts';

const LISTED = 15;

export async function compare(call: Call, harness: Harness): Promise<ExitCode> {
  const [, first, second] = call.positionals;
  const before = saved(
    first === undefined ? baselinePath(call, harness) : resolve(call.terminal.cwd, first),
    harness,
  );
  const after =
    second === undefined
      ? await fresh(call, harness)
      : saved(resolve(call.terminal.cwd, second), harness);
  const suites = Object.keys(after.suites).filter((name) => Object.hasOwn(before.suites, name));
  if (suites.length === 0)
    throw usageError(
      'The two runs have no suite in common.',
      'Compare runs of the same suite; `--suite NAME` runs another one.',
    );
  const comparisons = suites.flatMap((name) => {
    const [old, now] = [before.suites[name], after.suites[name]];
    return old && now ? [harness.compareSuites(name, old, now)] : [];
  });
  if (call.isJson) await printJson(call, comparisons);
  else await printText(call, comparisons.map((comparison) => shown(comparison, call)).join('\n\n'));
  return 0;
}

function saved(path: string, harness: Harness): Baseline {
  const baseline = harness.readBaseline(path);
  if (baseline !== null) return baseline;
  throw usageError(
    `There is no saved run \`${path}\`.`,
    'Save one with `contextengine eval run --save FILE`.',
  );
}

async function fresh(call: Call, harness: Harness): Promise<Baseline> {
  const progress = createProgress(call.terminal, call.isJson);
  const { embedder = 'builtin' } = evaluateOptions(call, harness);
  const options = { embedder, budgets: [harness.MAIN_BUDGET], onProgress: progress.update };
  const report = await harness
    .evaluate(await preparedSuite(call, harness), options)
    .finally(progress.end);
  return harness.toBaseline([report], harness.rankingCodeDigest());
}

const points = (value: number): string => `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`;

function shown(comparison: Comparison, call: Call): string {
  const {
    suite,
    questions,
    same_data: isSameData,
    same_settings: hasSameSettings,
    delta,
  } = comparison;
  const rows = Object.entries(delta).map(([measure, { mean, low, high }]) => [
    measure,
    points(mean),
    `[${points(low)}, ${points(high)}]`,
    low > 0 ? 'better' : high < 0 ? 'worse' : 'within chance',
  ]);
  const table = formatTable(
    [
      { title: 'measure' },
      { title: 'points', align: 'right' },
      { title: '95 %', align: 'right' },
      { title: '' },
    ],
    rows,
    { columns: call.terminal.columns, paint: (text) => call.terminal.paintOut('bold', text) },
  );
  const moved = (name: string, list: readonly Moved[]): readonly string[] =>
    list.length === 0
      ? []
      : [
          `${name} (${list.length}): ${list
            .slice(0, LISTED)
            .map((pair) => pair.id)
            .join(', ')}${list.length > LISTED ? ', …' : ''}`,
        ];
  return [
    `${suite}: ${questions} questions in ` +
      `both${isSameData ? '' : '; the data differs'}${hasSameSettings ? '' : '; the settings differ'}`,
    table,
    ...moved('worse', comparison.worse),
    ...moved('better', comparison.better),
  ].join('\n');
}
