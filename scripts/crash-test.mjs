// kill -9 on the embedded database, many times over:  node scripts/crash-test.mjs [--runs 100] [--tries 50] [--seed 1]
// Needs a build. Exit code 1 when a row was lost, doubled or half there, a lock shared, or amcheck found damage.
import { parseArgs } from 'node:util';
import { contendRuns, crashRuns, takeoverRuns } from '../test/support/crash-runs.mjs';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100' }, tries: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
});
const progress = (text) => process.stderr.write(process.stderr.isTTY ? `\r${text}   ` : `${text}\n`);
const started = performance.now();
const crash = await crashRuns({
  runs: Number(values.runs),
  seed: Number(values.seed),
  onRun: ({ run, acked, rows, reopenMs }) =>
    progress(`kill ${run}: after ${acked} batches, ${rows} rows in all, reopened in ${reopenMs} ms`),
});
const takeover = await takeoverRuns({
  tries: Number(values.tries),
  onTry: ({ count, verdicts }) => progress(`takeover ${count}: ${verdicts.join(', ')}`),
});
const contention = await contendRuns({ rounds: 10, processes: 8 });
process.stdout.write(
  `${JSON.stringify({ crash, takeover, contention, seconds: Math.round((performance.now() - started) / 1000) }, null, 2)}\n`,
);
process.exitCode = crash.problems.length + takeover.problems.length + contention.violations.length > 0 ? 1 : 0;
