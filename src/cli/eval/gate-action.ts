/**
 * `eval gate`: the suites of the package, or one's own, against the committed baseline. Exit 4
 * where something became worse or went unmeasured.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GateFinding, PreparedSuite, Report } from '../../../eval/index.ts';
import { usageError } from '../arguments.ts';
import type { Call, ExitCode } from '../command.ts';
import { printJson, printText } from '../output.ts';
import { shownPath } from '../shown-path.ts';
import { createProgress } from '../terminal.ts';
import { failedTable } from './failed-table.ts';
import type { Harness } from './harness.ts';
import { evaluateOptions, pathFlag, preparedSuite } from './harness.ts';

export async function gate(call: Call, harness: Harness): Promise<ExitCode> {
  const path = baselinePath(call, harness);
  const baseline = harness.readBaseline(path);
  const reports = await measure(call, harness);
  const rankingSha256 = harness.rankingCodeDigest();
  if (call.flags.isOn('update')) {
    harness.writeBaseline(path, harness.toBaseline(reports, rankingSha256));
    await printText(
      call,
      `wrote ${shownPath(path, call.terminal.cwd)}\n${reports.map(line).join('\n')}`,
    );
    return 0;
  }
  const findings = harness.judgeGate(baseline, { reports, rankingSha256 });
  const isNamed = call.flags.isOn('failed');
  const isFailing = findings.some((finding) => finding.severity === 'error');
  if (call.isJson)
    await printJson(call, {
      ok: !isFailing,
      baseline: path,
      findings,
      suites: reports.map(({ results, ...summary }) => ({
        ...summary,
        ...(isNamed && harness.failedQuestions(results)),
      })),
    });
  else
    await printText(
      call,
      [
        ...reports.map(line),
        ...(isNamed
          ? reports.flatMap((report) => {
              const named = harness.failedQuestions(report.results);
              return failedTable(report, named, call.terminal) || [];
            })
          : []),
        ...findings.map((finding) => shown(finding, call)),
        isFailing ? '' : 'gate: passed',
      ].join('\n'),
    );
  return isFailing ? 4 : 0;
}

/**
 * `--baseline FILE`; beside a gold file of one's own; else the one of the repository. Throws
 * `CLI.USAGE` in an installed package.
 */
export function baselinePath(call: Call, harness: Harness): string {
  const given = pathFlag(call, 'baseline');
  if (given !== undefined) return given;
  const gold = pathFlag(call, 'gold');
  if (gold !== undefined) return `${gold.replace(/\.ya?ml$/i, '')}.baseline.json`;
  const own = join(harness.repositoryRoot(), 'eval');
  if (existsSync(own)) return join(own, 'baseline.json');
  throw usageError(
    'The suites of the package are gated where its code changes.',
    'Add `--gold FILE` with questions of your own.',
  );
}

/** At one budget: the gate is about rankings, and has to be quick. */
async function measure(call: Call, harness: Harness): Promise<readonly Report[]> {
  const { embedder = 'builtin' } = evaluateOptions(call, harness);
  const isNamed = call.flags.text('gold') !== undefined || call.flags.text('suite') !== undefined;
  if (!isNamed && call.flags.text('variant') !== undefined)
    throw usageError(
      '`--variant` is of no suite.',
      'Name one with `--suite` or `--gold`: the suites of the package are gated as written.',
    );
  const suites: readonly PreparedSuite[] = isNamed
    ? [await preparedSuite(call, harness)]
    : harness.OWN_SUITES.map(harness.ownSuite);
  const progress = createProgress(call.terminal, call.isJson);
  const reports: Report[] = [];
  try {
    for (const prepared of suites)
      reports.push(
        await harness.evaluate(prepared, {
          embedder,
          budgets: [harness.MAIN_BUDGET],
          onProgress: progress.update,
        }),
      );
  } finally {
    progress.end();
  }
  return reports;
}

const percent = (value: number): string => (value * 100).toFixed(1);

const line = (report: Report): string =>
  `${report.suite.padEnd(10)} recall@5 ${percent(report['recall@5'])}  recall@10 ${percent(report['recall@10'])}  MRR ${percent(report.mrr)}${
    report.on_top === null ? '' : `  before rivals ${percent(report.on_top)}`
  }  (${report.questions} questions)`;

function shown(finding: GateFinding, { terminal }: Call): string {
  const severity = terminal.paintOut(
    finding.severity === 'error' ? 'red' : 'yellow',
    finding.severity,
  );
  return (
    `${severity}  ${finding.message}  ${terminal.paintOut('dim', finding.code)}\n    ` +
    `${finding.fix}`
  );
}
