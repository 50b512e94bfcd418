/**
 * Where each setting comes from: flags over the environment over `contextengine.config.json` over
 * the default.
 */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { EngineOptions } from '../index.ts';
import { ContextEngineError } from '../index.ts';
import { parseJsonText } from '../ingest/json-text.ts';
import { readRegularFile, refusalWords } from '../manifest/regular-file.ts';
import { nearest } from '../manifest/suggest.ts';
import { shownDatabaseUrl } from '../model/database-url.ts';
import { usageError } from './arguments.ts';
import type { Flags } from './command.ts';
import { type EmbedderSetting, parseEmbedder } from './embedder-setting.ts';
import { packageRoot } from './package-root.ts';
import type { Terminal } from './terminal.ts';

/** The command line has no pool of an application. */
type Database = Exclude<NonNullable<EngineOptions['database']>, { readonly pool: unknown }>;

export interface Setting<T> {
  readonly value: T;
  /** `flag --tenant`, `environment DATABASE_URL`, `contextengine.config.json`, `default`. */
  readonly origin: string;
}
export interface Settings {
  readonly database: Setting<Database>;
  readonly manifests: Setting<readonly string[]>;
  readonly embedder: Setting<EmbedderSetting>;
  /** Path of a profile file. */
  readonly profile: Setting<string | null>;
  readonly tenant: Setting<string | null>;
  /** As the environment has them; the engine reads them itself. */
  readonly overrides: Setting<string>;
  /** Where a database on a server has its state on this machine. */
  readonly stateDir: string;
}

export const CONFIG_FILE = 'contextengine.config.json';
export const DEFAULT_DATA_DIR = '.contextengine';

/**
 * Reads all settings of a call. Throws `CONFIG.UNKNOWN_KEY`, `CONFIG.INVALID_VALUE`, `CLI.USAGE`.
 */
export function readSettings(flags: Flags, terminal: Pick<Terminal, 'env' | 'cwd'>): Settings {
  const config = readConfig(terminal.cwd);
  const sources: Sources = {
    flags,
    env: (name) => terminal.env[name] || undefined,
    config,
    cwd: terminal.cwd,
  };
  return {
    database: databaseSetting(sources),
    manifests: manifestsSetting(sources),
    embedder: embedderSetting(sources),
    profile: pathSetting(sources),
    tenant: firstOf<string | null>(
      [
        at('flag --tenant', flags.text('tenant')),
        at('environment CONTEXTENGINE_TENANT', sources.env('CONTEXTENGINE_TENANT')),
        at(CONFIG_FILE, config.tenant),
      ],
      null,
    ),
    overrides: firstOf(
      [at('environment CONTEXTENGINE_OVERRIDES', sources.env('CONTEXTENGINE_OVERRIDES'))],
      '',
    ),
    stateDir: inFolder(terminal.cwd, terminal.env['CONTEXTENGINE_DATA_DIR'] || DEFAULT_DATA_DIR),
  };
}

/** Where the database is, for people to read: of a URL its parts that are no secret. */
export function shownDatabase(database: Database): string {
  if ('dataDir' in database) return database.dataDir;
  if ('inMemory' in database) return 'in memory';
  return shownDatabaseUrl(database.url);
}

interface Config {
  readonly database_url?: string;
  readonly data_dir?: string;
  readonly manifests?: readonly string[];
  readonly embedder?: EmbedderSetting;
  readonly profile?: string;
  readonly tenant?: string;
}
interface Sources {
  readonly flags: Flags;
  readonly env: (name: string) => string | undefined;
  readonly config: Config;
  readonly cwd: string;
}
type Offer<T> = Setting<T | undefined>;

const at = <T>(origin: string, value: T | undefined): Offer<T> => ({ origin, value });
function firstOf<T>(offers: readonly Offer<T>[], fallback: T): Setting<T> {
  for (const { value, origin } of offers) if (value !== undefined) return { value, origin };
  return { value: fallback, origin: 'default' };
}
const inFolder = (cwd: string, path: string): string =>
  isAbsolute(path) ? path : resolve(cwd, path);

function databaseSetting({ flags, env, config, cwd }: Sources): Setting<Database> {
  const url = flags.text('database-url');
  const dir = flags.text('data-dir');
  if (url !== undefined && dir !== undefined)
    throw usageError('`--database-url` and `--data-dir` are both given.', 'Give one of them.');
  const byUrl = (value: string | undefined): Database | undefined =>
    value === undefined ? undefined : { url: value };
  const byDir = (value: string | undefined): Database | undefined =>
    value === undefined ? undefined : { dataDir: inFolder(cwd, value) };
  return firstOf<Database>(
    [
      at('flag --database-url', byUrl(url)),
      at('flag --data-dir', byDir(dir)),
      at('environment CONTEXTENGINE_DATABASE_URL', byUrl(env('CONTEXTENGINE_DATABASE_URL'))),
      at('environment DATABASE_URL', byUrl(env('DATABASE_URL'))),
      at('environment CONTEXTENGINE_DATA_DIR', byDir(env('CONTEXTENGINE_DATA_DIR'))),
      at(CONFIG_FILE, byUrl(config.database_url) ?? byDir(config.data_dir)),
    ],
    { dataDir: join(cwd, DEFAULT_DATA_DIR) },
  );
}

