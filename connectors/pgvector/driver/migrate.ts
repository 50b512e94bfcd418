/**
 * The migrations runner: forward only, plain SQL files `NNNN_name.sql`, each in one transaction,
 * the same files on PGlite and PostgreSQL. Our own, because drizzle's compares only the last
 * timestamp, checks no hash, takes no lock and cannot send several statements to PGlite (measured).
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ContextEngineError } from '../../../src/codes/errors.ts';
import { APPLICATION_ROLE, OWNER_ROLE, quoteIdentifier } from './database.ts';
import { rebuildAllWords } from './rebuild-all-words.ts';
import { type ServerError, toServerError } from './server-error.ts';
import type { OwnerDatabase, SqlSession } from './sql.ts';

/**
 * An arbitrary constant ("ctxe" in ASCII): every migrator of a database waits on the same advisory
 * lock.
 */
const MIGRATION_LOCK = 0x63747865;
const MIN_SERVER_VERSION = 150000;
const MIN_PGVECTOR = '0.8.0';
const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;

export interface MigrationFile {
  readonly number: number;
  /** As in the file name, without the number. */
  readonly name: string;
  /** `NNNN_name.sql`. */
  readonly file: string;
  readonly path: string;
  readonly sha256: string;
  readonly text: string;
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
}

export interface MigrationReport {
  /** File names, in order. */
  readonly applied: readonly string[];
  readonly alreadyApplied: readonly string[];
}

export interface MigrateOptions {
  /** Where the files are; the package's own by default. */
  readonly dir?: string;
}

/** The package's `migrations/`, from sources and from `dist/` alike. */
export function defaultMigrationsDir(): string {
  const isSource = import.meta.url.endsWith('.ts');
  return fileURLToPath(
    new URL(isSource ? '../../../migrations' : '../../../../migrations', import.meta.url),
  );
}

/**
 * The migrations of a folder by number. Throws `MIGRATION.FAILED` on a name that does not fit, a
 * number that is missing or there twice.
 */
export async function readMigrations(
  dir: string = defaultMigrationsDir(),
): Promise<readonly MigrationFile[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (file, index): Promise<MigrationFile> => {
      const parts = FILE_NAME.exec(file);
      if (Number(parts?.[1]) !== index + 1) {
        throw new ContextEngineError('MIGRATION.FAILED', {
          message: `\`${file}\` in \`${dir}\` is not migration number \`${index + 1}\``,
          fix: 'Name migrations `NNNN_name.sql`, numbered from 0001 without a gap.',
          where: { file: join(dir, file) },
        });
      }
      const text = await readFile(join(dir, file), 'utf8');
      return {
        number: index + 1,
        name: parts?.[2] ?? '',
        file,
        path: join(dir, file),
        sha256: sha256(text),
        text,
      };
    }),
  );
}

/** Lower-case hex. */
export function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * What the database says was applied, by number; empty where there is no such table yet. Any role
 * that may select can ask.
 */
async function readApplied(session: SqlSession): Promise<readonly AppliedMigration[]> {
  const [table] = await session.query(
    `select to_regclass('context_ops.schema_migrations') is not null as is_there`,
  );
  if (table?.is_there !== true) return [];
  const rows = await session.query(
    'select number, name, sha256 from context_ops.schema_migrations order by number',
  );
  return rows.map((row) => ({
    number: Number(row.number),
    name: String(row.name),
    sha256: String(row.sha256),
  }));
}

/**
 * The files that are not applied yet. Throws `MIGRATION.CHANGED` when an applied one differs from
 * its file.
 */
function compare(
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): readonly MigrationFile[] {
  for (const migration of applied) {
    const file = files.find(({ number }) => number === migration.number);
    if (file && file.sha256 !== migration.sha256) {
      throw new ContextEngineError('MIGRATION.CHANGED', {
        message:
          `Migration \`${migration.number}\` (\`${migration.name}\`) was applied as ` +
          `\`${migration.sha256.slice(0, 12)}\`, but its file is \`${file.sha256.slice(0, 12)}\``,
        fix: 'Restore the file as it was applied; put the change into a new migration.',
        where: { file: file.path },
      });
    }
  }
  const highest = applied.at(-1)?.number ?? 0;
  return files.filter(({ number }) => number > highest);
}

