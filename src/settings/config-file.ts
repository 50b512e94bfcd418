/** `contextengine.config.json`: what a project says once, for the library and the command line. */
import { join } from 'node:path';
import { ContextEngineError } from '../codes/errors.ts';
import type { ExtractorChoice } from '../inference/create-model.ts';
import { readRegularFile, refusalWords } from '../manifest/regular-file.ts';
import { nearest } from '../manifest/suggest.ts';
import { parseJsonText } from '../text/json-text.ts';
import { type EmbedderSetting, parseEmbedder } from './embedder-setting.ts';
import { EXTRACTOR_FIX, parseExtractor } from './extractor-setting.ts';

export const CONFIG_FILE = 'contextengine.config.json';

export interface Config {
  /** A URL, or `env:NAME`: the variable of the environment that holds it. */
  readonly database_url?: string;
  readonly data_dir?: string;
  readonly manifests?: readonly string[];
  readonly embedder?: EmbedderSetting;
  readonly extractor?: ExtractorChoice;
  readonly time_zone?: string;
  readonly profile?: string;
  readonly tenant?: string;
  readonly mounts?: MountSettings;
  readonly embedding_cache?: EmbeddingCacheSetting;
}
export type EmbeddingCacheSetting = 'database' | 'off' | `redis://${string}` | `rediss://${string}`;
/** By name: a connector, and what it takes. */
export type MountSettings = Readonly<
  Record<string, { readonly connector: string; readonly [option: string]: unknown }>
>;
export const invalidSetting = (name: string, value: unknown, fix: string): ContextEngineError =>
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
  'extractor',
  'time_zone',
  'profile',
  'tenant',
  'mounts',
  'embedding_cache',
] as const;

/** Chosen: a configuration has ten keys. */
const MAX_CONFIG_BYTES = 1_048_576;

/**
 * What the file of this folder says; of no file, nothing. Throws `CONFIG.UNKNOWN_KEY` and
 * `CONFIG.INVALID_VALUE`.
 */
export function readConfig(cwd: string): Config {
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
    throw invalidSetting(CONFIG_FILE, parsed, 'Write a JSON object.');
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
  for (const key of ['database_url', 'data_dir', 'profile', 'tenant', 'time_zone'] as const) {
    const value = values[key];
    if (value === undefined) continue;
    if (typeof value !== 'string' || value === '')
      throw invalidSetting(key, value, `Write \`${key}\` in ${CONFIG_FILE} as a text.`);
    config[key] = value;
  }
  const { manifests, embedder, extractor, mounts, embedding_cache: cache } = values;
  if (cache !== undefined) config.embedding_cache = parseCache(cache);
  if (mounts !== undefined) config.mounts = parseMounts(mounts);
  if (manifests !== undefined) config.manifests = parsePaths(manifests);
  if (embedder !== undefined)
    config.embedder = parseEmbedder(embedder, { origin: CONFIG_FILE, cwd });
  if (extractor !== undefined) {
    const parsed = parseExtractor(extractor);
    if (parsed === null) throw invalidSetting('extractor', extractor, EXTRACTOR_FIX);
    config.extractor = parsed;
  }
  return config;
}

export const isEmbeddingCache = (value: unknown): value is EmbeddingCacheSetting =>
  typeof value === 'string' && /^(database|off|rediss?:\/\/\S+)$/.test(value);

function parseCache(value: unknown): EmbeddingCacheSetting {
  if (isEmbeddingCache(value)) return value;
  throw invalidSetting('embedding_cache', value, 'Write `database`, `off` or a `redis://` URL.');
}

function parsePaths(value: unknown): readonly string[] {
  const list: unknown[] = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  const paths = list.filter((entry): entry is string => typeof entry === 'string' && entry !== '');
  if (paths.length === 0 || paths.length !== list.length)
    throw invalidSetting(
      'manifests',
      value,
      `Write \`manifests\` in ${CONFIG_FILE} as a path or a list of paths.`,
    );
  return paths;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A name as a manifest may write it; what a connector takes beside it, it checks itself. */
function parseMounts(value: unknown): MountSettings {
  const isSound =
    isObject(value) &&
    Object.entries(value).every(
      ([name, mount]) =>
        /^[a-z][a-z0-9_-]{0,63}$/.test(name) &&
        name !== 'ledger' &&
        isObject(mount) &&
        typeof mount['connector'] === 'string',
    );
  // Each entry has been looked at, hence the cast.
  if (isSound) return value as MountSettings;
  throw invalidSetting(
    'mounts',
    value,
    'Write `{ "archive": { "connector": "lancedb", "path": … } }`; a name has a-z, 0-9, `-`, `_`.',
  );
}
