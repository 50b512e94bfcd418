/** `eval`: how well the ranking finds what it should, and whether it became worse. */
import { writeFileSync } from 'node:fs';
import { usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { ablate } from '../eval/ablate-action.ts';
import { compare } from '../eval/compare-action.ts';
import { failedTable } from '../eval/failed-table.ts';
import { gate } from '../eval/gate-action.ts';
import type { Harness } from '../eval/harness.ts';
import { evaluateOptions, loadHarness, pathFlag, preparedSuite } from '../eval/harness.ts';
import { session } from '../eval/session-action.ts';
import { summaryTable } from '../eval/summary-table.ts';
import { printJson, printText } from '../output.ts';
import { createProgress } from '../terminal.ts';

type Action = (call: Call, harness: Harness) => Promise<ExitCode>;
const ACTIONS: Readonly<Record<string, Action>> = { run, compare, ablate, gate, session };

export const evalCommand: Command = {
  name: 'eval',
  summary: 'measure the ranking against questions whose evidence is known',
  takes: { usage: Object.keys(ACTIONS).join('|'), min: 1, max: 3 },
  usesLedger: false,
  flags: {
    suite: {
      type: 'string',
      value: 'NAME',
      help:
        'gold (default), scenario, archive, state, changing-state, changing-facts, languages, ' +
        'documents, or locomo with --data',
    },
    gold: {
      type: 'string',
      value: 'FILE',
      help: 'a gold file of your own instead of a suite of the package',
    },
    data: {
      type: 'string',
      value: 'FILE',
      help: 'the file of a suite that is not part of the package: LoCoMo',
    },
    manifest: {
      type: 'string',
      value: 'FILE',
      help: 'the manifest to evaluate, instead of the suite’s own',
    },
    variant: {
      type: 'string',
      value: 'NAME',
      help: 'measure this A/B variant of the manifest; without it, the manifest as written',
    },
    embedder: { type: 'string', value: 'NAME', help: 'builtin (default) or off' },
    every: {
      type: 'string',
      value: 'N',
      help: 'LoCoMo: every N-th question alone, for a quick look',
    },
    unrelated: {
      type: 'boolean',
      help: 'LoCoMo: every fifth question of the next conversation as well, which cannot answer it',
    },
    budget: {
      type: 'string',
      value: 'TOKENS',
      isMultiple: true,
      help: 'budgets to compose at (default 500, 1000, 2000, 4000; LoCoMo 2000)',
    },
    'all-budgets': {
      type: 'boolean',
      help: 'LoCoMo at all four budgets as well: four times as long',
    },
    html: { type: 'string', value: 'FILE', help: 'run: write a report with plots as well' },
    save: {
      type: 'string',
      value: 'FILE',
      help: 'run: write the result of every question, for compare',
    },
    baseline: {
      type: 'string',
      value: 'FILE',
      help: 'gate, compare: instead of eval/baseline.json, or of GOLD.baseline.json',
    },
    update: { type: 'boolean', help: 'gate: write the baseline anew instead of judging by it' },
    layer: {
      type: 'string',
      value: 'NAME',
      help: 'ablate: the layer whose questions are asked (default semantic)',
    },
    dimension: {
      type: 'string',
      value: 'NAME',
      isMultiple: true,
      help: 'ablate: weights, embedder, fusion, diversity, floor, preset, overfetch, neighbours',
    },
    turns: { type: 'string', value: 'N', help: 'session: how many turns it has (default 50)' },
    facts: {
      type: 'string',
      value: 'N',
      isMultiple: true,
      help: 'session: facts that its user has beforehand (default 0, 10 and 40, one after the other)',
    },
    failed: {
      type: 'boolean',
      help: 'run, gate: name the failed questions, and the unrelated ones that were served',
    },
    questions: { type: 'boolean', help: 'with --json: the result of every question as well' },
  },
  notes: `
What it does
  run        asks all questions of a suite and prints the measures, in points.
  compare    two saved runs (compare BEFORE AFTER), or a run of now against a saved one or the
             baseline: signed differences with paired 95 % intervals, and which questions moved.
  ablate     changes one thing at a time and prints a Markdown table of signed differences.
  gate       exit 4 where recall@5 fell by more than 5 % of the baseline, or where the code that
             ranks, the data or the manifest changed and the baseline did not.
  session    plays a session under manifests/chat-session.yaml, or --manifest, and prints how many
             tokens a context has in common with the one before, and what a prompt cache serves.

Every question is put to a real engine, embedded and in memory, through composeBlockContext. The
format of gold files is described in eval/README.md of the package.
`,
  examples: [
    'contextengine eval run --html report.html',
    'contextengine eval run --suite locomo --data locomo10.json --json',
    'contextengine eval gate --gold my-gold.yaml --update',
    'contextengine eval ablate --dimension weights > ablation.md',
  ],
  run: async (call) => {
    const name = call.positionals[0] ?? '';
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (name !== 'compare' && call.positionals.length > 1)
      throw usageError(
        `\`eval ${name}\` does not take \`${call.positionals[1]}\`.`,
        'Only `eval compare` takes files.',
      );
    if (action === undefined)
      throw usageError(`There is no \`eval ${name}\`.`, `Use ${Object.keys(ACTIONS).join(', ')}.`);
    return action(call, await loadHarness());
  },
};

async function run(call: Call, harness: Harness): Promise<ExitCode> {
  const progress = createProgress(call.terminal, call.isJson);
  const prepared = await preparedSuite(call, harness);
  const report = await harness
    .evaluate(prepared, { ...evaluateOptions(call, harness), onProgress: progress.update })
    .finally(progress.end);
  const html = pathFlag(call, 'html');
  if (html !== undefined) writeFileSync(html, harness.htmlReport(report));
  const save = pathFlag(call, 'save');
  if (save !== undefined)
    harness.writeBaseline(save, harness.toBaseline([report], harness.rankingCodeDigest()));
  const { results, ...summary } = report;
  const named = call.flags.isOn('failed') ? harness.failedQuestions(results) : null;
  if (call.isJson)
    await printJson(call, { ...(call.flags.isOn('questions') ? report : summary), ...named });
  else {
    const failed = named === null ? '' : failedTable(report, named, call.terminal);
    const parts = [summaryTable(report, call.terminal), ...(failed === '' ? [] : [failed])];
    await printText(call, parts.join('\n\n'));
  }
  return 0;
}
