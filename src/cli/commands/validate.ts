/** `validate`: manifests against their schema and each other. What CI runs. */
import type { Finding } from '../../index.ts';
import { loadManifests } from '../../manifest/load.ts';
import type { Call, Command } from '../command.ts';
import { formatFinding } from '../failure.ts';
import { linted } from '../linted.ts';
import { lockFindings } from '../lock-file.ts';
import { manifestPaths } from '../manifest-paths.ts';
import { printJson, printText } from '../output.ts';
import { shownPath } from '../shown-path.ts';

export const validateCommand: Command = {
  name: 'validate',
  summary: 'check manifests: exit 0 when they are sound, 4 with findings',
  takes: { usage: '[PATHS…]', min: 0, max: 1000 },
  usesLedger: true,
  flags: {},
  notes: 'Opens no database. Warnings are shown and leave the exit code at 0. A folder is also held to its manifests.lock.json.',
  examples: ['contextengine validate', 'contextengine validate manifests/support-thread.yaml --json'],
  async run(call) {
    const paths = manifestPaths(call);
    const set = await linted(loadManifests({ paths }));
    const found = [...set.findings, ...lockFindings(set, paths)];
    const findings = found.map((finding) => ({ ...finding, file: shownPath(finding.file, call.terminal.cwd) }));
    const errors = findings.filter((finding) => finding.severity === 'error').length;
    const manifests = set.manifests.map((manifest) => ({
      name: manifest.name,
      version: manifest.version,
      scope_block_type: manifest.scopeBlockType,
      file: shownPath(manifest.path, call.terminal.cwd),
      digest: manifest.digest,
    }));
    if (call.isJson) await printJson(call, { ok: errors === 0, manifests, collections: Object.keys(set.collections), findings });
    else
      await printText(
        call,
        report(call, {
          findings,
          errors,
          manifests: manifests.map(({ name, version }) => `${name}@${version}`),
          collections: Object.keys(set.collections),
          paths,
        }),
      );
    return errors === 0 ? 0 : 4;
  },
};

interface Report {
  readonly findings: readonly Finding[];
  readonly errors: number;
  readonly manifests: readonly string[];
  readonly collections: readonly string[];
  readonly paths: readonly string[];
}

function report(call: Call, { findings, errors, manifests, collections, paths }: Report): string {
  const { terminal } = call;
  const lines = findings.map((finding) => formatFinding(finding, terminal.paintOut));
  const warnings = findings.length - errors;
  const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;
  if (manifests.length === 0 && errors === 0)
    lines.push(`No manifest in ${paths.map((path) => shownPath(path, terminal.cwd)).join(', ')}. Make one with \`contextengine init\`.`);
  const sound = [...manifests, ...collections.map((name) => `collection ${name}`)].join(', ');
  const verdict =
    errors === 0 ? terminal.paintOut('green', `sound: ${sound || 'nothing to check'}`) : terminal.paintOut('red', count(errors, 'error'));
  lines.push(warnings === 0 ? verdict : `${verdict}, ${count(warnings, 'warning')}`);
  return lines.join('\n');
}