function manifestsSetting({ flags, env, config, cwd }: Sources): Setting<readonly string[]> {
  const listed = env('CONTEXTENGINE_MANIFESTS')
    ?.split(delimiter)
    .filter((path) => path !== '');
  const own = join(cwd, 'manifests');
  const found = firstOf<readonly string[]>(
    [
      at(
        'flag --manifests',
        flags.texts('manifests').length > 0 ? flags.texts('manifests') : undefined,
      ),
      at('environment CONTEXTENGINE_MANIFESTS', listed),
      at(CONFIG_FILE, config.manifests),
    ],
    existsSync(own) ? [own] : [join(packageRoot(), 'manifests')],
  );
  return { ...found, value: found.value.map((path) => inFolder(cwd, path)) };
}

function embedderSetting({ flags, env, config, cwd }: Sources): Setting<EmbedderSetting> {
  const named = (name: string | undefined, origin: string): Offer<EmbedderSetting> =>
    at(origin, name === undefined ? undefined : parseEmbedder(name, { origin, cwd }));
  return firstOf<EmbedderSetting>(
    [
      named(flags.text('embedder'), 'flag --embedder'),
      named(env('CONTEXTENGINE_EMBEDDER'), 'environment CONTEXTENGINE_EMBEDDER'),
      at(CONFIG_FILE, config.embedder),
    ],
    'builtin',
  );
}

function pathSetting({ flags, env, config, cwd }: Sources): Setting<string | null> {
  const found = firstOf<string | null>(
    [
      at('flag --profile', flags.text('profile')),
      at('environment CONTEXTENGINE_PROFILE', env('CONTEXTENGINE_PROFILE')),
      at(CONFIG_FILE, config.profile),
    ],
    null,
  );
  return found.value === null ? found : { ...found, value: inFolder(cwd, found.value) };
}

const invalidValue = (name: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${name}\` is \`${JSON.stringify(value) ?? String(value)}\`.`,
    fix,
    where: { field: name },
  });

const CONFIG_KEYS = [
  'database_url',
  'data_dir',
  'manifests',
  'embedder',
  'profile',
  'tenant',
] as const;

/** Chosen: a configuration has six keys. */
const MAX_CONFIG_BYTES = 1_048_576;

function readConfig(cwd: string): Config {
  const file = readRegularFile(join(cwd, CONFIG_FILE), { maxBytes: MAX_CONFIG_BYTES });
  if (file.kind === 'unreadable' && file.reason === 'ENOENT') return {};
  if (file.kind !== 'read')
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `\`${CONFIG_FILE}\` ${refusalWords(file, MAX_CONFIG_BYTES)}.`,
      fix: 'Make it a JSON file that this process can read, or remove it.',
      where: { file: CONFIG_FILE },
    });
  const parsed = parseJsonText(file.bytes.toString('utf8'), {
    file: CONFIG_FILE,
    code: 'CONFIG.INVALID_VALUE',
  });
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw invalidValue(CONFIG_FILE, parsed, 'Write a JSON object.');
  const values = parsed as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(values)) {
    if (key === '$schema' || CONFIG_KEYS.some((known) => known === key)) continue;
    const near = nearest(key, CONFIG_KEYS);
    const hint = near === undefined ? '' : `Did you mean \`${near}\`? `;
    throw new ContextEngineError('CONFIG.UNKNOWN_KEY', {
      message: `\`${CONFIG_FILE}\` has the unknown key \`${key}\`.`,
      fix: `${hint}Use ${CONFIG_KEYS.join(', ')}.`,
      where: { file: CONFIG_FILE, field: key },
    });
  }
  return checkedConfig(values, cwd);
}

function checkedConfig(values: Readonly<Record<string, unknown>>, cwd: string): Config {
  const config: { -readonly [K in keyof Config]: Config[K] } = {};
  for (const key of ['database_url', 'data_dir', 'profile', 'tenant'] as const) {
    const value = values[key];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value === '')
      throw invalidValue(key, value, `Write \`${key}\` in ${CONFIG_FILE} as a text.`);
    config[key] = value;
  }
  const { manifests, embedder } = values;
  if (manifests !== undefined) config.manifests = parsePaths(manifests);
  if (embedder !== undefined)
    config.embedder = parseEmbedder(embedder, { origin: CONFIG_FILE, cwd });
  return config;
}

function parsePaths(value: unknown): readonly string[] {
  const list: unknown[] = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  const paths = list.filter((entry): entry is string => typeof entry === 'string' && entry !== '');
  if (paths.length === 0 || paths.length !== list.length)
    throw invalidValue(
      'manifests',
      value,
      `Write \`manifests\` in ${CONFIG_FILE} as a path or a list of paths.`,
    );
  return paths;
}
