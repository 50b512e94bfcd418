/**
 * The embedded database: PGlite in a worker thread, in a folder under our own lock or in memory.
 * The session works as the application role; that is a wall against our bugs, not against code that
 * holds the raw connection.
 */
import { constants, existsSync } from 'node:fs';
import { access, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ContextEngineError } from '../../../../src/codes/errors.ts';
import { type FolderLock, lockFolder } from '../../../folder-lock.ts';
import {
  APPLICATION_ROLE,
  createQueue,
  quoteIdentifier,
  runTransaction,
  SESSION_SETTINGS,
} from '../database.ts';
import { migrate, newerMigration, pendingMigrations, readMigrations } from '../migrate.ts';
import type { Database, OwnerDatabase } from '../sql.ts';
import { type PgliteConnection, startPglite } from './connection.ts';
import { buildSeed, makeFolder, PGLITE_POSTGRES_MAJOR, readSeed } from './seed.ts';
import { unpackInto } from './tar.ts';

/** The database folder inside the data folder; the lock stands beside it. */
const DATABASE_FOLDER = 'pg';

export interface PgliteOptions {
  /** The data folder (`.contextengine`), made when missing. null = in memory, gone when closed. */
  readonly dataDir: string | null;
  readonly migrationsDir?: string;
  /**
   * A folder of an older version is migrated when opened; false leaves that to the caller, who can
   * then report it.
   */
  readonly shouldMigrate?: boolean;
}

/**
 * Both roles' views of one embedded database. They share its single connection and its end:
 * disposing either closes both.
 */
export interface PglitePair {
  readonly database: Database;
  readonly owner: OwnerDatabase;
}

interface Opened {
  readonly connection: PgliteConnection;
  readonly lock: FolderLock | null;
}

function ownerOf(connection: PgliteConnection, close: () => Promise<void>): OwnerDatabase {
  const exclusive = createQueue();
  return {
    flavor: 'pglite',
    query: (text, params = []) => exclusive(async () => (await connection.run(text, params)).rows),
    exec: (text) => exclusive(() => connection.exec(text)),
    transaction: (body) => exclusive(() => runTransaction(connection, body)),
    [Symbol.asyncDispose]: close,
  };
}

/** initdb and migrate in WASM: what the seed saves, and how it is made. */
async function initializeFolder(
  folder: string,
  migrationsDir: string | undefined,
): Promise<OwnerDatabase> {
  const connection = await startPglite({ dataDir: folder, mayInitialize: true });
  const owner = ownerOf(connection, () => connection.close());
  try {
    await migrate(owner, { ...(migrationsDir !== undefined && { dir: migrationsDir }) });
  } catch (thrown) {
    await connection.close();
    throw thrown;
  }
  return owner;
}

async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `The data folder \`${dataDir}\` cannot be made or written`,
      fix: 'Set CONTEXTENGINE_DATA_DIR to a folder that this user may write.',
      cause,
    });
  }
}

function corrupt(folder: string, what: string): ContextEngineError {
  return new ContextEngineError('CONNECTOR.CORRUPT', {
    message: `\`${folder}\` ${what}`,
    fix:
      'Restore it from a copy, or move it away: a new one is made on the next start, and ' +
      '`contextengine import` fills it from an export.',
  });
}

async function assertOurs(folder: string): Promise<void> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version === null) throw corrupt(folder, 'is not a database folder');
  if (version.trim() !== PGLITE_POSTGRES_MAJOR)
    throw corrupt(
      folder,
      `was made by PostgreSQL \`${version.trim()}\`, not \`${PGLITE_POSTGRES_MAJOR}\``,
    );
  if (!existsSync(join(folder, 'global', 'pg_control')))
    throw corrupt(folder, 'lacks `global/pg_control`');
}

