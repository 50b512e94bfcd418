/**
 * `plan`: what the manifests as they are would change in compositions, against the lock; `--write`
 * moves the lock.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from '../../index.ts';
import { ContextEngineError } from '../../index.ts';
import { checkLock, formatLock, lockOf, parseLock } from '../../manifest/lock.ts';
import { type PlanEntry, planBetween } from '../../manifest/plan.ts';
import { numberFlag } from '../arguments.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import { formatFinding } from '../failure.ts';
import { inLock, type LockFile, readLockFile } from '../lock-file.ts';
import { printJson, printText, remark } from '../output.ts';
import { comparePreview } from '../plan/compare-compositions.ts';
import { type ComparedPreview, entryReport, previewReport } from '../plan/plan-report.ts';
import { withEngine } from '../session.ts';
import { readSettings, shownDatabase } from '../settings.ts';
import { shownPath } from '../shown-path.ts';
import { type SoundManifests, soundManifests } from '../sound-manifests.ts';

export const planCommand: Command = {
  name: 'plan',
  summary:
    'show what changed manifests would change in compositions, against the lock; --write ' +
    'moves the lock',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: true,
  flags: {
    write: {
      type: 'boolean',
      help: 'write manifests.lock.json; refused where a manifest changed and its version did not',
    },
    last: {
      type: 'string',
      value: 'N',
      help: 'recorded requests to compose again, for each changed manifest (default 20)',
    },
    offline: { type: 'boolean', help: 'open no database: only the difference of the manifests' },
  },
  notes:
    'Where there is a database, the last recorded requests of each changed manifest are composed under\n' +
    'both versions, at the position and instant they were made at, and nothing is written. Exit 4 where\n' +
    'a manifest changed and its version did not.',
  examples: [
    'contextengine plan',
    'contextengine plan --last 100 --json',
    'contextengine plan --write',
  ],
  run,
};

/** What was recorded under an entry, composed again; a text says why there is none. */
type Preview = ComparedPreview | string;

async function run(call: Call): Promise<ExitCode> {
  const last = numberFlag(call.flags, 'last');
  const sound = await soundManifests(call);
  if (!sound) return 4;
  const file = readLockFile(sound.paths);
  const { entries, findings, text } = planOf(sound, file);
  const isRefused = findings.some((finding) => finding.severity === 'error');
  const changed = entries.filter((entry) => entry.state !== 'same');
  const isWriting = call.flags.isOn('write') && !isRefused && file.text !== text;
  const previews = call.flags.isOn('write')
    ? new Map<string, Preview>()
    : await previewsOf(call, changed, last);
  if (isWriting) writeLock(call, file.path, text);
  const shown = findings.map((finding) => ({
    ...finding,
    file: shownPath(finding.file, call.terminal.cwd),
  }));
  const answer = {
    call,
    entries,
    previews,
    findings: shown,
    lock: shownPath(file.path, call.terminal.cwd),
    isWriting,
    isNew: file.text === null,
  };
  await (call.isJson ? printJson(call, jsonOf(answer)) : printText(call, reportOf(answer)));
  return isRefused ? 4 : 0;
}

interface Planned {
  readonly entries: readonly PlanEntry[];
  /** Of severity error: what keeps the lock from moving. */
  readonly findings: readonly Finding[];
  /** The lock as it would be. */
  readonly text: string;
}

function planOf({ set }: SoundManifests, file: LockFile): Planned {
  const working = lockOf(set, (path) => inLock(file.path, path));
  const text = formatLock(working);
  if (file.text === null) return { entries: planBetween(null, working), findings: [], text };
  const parsed = parseLock(file.text, file.path);
  if ('findings' in parsed) return { entries: [], findings: parsed.findings, text };
  const findings = checkLock(set, { text: file.text, file: file.path }).filter(
    ({ severity }) => severity === 'error',
  );
  return { entries: planBetween(parsed.lock, working), findings, text };
}

function writeLock(call: Call, path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    const file = shownPath(path, call.terminal.cwd);
    throw new ContextEngineError('CLI.INPUT', {
      message: `\`${file}\` cannot be written.`,
      fix: 'Make the folder of the manifests writable.',
      where: { file },
      cause,
    });
  }
}

