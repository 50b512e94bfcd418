/** What `validate` found, as it prints it. */
import type { Finding, ManifestSet } from '../../index.ts';
import { VERSION } from '../../index.ts';
import { usageError } from '../arguments.ts';
import type { Call } from '../command.ts';
import { formatFinding } from '../failure.ts';
import { printJson, printText } from '../output.ts';
import { shownPath } from '../shown-path.ts';
import { toGithubAnnotations } from './github-annotations.ts';
import type { CodeReport } from './lint-call-code.ts';
import { toSarif } from './sarif-log.ts';

const FORMATS = ['pretty', 'json', 'github', 'sarif'] as const;
export type ReportFormat = (typeof FORMATS)[number];

export interface ValidateReport {
  readonly set: ManifestSet;
  /** Files as they are shown. */
  readonly findings: readonly Finding[];
  readonly errors: number;
  readonly paths: readonly string[];
  /** Absent without `--code`. */
  readonly code: CodeReport | undefined;
}

/** `--format`, or `json` where `--json` stands. Throws `CLI.USAGE`. */
export function reportFormat({ flags, isJson }: Pick<Call, 'flags' | 'isJson'>): ReportFormat {
  const asked = flags.text('format');
  if (asked === undefined) return isJson ? 'json' : 'pretty';
  const format = FORMATS.find((known) => known === asked);
  if (format === undefined)
    throw usageError(`\`--format\` is \`${asked}\`.`, `Use ${FORMATS.join(', ')}.`);
  if (isJson && format !== 'json')
    throw usageError(`\`--json\` and \`--format ${format}\` are both given.`, 'Give one of them.');
  return format;
}

export async function printReport(
  call: Call,
  format: ReportFormat,
  report: ValidateReport,
): Promise<void> {
  if (format === 'json') return printJson(call, toJson(call, report));
  if (format === 'sarif') return printJson(call, toSarif(report.findings, VERSION));
  return printText(
    call,
    format === 'github' ? toGithubAnnotations(report.findings) : pretty(call, report),
  );
}

const toJson = (
  { terminal }: Call,
  { set, findings, errors, code }: ValidateReport,
): Readonly<Record<string, unknown>> => ({
  ok: errors === 0,
  manifests: set.manifests.map((manifest) => ({
    name: manifest.name,
    version: manifest.version,
    scope_block_type: manifest.scopeBlockType,
    file: shownPath(manifest.path, terminal.cwd),
    digest: manifest.digest,
  })),
  collections: Object.keys(set.collections),
  ...(code && { code: { files: code.files, calls: code.calls } }),
  findings,
});

function pretty(
  { terminal }: Call,
  { set, findings, errors, paths, code }: ValidateReport,
): string {
  const lines = findings.map((finding) => formatFinding(finding, terminal.paintOut));
  const warnings = findings.length - errors;
  const manifests = set.manifests.map(({ name, version }) => `${name}@${version}`);
  if (manifests.length === 0 && errors === 0)
    lines.push(
      `No manifest in ${paths.map((path) => shownPath(path, terminal.cwd)).join(', ')}. Make ` +
        'one with `contextengine init`.',
    );
  const sound = [
    ...manifests,
    ...Object.keys(set.collections).map((name) => `collection ${name}`),
  ].join(', ');
  const verdict =
    errors === 0
      ? terminal.paintOut('green', `sound: ${sound || 'nothing to check'}`)
      : terminal.paintOut('red', count(errors, 'error'));
  lines.push(warnings === 0 ? verdict : `${verdict}, ${count(warnings, 'warning')}`);
  if (code)
    lines.push(
      terminal.paintOut(
        'dim',
        `${count(code.calls, 'compose call')} in ${count(code.files, 'file')}`,
      ),
    );
  return lines.join('\n');
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;