async function openFolder(dataDir: string, migrationsDir: string | undefined): Promise<Opened> {
  await prepareDataDir(dataDir);
  const folder = join(dataDir, DATABASE_FOLDER);
  let connection: PgliteConnection | null = null;
  const lock = lockFolder(dataDir, {
    onLost: () => {
      const message = `The lock of \`${dataDir}\` was taken away`;
      const fix = 'Do not delete the lock file of a running process; restart this one.';
      void connection?.abandon(new ContextEngineError('CONNECTOR.LOCKED', { message, fix }));
    },
  });
  try {
    if (existsSync(folder)) await assertOurs(folder);
    else {
      const seed = await readSeed(await readMigrations(migrationsDir));
      await makeFolder({ parent: dataDir, name: DATABASE_FOLDER }, async (temporary) => {
        if (seed) unpackInto(temporary, seed);
        else await (await initializeFolder(temporary, migrationsDir))[Symbol.asyncDispose]();
      });
    }
    connection = await startPglite({ dataDir: folder, mayInitialize: false });
    return { connection, lock };
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

async function openMemory(migrationsDir: string | undefined): Promise<Opened> {
  const image = await readSeed(await readMigrations(migrationsDir));
  const connection = await startPglite({
    dataDir: null,
    mayInitialize: true,
    ...(image && { image }),
  });
  return { connection, lock: null };
}

/**
 * A folder of an older version is migrated; one of a newer version is refused, because old code
 * would misread it.
 */
async function bringUpToDate(owner: OwnerDatabase, options: PgliteOptions): Promise<void> {
  const files = { ...(options.migrationsDir !== undefined && { dir: options.migrationsDir }) };
  const newer = await newerMigration(owner, files);
  if (newer !== null) {
    throw new ContextEngineError('MIGRATION.CHANGED', {
      message:
        `The embedded database in \`${options.dataDir ?? 'memory'}\` has migration \`${newer}\`, ` +
        'which this version does not know',
      fix: 'Use the version of contextengine that wrote it, or a later one.',
    });
  }
  const pending = await pendingMigrations(owner, files);
  // A folder gets its first migration before it gets its name.
  const isForeign = options.dataDir !== null && pending[0]?.number === 1;
  if (isForeign)
    throw corrupt(
      join(options.dataDir, DATABASE_FOLDER),
      'is a database, but not one of contextengine',
    );
  if (pending.length > 0 && options.shouldMigrate !== false) await migrate(owner, files);
}

/**
 * As {@link openPglite}, with the owner's view of the same connection beside it: each of its calls
 * leaves the application role and returns to it.
 */
export async function openPglitePair(options: PgliteOptions): Promise<PglitePair> {
  const dataDir = options.dataDir === null ? null : resolve(options.dataDir);
  const { connection, lock } =
    dataDir === null
      ? await openMemory(options.migrationsDir)
      : await openFolder(dataDir, options.migrationsDir);
  const exclusive = createQueue();
  const close = async (): Promise<void> => {
    try {
      await exclusive(() => connection.close());
    } finally {
      lock?.release();
    }
  };
  const asOwner = <T>(job: () => Promise<T>): Promise<T> =>
    exclusive(async () => {
      await connection.run('reset role', []);
      try {
        return await job();
      } finally {
        await connection.run(`set role ${quoteIdentifier(APPLICATION_ROLE)}`, []);
      }
    });
  try {
    const settings = Object.entries(SESSION_SETTINGS).map(
      ([name, value]) => `set_config('${name}', '${value}', false)`,
    );
    await connection.run(`select ${settings.join(', ')}`, []);
    await bringUpToDate(ownerOf(connection, close), { ...options, dataDir });
    await connection.run(`set role ${quoteIdentifier(APPLICATION_ROLE)}`, []);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    database: {
      flavor: 'pglite',
      isExclusive: true,
      vectorType: 'vector',
      query: (text, params = [], signal) =>
        exclusive(async () => (await connection.run(text, params)).rows, signal),
      transaction: (body, signal) => exclusive(() => runTransaction(connection, body), signal),
      [Symbol.asyncDispose]: close,
    },
    owner: {
      flavor: 'pglite',
      query: (text, params = []) => asOwner(async () => (await connection.run(text, params)).rows),
      exec: (text) => asOwner(() => connection.exec(text)),
      transaction: (body) => asOwner(() => runTransaction(connection, body)),
      [Symbol.asyncDispose]: close,
    },
  };
}

/**
 * Opens the embedded database, making and migrating it as needed. One process at a time: a second
 * gets `CONNECTOR.LOCKED`. Throws `CONNECTOR.CORRUPT` for a folder that is damaged or not ours,
 * `CONFIG.INVALID_VALUE` for one that cannot be written.
 */
export async function openPglite(options: PgliteOptions): Promise<Database> {
  return (await openPglitePair(options)).database;
}

/** As {@link openPglite}, under the role that owns everything: maintenance only. */
export async function openPgliteOwner(options: PgliteOptions): Promise<OwnerDatabase> {
  return (await openPglitePair(options)).owner;
}

/** Builds `dist/seed` for the given (or the package's) migrations; part of the build. */
export function buildPgliteSeed(
  options: { readonly migrationsDir?: string; readonly outDir?: string } = {},
): ReturnType<typeof buildSeed> {
  return buildSeed({
    ...options,
    openEmpty: (folder) => initializeFolder(folder, options.migrationsDir),
  });
}