/** The files that a database still needs, for whoever may only read. Throws `MIGRATION.CHANGED`. */
export async function pendingMigrations(
  session: SqlSession,
  options: MigrateOptions = {},
): Promise<readonly MigrationFile[]> {
  return compare(await readMigrations(options.dir), await readApplied(session));
}

/**
 * The highest applied number that `files` does not have: a newer version of the package wrote it.
 * Null = none.
 */
export async function newerMigration(
  session: SqlSession,
  options: MigrateOptions = {},
): Promise<string | null> {
  const count = (await readMigrations(options.dir)).length;
  const last = (await readApplied(session)).at(-1);
  return last && last.number > count
    ? `${String(last.number).padStart(4, '0')}_${last.name}`
    : null;
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}

/**
 * Throws `MIGRATION.FAILED` on a server that cannot carry the schema, before anything is changed.
 */
async function checkServer(owner: OwnerDatabase): Promise<void> {
  const [server] = await owner.query(`
    select current_setting('server_version_num')::int as number,
    current_setting('server_version') as version,
           (select extversion from pg_extension where extname = 'vector') as installed,
           (select default_version from pg_available_extensions
           where name = 'vector') as available`);
  const refuse = (message: string, fix: string): never => {
    throw new ContextEngineError('MIGRATION.FAILED', { message, fix });
  };
  if (Number(server?.number) < MIN_SERVER_VERSION)
    refuse(`PostgreSQL \`${server?.version}\` is too old`, 'Use PostgreSQL 15 or later.');
  const pgvector = server?.installed ?? server?.available ?? null;
  if (pgvector === null)
    refuse(
      'The server has no pgvector',
      `Install pgvector ${MIN_PGVECTOR} or later on the server.`,
    );
  if (isOlder(String(pgvector), MIN_PGVECTOR)) {
    const hasNewer =
      server?.installed !== null && !isOlder(String(server?.available), MIN_PGVECTOR);
    refuse(
      `pgvector \`${pgvector}\` is too old`,
      hasNewer
        ? 'Run `alter extension vector update`.'
        : `Install pgvector ${MIN_PGVECTOR} or later on the server.`,
    );
  }
}

const TABLE = 'context_ops.schema_migrations';
const CREATE_TABLE = [
  'create schema if not exists context_ops',
  `create table if not exists ${TABLE} (
  number int primary key, name text not null, sha256 text not null, applied_by text not null,
  applied_at timestamptz not null default now())`,
];

/**
 * The runner's own table comes after the first file, which makes the schema, its owner, and the
 * role that may read it.
 */
async function ensureTable(tx: SqlSession): Promise<void> {
  const table = TABLE;
  for (const statement of CREATE_TABLE) await tx.query(statement);
  const roles = await tx.query('select rolname from pg_roles where rolname in ($1, $2)', [
    APPLICATION_ROLE,
    OWNER_ROLE,
  ]);
  const isThere = (role: string): boolean => roles.some((row) => row.rolname === role);
  if (isThere(OWNER_ROLE))
    await tx.query(`alter table ${table} owner to ${quoteIdentifier(OWNER_ROLE)}`);
  if (!isThere(APPLICATION_ROLE)) return;
  await tx.query(`grant usage on schema context_ops to ${quoteIdentifier(APPLICATION_ROLE)}`);
  await tx.query(`grant select on ${table} to ${quoteIdentifier(APPLICATION_ROLE)}`);
}

/** 1-based, from the server's character offset. */
function lineOf(text: string, position: string | undefined): number | undefined {
  return position === undefined
    ? undefined
    : text.slice(0, Number(position) - 1).split('\n').length;
}

function serverErrorOf(thrown: unknown): ServerError | null {
  const direct = toServerError(thrown);
  return (
    direct ??
    (thrown instanceof Error && thrown.cause !== undefined ? toServerError(thrown.cause) : null)
  );
}

