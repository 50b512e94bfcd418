/**
 * `validate`: manifests against their schema, each other, and the code that calls them. What CI
 * runs.
 */
import { loadManifests } from '../../manifest/load.ts';
import { numberFlag, usageError } from '../arguments.ts';
import type { Call, Command } from '../command.ts';
import { linted } from '../linted-manifests.ts';
import { lockFindings } from '../lock-file.ts';
import { manifestPaths } from '../manifest-paths.ts';
import { readSettings } from '../settings.ts';
import { shownPath } from '../shown-path.ts';
import { lintCallCode } from '../validate/lint-call-code.ts';
import { printReport, reportFormat } from '../validate/validate-report.ts';

export const validateCommand: Command = {
  name: 'validate',
  summary: 'check manifests, and code against them: exit 0 when they are sound, 4 with findings',
  takes: { usage: '[PATHS…]', min: 0, max: 1000 },
  usesLedger: true,
  flags: {
    code: {
      type: 'string',
      value: 'GLOB',
      isMultiple: true,
      help:
        'code whose compose calls are checked: a file, a folder, a glob in quotes; `!GLOB` ' +
        'leaves out',
    },
    format: {
      type: 'string',
      value: 'NAME',
      help: 'pretty (default), json, github (workflow annotations) or sarif (2.1.0)',
    },
    'max-warnings': {
      type: 'string',
      value: 'N',
      help: 'leave with 4 where there are more warnings than this (default: any number is fine)',
    },
  },
  notes:
    'Opens no database, and runs nothing of the code. Warnings are shown and leave the exit code at 0.\n' +
    'A folder is also held to its manifests.lock.json.\n' +
    'A call is bound to its manifest by a literal `manifest`, or by the type of its scope id,\n' +
    '`ScopeUuid<…>`. `--code` needs the package `typescript` (>= 5.5, < 7).',
  examples: [
    'contextengine validate',
    'contextengine validate manifests/support-thread.yaml --json',
    "contextengine validate --code 'src/**/*.ts' --code '!**/*.test.ts' --format github",
  ],
  async run(call) {
    const format = reportFormat(call);
    const maxWarnings = warningLimit(call);
    const paths = manifestPaths(call);
    const { cwd } = call.terminal;
    const set = await linted(loadManifests({ paths, mounts: mountNames(call) }));
    const globs = call.flags.texts('code');
    const code = globs.length === 0 ? undefined : await lintCallCode({ globs, cwd, set });
    const found = [...set.findings, ...lockFindings(set, paths), ...(code?.findings ?? [])];
    const findings = found.map((finding) => ({ ...finding, file: shownPath(finding.file, cwd) }));
    const errors = findings.filter((finding) => finding.severity === 'error').length;
    await printReport(call, format, { set, findings, errors, paths, code });
    return errors === 0 && findings.length - errors <= maxWarnings ? 0 : 4;
  },
};

/** Of the folder that the command runs in. */
const mountNames = ({ flags, terminal }: Call): readonly string[] =>
  Object.keys(readSettings(flags, terminal).mounts.value);

function warningLimit({ flags }: Call): number {
  const limit = numberFlag(flags, 'max-warnings');
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (Number.isInteger(limit) && limit >= 0) return limit;
  throw usageError(
    `\`--max-warnings\` is \`${limit}\`.`,
    'Write how many warnings are fine: 0 or more.',
  );
}
