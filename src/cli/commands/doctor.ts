/** `doctor`: is everything fit to compose, and where does each setting come from. */
import { ContextEngineError } from '../../index.ts';
import { loadManifests } from '../../manifest/load.ts';
import type { Settings } from '../../settings/settings.ts';
import { type OutageReading, PROBE_EXIT_CODES, readOutage } from '../../telemetry/outage.ts';
import type { Call, Command, ExitCode } from '../command.ts';
import {
  type Check,
  cacheChecks,
  captureChecks,
  healthChecks,
  mountChecks,
  outageWords,
} from '../health-checks.ts';
import { printJson, printText } from '../output.ts';
import { packageVersion } from '../package-root.ts';
import { oneLine } from '../printable.ts';
import { outageFile, withEngine } from '../session.ts';
import { readSettings, shownDatabase } from '../settings.ts';
import { shownPath } from '../shown-path.ts';
import { formatMs, wrap } from '../table.ts';
import { tokenizerChecks } from '../tokenizer-checks.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'check Node, database, manifests and vectors, and show where each setting comes from',
  takes: { usage: '', min: 0, max: 0 },
  usesLedger: true,
  flags: {
    fix: { type: 'boolean', help: 'embed what has no vector yet' },
    probe: {
      type: 'boolean',
      help: 'only look whether a writer left its outage marker; the database is not opened',
    },
  },
  notes:
    'Exit 0 when nothing is wrong, 4 when something is.\n' +
    'With --probe: 0 no marker, 1 a write failed and none has succeeded since, 2 it cannot ' +
    'be read.',
  examples: [
    'contextengine doctor',
    'contextengine doctor --fix',
    'contextengine doctor --probe',
    'contextengine doctor --json',
  ],
  async run(call) {
    if (call.flags.isOn('probe')) return probe(call);
    const settings = readSettings(call.flags, call.terminal);
    const loaded = loadManifests({
      paths: settings.manifests.value,
      mounts: Object.keys(settings.mounts.value),
    });
    const checks = [
      checkNode(),
      ...checkDatabaseUrl(call, settings),
      checkManifests(call, settings, loaded),
      ...(await tokenizerChecks(loaded.manifests)),
      ...(await checkLedger(call)),
    ];
    const origins = shownSettings(settings);
    const isFit = checks.every((check) => check.state !== 'fail');
    if (call.isJson)
      await printJson(call, { ok: isFit, version: packageVersion(), settings: origins, checks });
    else await printText(call, formatDoctor(call, checks, origins));
    return isFit ? 0 : 4;
  },
};

/**
 * For a health check of a container or a hook: as fast as a process starts, whatever state the
 * database is in.
 */
async function probe(call: Call): Promise<ExitCode> {
  const reading = await markerOf(call);
  if (call.isJson) await printJson(call, reading);
  else await printText(call, probeWords(reading));
  return PROBE_EXIT_CODES[reading.state];
}

/** A probe that cannot look says so, and is never taken for an outage. */
async function markerOf({ flags, terminal }: Call): Promise<OutageReading> {
  try {
    const path = outageFile(readSettings(flags, terminal));
    return path === null ? { state: 'clear' } : await readOutage(path, new Date(terminal.now()));
  } catch (error) {
    return { state: 'unknown', reason: error instanceof Error ? error.message : String(error) };
  }
}

const probeWords = (reading: OutageReading): string =>
  reading.state === 'outage'
    ? outageWords(reading.outage)
    : reading.state === 'clear'
      ? 'clear'
      : `unknown: ${reading.reason}`;
/** The `engines` of the package. */
const LEAST_NODE = [20, 19] as const;

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return isNew
    ? { name: 'node', state: 'ok', message: process.versions.node }
    : {
        name: 'node',
        state: 'fail',
        message: `${process.versions.node} is too old`,
        fix: `Use Node ${LEAST_NODE.join('.')} or newer.`,
      };
}

/** The variable of the application: who expects it to be taken sees that it is not. */
function checkDatabaseUrl({ terminal }: Call, { database }: Settings): readonly Check[] {
  if (!terminal.env['DATABASE_URL'] || database.origin !== 'default') return [];
  return [
    {
      name: 'DATABASE_URL',
      state: 'warn',
      message: 'is set, and is left to the application',
      fix: 'To use it write `"database_url": "env:DATABASE_URL"` in contextengine.config.json.',
    },
  ];
}