function applyFailure(file: MigrationFile, thrown: unknown): unknown {
  const error = serverErrorOf(thrown);
  if (!error) return thrown;
  const line = lineOf(file.text, error.position);
  const place = line === undefined ? '' : ` at line \`${line}\``;
  return new ContextEngineError('MIGRATION.FAILED', {
    message:
      `Migration \`${file.number}\` (\`${file.name}\`) failed${place}: \`${error.message}\` ` +
      `(SQLSTATE \`${error.code}\`)`,
    fix:
      error.code === '42501'
        ? 'Migrate as a role that may create schemas, roles and extensions.'
        : (error.hint ?? 'Fix the statement; nothing of this file was kept.'),
    where: { file: file.path, ...(line !== undefined && { line }) },
    meta: { sqlstate: error.code, detail: error.detail, position: error.position },
    cause: thrown,
  });
}

async function apply(owner: OwnerDatabase, file: MigrationFile): Promise<void> {
  try {
    await owner.transaction(async (tx) => {
      await tx.exec(file.text);
      await tx.query('reset role'); // a file may have worked as the owner
      if (file.number === 1) await ensureTable(tx);
      await tx.query(
        'insert into context_ops.schema_migrations (number, name, sha256, applied_by) values ' +
          '($1, $2, $3, session_user)',
        [file.number, file.name, file.sha256],
      );
    });
  } catch (thrown) {
    throw applyFailure(file, thrown);
  }
}

/**
 * Brings a database to the newest migration and says what it did. A second migrator waits and finds
 * nothing to do. Throws `MIGRATION.CHANGED` (an applied file differs) and `MIGRATION.FAILED` (with
 * file, line and SQLSTATE; nothing of that file is kept).
 */
export async function migrate(
  owner: OwnerDatabase,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const files = await readMigrations(options.dir);
  await checkServer(owner);
  await owner.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
  try {
    const applied = await readApplied(owner);
    const pending = compare(files, applied);
    for (const file of pending) await apply(owner, file);
    await rebuildAllWords(owner);
    const label = ({ number, name }: AppliedMigration): string =>
      `${String(number).padStart(4, '0')}_${name}`;
    return { applied: pending.map(label), alreadyApplied: applied.map(label) };
  } finally {
    await owner.query(`select pg_advisory_unlock(${MIGRATION_LOCK})`);
  }
}

/**
 * What {@link migrate} does to a database that has the migrations up to `after`, as text for psql:
 * each file in one transaction, with its entry in the runner's table. One migrator at a time, as
 * there; a statement that fails ends it, and what was committed before stays.
 */
export function migrationScript(files: readonly MigrationFile[], after: number): string {
  const pending = files.filter(({ number }) => number > after);
  const head = [
    `-- contextengine: ${pending.length} migrations after ${String(after).padStart(4, '0')}.`,
    '-- Run with psql, as a role that may create schemas, roles and extensions.',
    '\\set ON_ERROR_STOP on',
    `select pg_advisory_lock(${MIGRATION_LOCK});`,
  ];
  return [
    ...head,
    ...pending.map(transactionOf),
    `select pg_advisory_unlock(${MIGRATION_LOCK});`,
    '',
  ].join('\n');
}

function transactionOf({ number, name, file, sha256: digest, text }: MigrationFile): string {
  const owned = `alter table ${TABLE} owner to ${quoteIdentifier(OWNER_ROLE)}`;
  const granted = [
    `grant usage on schema context_ops to ${quoteIdentifier(APPLICATION_ROLE)}`,
    `grant select on ${TABLE} to ${quoteIdentifier(APPLICATION_ROLE)}`,
  ];
  const table = number === 1 ? [...CREATE_TABLE, owned, ...granted].map((each) => `${each};`) : [];
  return [
    '',
    `-- ${file}`,
    'begin;',
    text.trimEnd(),
    // A file may end without a semicolon.
    ';',
    'reset role;',
    ...table,
    `insert into ${TABLE} (number, name, sha256, applied_by)`,
    `  values (${number}, '${name}', '${digest}', session_user);`,
    'commit;',
  ].join('\n');
}
