/**
 * Where each setting comes from: code and flags over the environment over
 * `contextengine.config.json` over the default. The library and the command line resolve alike.
 */
import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { ExtractorChoice } from '../inference/create-model.ts';
import {
  CONFIG_FILE,
  type Config,
  type EmbeddingCacheSetting,
  invalidSetting,
  type MountSettings,
  readConfig,
} from './config-file.ts';
import { type EmbedderSetting, parseEmbedder } from './embedder-setting.ts';
import { assertKeyMayGo } from './key-host.ts';

export type DatabaseSetting = { readonly url: string } | { readonly dataDir: string };

export interface Setting<T> {
  readonly value: T;
  /**
   * `flag --tenant`, `environment CONTEXTENGINE_TENANT`, `contextengine.config.json`, `default`.
   */
  readonly origin: string;
}
export interface Settings {
  readonly database: Setting<DatabaseSetting>;
  readonly manifests: Setting<readonly string[]>;
  readonly embedder: Setting<EmbedderSetting>;
  readonly extractor: Setting<ExtractorChoice>;
  readonly timeZone: Setting<string>;
  readonly mounts: Setting<MountSettings>;
  readonly embeddingCache: Setting<EmbeddingCacheSetting>;
  /** Path of a profile file. */
  readonly profile: Setting<string | null>;
  readonly tenant: Setting<string | null>;
  /** As the environment has them; the engine reads them itself. */
  readonly overrides: Setting<string>;
  /** Where a database on a server has its state on this machine. */
  readonly stateDir: string;
}

export const DEFAULT_DATA_DIR = '.contextengine';

/** What stands over the environment: the flags of a command. The library has none. */
export interface GivenSettings {
  readonly databaseUrl?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly manifests?: readonly string[] | undefined;
  readonly embedder?: string | undefined;
  readonly profile?: string | undefined;
  readonly tenant?: string | undefined;
}
export interface SettingsPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Manifests where the project has none of its own. */
  readonly packageManifests: string;
}

/** Throws `CONFIG.UNKNOWN_KEY` and `CONFIG.INVALID_VALUE`. */
export function resolveSettings(given: GivenSettings, place: SettingsPlace): Settings {
  const { cwd } = place;
  const config = readConfig(cwd);
  const sources: Sources = { given, env: (name) => place.env[name] || undefined, config, cwd };
  return {
    database: databaseSetting(sources),
    manifests: manifestsSetting(sources, place.packageManifests),
    embedder: embedderSetting(sources),
    extractor: extractorSetting(sources),
    timeZone: firstOf<string>([at(CONFIG_FILE, config.time_zone)], 'UTC'),
    mounts: firstOf<MountSettings>([at(CONFIG_FILE, config.mounts)], {}),
    embeddingCache: firstOf<EmbeddingCacheSetting>(
      [at(CONFIG_FILE, config.embedding_cache)],
      'database',
    ),
    profile: pathSetting(sources),
    tenant: firstOf<string | null>(
      [
        at('flag --tenant', given.tenant),
        at('environment CONTEXTENGINE_TENANT', sources.env('CONTEXTENGINE_TENANT')),
        at(CONFIG_FILE, config.tenant),
      ],
      null,
    ),
    overrides: firstOf(
      [at('environment CONTEXTENGINE_OVERRIDES', sources.env('CONTEXTENGINE_OVERRIDES'))],
      '',
    ),
    stateDir: inFolder(cwd, place.env['CONTEXTENGINE_DATA_DIR'] || DEFAULT_DATA_DIR),
  };
}

interface Sources {
  readonly given: GivenSettings;
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

/**
 * A bare DATABASE_URL is the application's: it is taken where the file says so, with
 * `"database_url": "env:DATABASE_URL"`.
 */
function databaseSetting({ given, env, config, cwd }: Sources): Setting<DatabaseSetting> {
  const byUrl = (value: string | undefined): DatabaseSetting | undefined =>
    value === undefined ? undefined : { url: value };
  const byDir = (value: string | undefined): DatabaseSetting | undefined =>
    value === undefined ? undefined : { dataDir: inFolder(cwd, value) };
  const stated = statedUrl(config.database_url, env);
  return firstOf<DatabaseSetting>(
    [
      at('flag --database-url', byUrl(given.databaseUrl)),
      at('flag --data-dir', byDir(given.dataDir)),
      at('environment CONTEXTENGINE_DATABASE_URL', byUrl(env('CONTEXTENGINE_DATABASE_URL'))),
      at('environment CONTEXTENGINE_DATA_DIR', byDir(env('CONTEXTENGINE_DATA_DIR'))),
      at(stated.origin, byUrl(stated.value)),
      at(CONFIG_FILE, byDir(config.data_dir)),
    ],
    { dataDir: join(cwd, DEFAULT_DATA_DIR) },
  );
}

const NAMED = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;

function statedUrl(stated: string | undefined, env: Sources['env']): Offer<string> {
  const [, name] = NAMED.exec(stated ?? '') ?? [];
  if (name === undefined) return at(CONFIG_FILE, stated);
  const value = env(name);
  if (value !== undefined) return at(`${CONFIG_FILE} (environment ${name})`, value);
  throw invalidSetting(
    'database_url',
    stated,
    `Set ${name}, or write a URL as \`database_url\` in ${CONFIG_FILE}.`,
  );
}

function manifestsSetting(
  { given, env, config, cwd }: Sources,
  packageManifests: string,
): Setting<readonly string[]> {
  const listed = env('CONTEXTENGINE_MANIFESTS')
    ?.split(delimiter)
    .filter((path) => path !== '');
  const own = join(cwd, 'manifests');
  const found = firstOf<readonly string[]>(
    [
      at('flag --manifests', given.manifests),
      at('environment CONTEXTENGINE_MANIFESTS', listed),
      at(CONFIG_FILE, config.manifests),
    ],
    existsSync(own) ? [own] : [packageManifests],
  );
  return { ...found, value: found.value.map((path) => inFolder(cwd, path)) };
}

function extractorSetting({ env, config }: Sources): Setting<ExtractorChoice> {
  const found = firstOf<ExtractorChoice>([at(CONFIG_FILE, config.extractor)], 'rules');
  assertKeyMayGo(found.value, 'extractor', env);
  return found;
}

function embedderSetting({ given, env, config, cwd }: Sources): Setting<EmbedderSetting> {
  const named = (name: string | undefined, origin: string): Offer<EmbedderSetting> =>
    at(origin, name === undefined ? undefined : parseEmbedder(name, { origin, cwd }));
  const found = firstOf<EmbedderSetting>(
    [
      named(given.embedder, 'flag --embedder'),
      named(env('CONTEXTENGINE_EMBEDDER'), 'environment CONTEXTENGINE_EMBEDDER'),
      at(CONFIG_FILE, config.embedder),
    ],
    'builtin',
  );
  assertKeyMayGo(found.value, 'embedder', env);
  return found;
}

function pathSetting({ given, env, config, cwd }: Sources): Setting<string | null> {
  const found = firstOf<string | null>(
    [
      at('flag --profile', given.profile),
      at('environment CONTEXTENGINE_PROFILE', env('CONTEXTENGINE_PROFILE')),
      at(CONFIG_FILE, config.profile),
    ],
    null,
  );
  return found.value === null ? found : { ...found, value: inFolder(cwd, found.value) };
}
