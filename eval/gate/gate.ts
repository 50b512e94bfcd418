/**
 * Whether the ranking became worse, or changed without being measured. Findings are data: the
 * command turns them into an exit code.
 */
import type { FindingCode } from '../../src/index.ts';
import type { Report } from '../report/report.ts';
import type { Baseline, SuiteBaseline } from './baseline.ts';
import { toSuiteBaseline } from './baseline.ts';

export interface GateFinding {
  readonly code: FindingCode<'gate'>;
  /** A warning does not fail the gate. */
  readonly severity: 'error' | 'warning';
  readonly suite: string;
  readonly message: string;
  readonly fix: string;
}

/** Of the baseline: recall at 5 may fall by this share. The number. */
export const TOLERANCE = 0.05;

export interface Measured {
  readonly reports: readonly Report[];
  readonly rankingSha256: string;
}

const UPDATE =
  'Look at the numbers, then run the same command with `--update` and commit the baseline with the change.';

export function judgeGate(baseline: Baseline | null, measured: Measured): readonly GateFinding[] {
  if (baseline === null) return [stale('', 'There is no baseline yet.')];
  const findings: GateFinding[] = [];
  if (baseline.ranking_sha256 !== measured.rankingSha256)
    findings.push(
      stale(
        '',
        `The ranking code is \`${short(measured.rankingSha256)}\`; the baseline was measured with \`${short(baseline.ranking_sha256)}\`.`,
      ),
    );
  for (const report of measured.reports)
    findings.push(
      ...judgeSuite(baseline.suites[report.suite], toSuiteBaseline(report), report.suite),
    );
  return findings;
}

function judgeSuite(
  before: SuiteBaseline | undefined,
  now: SuiteBaseline,
  suite: string,
): readonly GateFinding[] {
  if (!before) return [stale(suite, `The baseline has no suite \`${suite}\`.`)];
  if (before.data_sha256 !== now.data_sha256)
    return [
      stale(
        suite,
        `The data of \`${suite}\` is \`${short(now.data_sha256)}\`; the baseline was measured on \`${short(before.data_sha256)}\`.`,
      ),
    ];
  const findings: GateFinding[] = [];
  if (before.settings_sha256 !== now.settings_sha256)
    findings.push(
      stale(
        suite,
        `The manifest or the embedder of \`${suite}\` changed since the baseline was measured.`,
      ),
    );
  for (const measure of ['recall@5', 'on_top'] as const) {
    const [old, value] = [before[measure], now[measure]];
    if (old !== null && value !== null && isWorse(old, value))
      findings.push(
        worse({ suite, what: `${measure} of \`${suite}\``, old, value, severity: 'error' }),
      );
  }
  for (const [category, old] of Object.entries(before.by_category)) {
    const value = now.by_category[category] ?? 0;
    if (isWorse(old, value))
      findings.push(
        worse({
          suite,
          what: `recall@5 of \`${category}\` in \`${suite}\``,
          old,
          value,
          severity: 'warning',
        }),
      );
  }
  return findings;
}

const isWorse = (old: number, value: number): boolean => value < old * (1 - TOLERANCE) - 1e-9;
const short = (digest: string): string => digest.slice(0, 12);
const percent = (value: number): string => (value * 100).toFixed(1);

const stale = (suite: string, message: string): GateFinding => ({
  code: 'EVAL.STALE_BASELINE',
  severity: 'error',
  suite,
  message,
  fix: UPDATE,
});

interface Worse {
  readonly suite: string;
  readonly what: string;
  readonly old: number;
  readonly value: number;
  readonly severity: GateFinding['severity'];
}
const worse = ({ suite, what, old, value, severity }: Worse): GateFinding => ({
  code: 'EVAL.REGRESSION',
  severity,
  suite,
  message: `${what} fell from \`${percent(old)}\` to \`${percent(value)}\`, by ${percent(1 - value / old)} % of it; ${percent(TOLERANCE)} % are allowed.`,
  fix: 'Find the questions that got worse with `contextengine eval compare` and the same flags, and mend the ranking.',
});