function checkManifests(
  call: Call,
  settings: Settings,
  { manifests, findings }: ReturnType<typeof loadManifests>,
): Check {
  const shown = settings.manifests.value
    .map((path) => shownPath(path, call.terminal.cwd))
    .join(', ');
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  if (errors > 0)
    return {
      name: 'manifests',
      state: 'fail',
      message: `${errors} error${errors === 1 ? '' : 's'} in ${shown}`,
      fix: 'See them with `contextengine validate`.',
    };
  if (manifests.length === 0)
    return {
      name: 'manifests',
      state: 'warn',
      message: `none in ${shown}`,
      fix: 'Make one with `contextengine init`.',
    };
  const names = manifests.map((manifest) => `${manifest.name}@${manifest.version}`).join(', ');
  return findings.length === 0
    ? { name: 'manifests', state: 'ok', message: names }
    : {
        name: 'manifests',
        state: 'warn',
        message: `${names}; ${findings.length} warnings`,
        fix: 'See them with `contextengine validate`.',
      };
}

/**
 * The engine is opened without its manifests' findings in the way only if they are sound; a fault
 * of the database is a check, not an error.
 */
async function checkLedger(call: Call): Promise<readonly Check[]> {
  const started = call.terminal.now();
  try {
    return await withEngine(call, async ({ engine, settings }) => {
      const opened = formatMs(call.terminal.now() - started);
      const fixed = call.flags.isOn('fix') ? await engine.embedPending() : null;
      const checks = [
        ...healthChecks(await engine.health(), opened),
        ...cacheChecks(await engine.costs.embeddings()),
        ...captureChecks(await engine.jobs.list()),
        ...(await mountChecks(engine, Object.keys(settings.mounts.value))),
      ];
      if (fixed === null) return checks;
      const state = fixed.pending > 0 ? 'fail' : 'ok';
      return [
        ...checks,
        {
          name: 'embedded now',
          state,
          message: `${fixed.embedded} rows, ${fixed.pending} pending`,
          ...(fixed.pending > 0 ? { fix: 'The provider failed again: check its settings.' } : {}),
        },
      ];
    });
  } catch (error) {
    if (!(error instanceof ContextEngineError)) throw error;
    if (error.code === 'MANIFEST.INVALID')
      return [
        {
          name: 'database',
          state: 'warn',
          message: 'not opened: the manifests have errors',
          fix: 'Fix the manifests first.',
        },
      ];
    return [
      {
        name: 'database',
        state: 'fail',
        message: `${error.message} (${error.code})`,
        fix: error.fix,
      },
    ];
  }
}

type ShownSetting = { readonly name: string; readonly value: string; readonly origin: string };

const shownSettings = (settings: Settings): readonly ShownSetting[] => [
  {
    name: 'database',
    value: shownDatabase(settings.database.value),
    origin: settings.database.origin,
  },
  {
    name: 'manifests',
    value: settings.manifests.value.join(', '),
    origin: settings.manifests.origin,
  },
  {
    name: 'embedder',
    value:
      typeof settings.embedder.value === 'string'
        ? settings.embedder.value
        : `${settings.embedder.value.provider} ${settings.embedder.value.model}`,
    origin: settings.embedder.origin,
  },
  ...(settings.overrides.value === ''
    ? []
    : [
        {
          name: 'overrides',
          value: settings.overrides.value,
          origin: settings.overrides.origin,
        },
      ]),
  ...shownMounts(settings.mounts),
  {
    name: 'profile',
    value:
      settings.profile.value ??
      ('url' in settings.database.value ? 'none, and a server needs one' : 'human local'),
    origin: settings.profile.origin,
  },
  {
    name: 'tenant',
    value:
      settings.tenant.value ??
      (settings.profile.value === null && !('url' in settings.database.value)
        ? 'local'
        : 'of the profile'),
    origin: settings.tenant.origin,
  },
];

const shownMounts = ({ value, origin }: Settings['mounts']): readonly ShownSetting[] => {
  const names = Object.entries(value).map(([name, { connector }]) => `${name} (${connector})`);
  return names.length === 0 ? [] : [{ name: 'mounts', value: names.join(', '), origin }];
};

function formatDoctor(
  call: Call,
  checks: readonly Check[],
  settings: readonly ShownSetting[],
): string {
  const { terminal } = call;
  const mark = {
    ok: terminal.paintOut('green', 'ok  '),
    warn: terminal.paintOut('yellow', 'warn'),
    fail: terminal.paintOut('red', 'fail'),
  };
  const width = Math.max(...checks.map((check) => check.name.length)) + 2;
  const indent = ' '.repeat(6 + width);
  const lines = checks.map((check) => {
    const body = wrap(
      check.fix === undefined ? check.message : `${check.message}\n${check.fix}`,
      terminal.columns,
      indent,
    ).trimStart();
    return `${mark[check.state]}  ${check.name.padEnd(width)}${body}`;
  });
  const rows = settings.map(
    (setting) =>
      `  ${setting.name.padEnd(11)}${oneLine(setting.value)}  ` +
      `${terminal.paintOut('dim', `(${setting.origin})`)}`,
  );
  return [
    `contextengine ${packageVersion()}`,
    '',
    ...lines,
    '',
    terminal.paintOut('bold', 'settings'),
    ...rows,
  ].join('\n');
}
