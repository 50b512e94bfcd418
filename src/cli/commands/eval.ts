/** `eval`: how well the ranking finds what it should, and whether it became worse. */
import { usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import type { Harness } from '../eval/harness.ts';
import { evaluateOptions, loadHarness, preparedSuite } from '../eval/harness.ts';
import { summaryTable } from '../eval/summary-table.ts';
import { printJson, printText } from '../output.ts';
import { createProgress } from '../terminal.ts';

type Action = (call: Call, harness: Harness) => Promise<ExitCode>;
const ACTIONS: Readonly<Record<string, Action>> = { run };

export const evalCommand: Command = {
  name: 'eval',
  summary: 'measure the ranking against questions whose evidence is known',
  takes: { usage: Object.keys(ACTIONS).join('|'), min: 1, max: 1 },
  usesLedger: false,
  flags: {
    suite: { type: 'string', value: 'NAME', help: 'gold (default), scenario, state, or locomo with --data' },
    gold: { type: 'string', value: 'FILE', help: 'a gold file of your own instead of a suite of the package' },
    data: { type: 'string', value: 'FILE', help: 'the file of a suite that is not part of the package: LoCoMo' },
    manifest: { type: 'string', value: 'FILE', help: 'the manifest to evaluate, instead of the suite’s own' },
    embedder: { type: 'string', value: 'NAME', help: 'builtin (default) or off' },
    every: { type: 'string', value: 'N', help: 'LoCoMo: every N-th question alone, for a quick look' },
    budget: {
      type: 'string',
      value: 'TOKENS',
      isMultiple: true,
      help: 'budgets to compose at (default 500, 1000, 2000, 4000; LoCoMo 2000)',
    },
    'all-budgets': { type: 'boolean', help: 'LoCoMo at all four budgets as well: four times as long' },
    questions: { type: 'boolean', help: 'with --json: the result of every question as well' },
  },
  notes: `
Every question is put to a real engine, embedded and in memory, through composeBlockContext. The
format of gold files is described in eval/README.md.
`,
  examples: ['contextengine eval run', 'contextengine eval run --suite locomo --data locomo10.json --json'],
  run: async (call) => {
    const name = call.positionals[0] ?? '';
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) throw usageError(`There is no \`eval ${name}\`.`, `Use ${Object.keys(ACTIONS).join(', ')}.`);
    return action(call, await loadHarness());
  },
};

async function run(call: Call, harness: Harness): Promise<ExitCode> {
  const progress = createProgress(call.terminal, call.isJson);
  const prepared = await preparedSuite(call, harness);
  const report = await harness.evaluate(prepared, { ...evaluateOptions(call, harness), onProgress: progress.update }).finally(progress.end);
  const { results: _results, ...summary } = report;
  if (call.isJson) await printJson(call, call.flags.isOn('questions') ? report : summary);
  else await printText(call, summaryTable(report, call.terminal));
  return 0;
}
