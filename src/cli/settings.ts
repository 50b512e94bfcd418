/** The settings of a command: its flags over what the library would take. */
import { join } from 'node:path';
import { shownDatabaseUrl } from '../model/database-url.ts';
import { type DatabaseSetting, resolveSettings, type Settings } from '../settings/settings.ts';
import { usageError } from './arguments.ts';
import type { Flags } from './command.ts';
import { packageRoot } from './package-root.ts';
import type { Terminal } from './terminal.ts';

/** Throws `CONFIG.UNKNOWN_KEY`, `CONFIG.INVALID_VALUE`, `CLI.USAGE`. */
export function readSettings(flags: Flags, { env, cwd }: Pick<Terminal, 'env' | 'cwd'>): Settings {
  const databaseUrl = flags.text('database-url');
  const dataDir = flags.text('data-dir');
  if (databaseUrl !== undefined && dataDir !== undefined)
    throw usageError('`--database-url` and `--data-dir` are both given.', 'Give one of them.');
  const manifests = flags.texts('manifests');
  const given = {
    databaseUrl,
    dataDir,
    manifests: manifests.length > 0 ? manifests : undefined,
    embedder: flags.text('embedder'),
    profile: flags.text('profile'),
    tenant: flags.text('tenant'),
  };
  return resolveSettings(given, { env, cwd, packageManifests: join(packageRoot(), 'manifests') });
}

/** Where the database is, for people to read: of a URL its parts that are no secret. */
export const shownDatabase = (database: DatabaseSetting): string =>
  'dataDir' in database ? database.dataDir : shownDatabaseUrl(database.url);
