/** The manifests of a call for commands that go on only where they are sound. */

import type { Finding, ManifestSet } from '../index.ts';
import { loadManifests } from '../manifest/load.ts';
import type { Call } from './command.ts';
import { formatFinding } from './failure.ts';
import { printJson, printText } from './output.ts';
import { readSettings } from './settings.ts';
import { shownPath } from './shown-path.ts';

export interface SoundManifests {
  readonly set: ManifestSet;
  /** Where they were looked for. */
  readonly paths: readonly string[];
}

/**
 * Loads the manifests that the call's settings name. With errors among their findings these are
 * printed, and there is nothing to go on with.
 */
export async function soundManifests(call: Call): Promise<SoundManifests | null> {
  const settings = readSettings(call.flags, call.terminal);
  const paths = settings.manifests.value;
  const set = loadManifests({ paths, mounts: Object.keys(settings.mounts.value) });
  const errors = set.findings.filter((finding) => finding.severity === 'error');
  if (errors.length === 0) return { set, paths };
  await printFindings(call, errors);
  return null;
}

/** Findings as the answer of a command. */
export async function printFindings(call: Call, findings: readonly Finding[]): Promise<void> {
  const shown = findings.map((finding) => ({
    ...finding,
    file: shownPath(finding.file, call.terminal.cwd),
  }));
  if (call.isJson) await printJson(call, { ok: false, findings: shown });
  else
    await printText(
      call,
      shown.map((finding) => formatFinding(finding, call.terminal.paintOut)).join('\n'),
    );
}
