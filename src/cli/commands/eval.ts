/** `eval`: how well the ranking finds what it should, and whether it became worse. */
import { resolve } from 'node:path';
import type { Report } from '../../../eval/index.ts';
import { usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { readLocomo } from '../eval/read-locomo.ts';
import { summaryTable } from '../eval/summary-table.ts';
import { printJson, printText } from '../output.ts';
import { shownPath } from '../shown-path.ts';
import { createProgress } from '../terminal.ts';

const ACTIONS = ['run'] as const;
const SUITES = ['locomo'] as const;

export const evalCommand: Command = {
  name: 'eval',
  summary: 'measure the ranking against questions whose evidence is known',
  takes: { usage: ACTIONS.join('|'), min: 1, max: 1 },
  usesLedger: false,
  flags: {
    suite: { type: 'string', value: 'NAME', help: `${SUITES.join(' or ')}` },
    data: { type: 'string', value: 'FILE', help: 'the file of a suite that is not part of the package, such as LoCoMo' },
    manifest: { type: 'string', value: 'FILE', help: 'the manifest to evaluate, instead of the suite’s own' },
    embedder: { type: 'string', value: 'NAME', help: 'builtin (default) or off' },
    every: { type: 'string', value: 'N', help: 'every N-th question alone, for a quick look' },
    'all-budgets': { type: 'boolean', help: 'compose at 500, 1000, 2000 and 4000 tokens: four times as long' },
    budget: {
      type: 'string',
      value: 'TOKENS',
      isMultiple: true,
      help: 'budgets to compose at (default 2000; the bar also asks for 500, 1000 and 4000)',
    },
    questions: { type: 'boolean', help: 'with --json: the result of every question as well' },
  },
  examples: ['contextengine eval run --suite locomo --data locomo10.json --json'],
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const action = ACTIONS.find((known) => known === call.positionals[0]);
  if (action === undefined) throw usageError(`There is no \`eval ${call.positionals[0] ?? ''}\`.`, `Use ${ACTIONS.join(', ')}.`);
  const report = await evaluateCall(call);
  const { results: _results, ...summary } = report;
  if (call.isJson) await printJson(call, call.flags.isOn('questions') ? report : summary);
  else await printText(call, summaryTable(report, call.terminal));
  return 0;
}

type Harness = typeof import('../../../eval/index.ts');

function budgetsOf(flags: Call['flags'], harness: Harness): readonly number[] {
  if (flags.isOn('all-budgets')) return harness.BUDGETS;
  const given = flags.texts('budget');
  return given.length > 0 ? given.map(Number) : [harness.MAIN_BUDGET];
}

async function evaluateCall(call: Call): Promise<Report> {
  const { flags, terminal } = call;
  const harness = await import('../../../eval/index.ts');
  const path = flags.text('data');
  if (path === undefined) throw usageError('`--data` is missing.', 'Add `--data FILE`: LoCoMo is not part of the package.');
  const full = resolve(terminal.cwd, path);
  const data = await readLocomo(full, shownPath(full, terminal.cwd));
  const progress = createProgress(terminal, call.isJson);
  try {
    return await harness.evaluate({
      suite: harness.locomoSuite(data.conversations, {
        dataSha256: data.dataSha256,
        scopeType: 'eval_conversation',
        every: Number(flags.text('every') ?? 1),
      }),
      manifest: flags.text('manifest') ?? harness.evalFile('manifests/locomo.yaml'),
      ...(flags.text('embedder') === 'off' && { embedder: 'off' as const }),
      budgets: budgetsOf(flags, harness),
      onProgress: progress.update,
    });
  } finally {
    progress.end();
  }
}
