// kill -9 on the embedded database, many times over. Needs a build.
//
//   node scripts/crash-test.mjs [--runs 100] [--tries 50] [--seed 1] [--ingest 100]
//
//   --runs     writers of a plain table, killed while they commit
//   --tries    holders of the folder, killed while two others want it
//   --ingest   runs of `contextengine ingest --jsonl`, killed between a receipt and the end
//
// Exit code 1 when a row was lost, doubled or half there, a lock shared, or amcheck found damage.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contendRuns, crashRuns, ingestRuns, takeoverRuns } from '../test/support/crash-runs.mjs';

const CLI = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const number = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({
  options: { runs: number(100), tries: number(50), seed: number(1), ingest: number(0) },
});
const seed = Number(values.seed);
const progress = (text) =>
  process.stderr.write(process.stderr.isTTY ? `\r${text}   ` : `${text}\n`);

const started = performance.now();
const crash = await crashRuns({
  runs: Number(values.runs),
  seed,
  onRun: ({ run, acked, rows, reopenMs }) =>
    progress(
      `kill ${run}: after ${acked} batches, ${rows} rows in all, reopened in ${reopenMs} ms`,
    ),
});
const takeover = await takeoverRuns({
  tries: Number(values.tries),
  onTry: ({ count, verdicts }) => progress(`takeover ${count}: ${verdicts.join(', ')}`),
});
const contention = await contendRuns({ rounds: Math.ceil(Number(values.tries) / 5), processes: 8 });
const ingest = await ingestRuns({
  cli: CLI,
  runs: Number(values.ingest),
  seed,
  onRun: ({ run, receipts, wasKilled }) =>
    progress(`ingest ${run}: ${wasKilled ? 'killed' : 'ended'} after ${receipts} receipts`),
});
const seconds = Math.round((performance.now() - started) / 1000);
process.stdout.write(
  `${JSON.stringify({ crash, takeover, contention, ingest, seconds }, null, 2)}\n`,
);
const problems = [crash.problems, takeover.problems, contention.violations, ingest.problems].flat();
process.exitCode = problems.length > 0 ? 1 : 0;