/** By name. Opens the database only where there is something to compose. */
async function previewsOf(
  call: Call,
  changed: readonly PlanEntry[],
  last: number | undefined,
): Promise<ReadonlyMap<string, Preview>> {
  const wanted = changed.filter(
    ({ kind, state, changes }) => kind === 'manifests' && state === 'changed' && changes.length > 0,
  );
  const previews = new Map<string, Preview>();
  const { database } = readSettings(call.flags, call.terminal);
  if (wanted.length === 0 || call.flags.isOn('offline')) return previews;
  if ('dataDir' in database.value && !existsSync(database.value.dataDir)) {
    remark(
      call,
      `No database at ${shownPath(shownDatabase(database.value), call.terminal.cwd)}: no ` +
        'recorded requests to compose again.',
      'dim',
    );
    return previews;
  }
  return withEngine(call, async ({ engine }) => {
    for (const { name, locked, working } of wanted) {
      if (!locked || !working) continue;
      if (locked.digest === working.digest) continue;
      const [manifest = name] = name.split('@');
      const preview = await engine.preview({
        manifest,
        against: locked.digest,
        working: working.digest,
        ...(last === undefined ? {} : { last }),
      });
      previews.set(
        name,
        preview.against
          ? comparePreview(preview)
          : `Nothing was composed under the locked version (${locked.digest.slice(0, 12)}) in ` +
              'this database: it cannot be composed under again.',
      );
    }
    return previews;
  });
}

interface Answer extends Pick<Planned, 'entries' | 'findings'> {
  readonly call: Call;
  readonly previews: ReadonlyMap<string, Preview>;
  readonly lock: string;
  readonly isWriting: boolean;
  readonly isNew: boolean;
}

function jsonOf({ entries, previews, findings, lock, isWriting }: Answer): unknown {
  const side = (entry: PlanEntry['locked']) =>
    entry && { version: entry.version, digest: entry.digest, file: entry.file };
  return {
    ok: findings.length === 0,
    lock,
    written: isWriting,
    plan: entries.map((entry) => {
      const preview = entry.kind === 'manifests' ? previews.get(entry.name) : undefined;
      return {
        ...entry,
        locked: side(entry.locked),
        working: side(entry.working),
        ...(preview === undefined
          ? {}
          : typeof preview === 'string'
            ? { preview: null, reason: preview }
            : { preview }),
      };
    }),
    findings,
  };
}

function reportOf({ call, entries, previews, findings, lock, isWriting, isNew }: Answer): string {
  const { terminal } = call;
  const parts = entries
    .filter(({ state }) => state !== 'same')
    .map((entry) => {
      const preview = entry.kind === 'manifests' ? previews.get(entry.name) : undefined;
      const previewed =
        preview === undefined
          ? []
          : ['', typeof preview === 'string' ? `  ${preview}` : previewReport(preview, terminal)];
      return [
        entryReport(entry, { ...terminal, fileOf: (file) => join(dirname(lock), file) }),
        ...previewed,
      ].join('\n');
    });
  const same = entries.filter(({ state }) => state === 'same').length;
  const count = `${entries.length - same} changed, ${same} as locked`;
  const verdict = isWriting
    ? terminal.paintOut(
        'green',
        `${lock} written: ` +
          `${entries.map(({ name, working }) => (working ? `${name}@${working.version}` : `-${name}`)).join(', ')}`,
      )
    : findings.length > 0
      ? terminal.paintOut(
          'red',
          `${lock} stays as it is: ${findings.length} ` +
            `${findings.length === 1 ? 'finding' : 'findings'}`,
        )
      : entries.length === same
        ? terminal.paintOut('green', `${lock} is current: ${same} as locked`)
        : `${isNew ? `There is no ${lock} yet` : count}. Move the lock with \`contextengine ` +
          'plan --write`.';
  // What is only new or gone takes one line, and needs none between.
  const whole = parts.filter((part) => !part.includes('\n'));
  const changed = parts.filter((part) => part.includes('\n'));
  return [
    ...changed,
    ...(whole.length > 0 ? [whole.join('\n')] : []),
    ...findings.map((finding) => formatFinding(finding, terminal.paintOut)),
    verdict,
  ].join('\n\n');
}
