/** `fmt`: manifests in one layout. */
import { writeFile } from 'node:fs/promises';
import { ContextEngineError, type Finding } from '../../index.ts';
import { formatManifest } from '../../manifest/format.ts';
import { manifestFiles, readManifestText } from '../../manifest/manifest-files.ts';
import { usageError } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { formatFinding } from '../failure.ts';
import { manifestPaths } from '../manifest-paths.ts';
import { printJson, printText } from '../output.ts';
import { ownName } from '../own-name.ts';
import { shownPath } from '../shown-path.ts';
import { printFindings } from '../sound-manifests.ts';

const STDIN = '-';

export const fmtCommand: Command = {
  name: 'fmt',
  summary: 'write manifests in one layout; comments and meaning stay',
  takes: { usage: '[PATHS…|-]', min: 0, max: 1000 },
  usesLedger: true,
  flags: { check: { type: 'boolean', help: 'write nothing; exit 4 if a file is not formatted' } },
  notes:
    'Keys in the order of the schema, layers in yours, two spaces, LF. `-` reads stdin and prints the\n' +
    'result. A file that is no YAML manifest is never written: exit 4, with its findings.',
  examples: [
    'contextengine fmt',
    'contextengine fmt --check',
    'contextengine fmt - < manifests/support-thread.yaml',
  ],
  run: (call) => (call.positionals.includes(STDIN) ? formatStdin(call) : formatFiles(call)),
};

interface Formatted {
  readonly path: string;
  /** The new text where it differs. */
  readonly changed: string | undefined;
}

async function formatFiles(call: Call): Promise<ExitCode> {
  const findings: Finding[] = [];
  const files: Formatted[] = [];
  for (const path of manifestFiles(manifestPaths(call), findings)) {
    const text = readManifestText(path, findings);
    if (text === undefined) continue;
    const result = formatManifest(text, path);
    if ('findings' in result) findings.push(...result.findings);
    else files.push({ path, changed: result.text === text ? undefined : result.text });
  }
  const isCheck = call.flags.isOn('check');
  const changed = files.filter((file) => file.changed !== undefined);
  if (!isCheck) for (const { path, changed: text } of changed) await writeFile(path, text ?? '');
  await report(call, { files, findings });
  return findings.length > 0 || (isCheck && changed.length > 0) ? 4 : 0;
}

async function report(
  call: Call,
  { files, findings }: { files: readonly Formatted[]; findings: readonly Finding[] },
): Promise<void> {
  const { terminal } = call;
  const isCheck = call.flags.isOn('check');
  const shown = (path: string): string => shownPath(path, terminal.cwd);
  const changed = files.filter((file) => file.changed !== undefined).map(({ path }) => shown(path));
  const located = findings.map((finding) => ({ ...finding, file: shown(finding.file) }));
  if (call.isJson) {
    const isOk = findings.length === 0 && !(isCheck && changed.length > 0);
    await printJson(call, {
      ok: isOk,
      files: files.length,
      [isCheck ? 'unformatted' : 'written']: changed,
      findings: located,
    });
    return;
  }
  const verdict = (path: string): string =>
    isCheck
      ? `${terminal.paintOut('yellow', 'not formatted')}  ${path}`
      : `${terminal.paintOut('green', 'wrote')}  ${path}`;
  const rest = files.length - changed.length;
  const lines = [
    ...located.map((finding) => formatFinding(finding, terminal.paintOut)),
    ...changed.map(verdict),
  ];
  if (rest > 0 || lines.length === 0) lines.push(`${rest} formatted already`);
  if (isCheck && changed.length > 0) lines.push(`Run \`${ownName(terminal.env)} fmt\`.`);
  await printText(call, lines.join('\n'));
}

async function formatStdin(call: Call): Promise<ExitCode> {
  if (call.positionals.length > 1)
    throw usageError('`-` stands beside other paths.', 'Give `-` alone, or paths.');
  const text = await readStdin(call);
  const result = formatManifest(text, '<stdin>');
  if ('findings' in result) {
    if (call.isJson) await printFindings(call, result.findings);
    else
      for (const finding of result.findings)
        call.terminal.err(`${formatFinding(finding, call.terminal.paintErr)}\n`);
    return 4;
  }
  const isChanged = result.text !== text;
  const isRefused = isChanged && call.flags.isOn('check');
  if (call.isJson) await printJson(call, { ok: !isRefused, changed: isChanged, text: result.text });
  else if (!call.flags.isOn('check')) await printText(call, result.text);
  else if (isRefused) call.terminal.err('stdin is not formatted\n');
  return isRefused ? 4 : 0;
}

async function readStdin({ terminal }: Call): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.stdin) chunks.push(Buffer.from(chunk));
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new ContextEngineError('CLI.INPUT', {
      message: 'What stdin holds is not valid UTF-8.',
      fix: 'Save it as UTF-8.',
      cause,
    });
  }
}
