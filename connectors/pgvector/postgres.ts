/** A PostgreSQL server: a pool under the application role for the engine, one connection under the owner's for migrations. */
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg';
import { ContextEngineError, type ErrorCode } from '../../src/errors.ts';
import {
  APPLICATION_ROLE,
  createQueue,
  decoderOf,
  encodeParams,
  quoteIdentifier,
  runTransaction,
  SESSION_SETTINGS,
  type SqlConnection,
  toSqlError,
} from './database.ts';
import { pendingMigrations } from './migrate.ts';
import { assertRoleIsConfined, assertRoleIsReachable } from './roles.ts';
import { type ServerError, toServerError } from './server-error.ts';
import type { Database, OwnerDatabase, SqlParam, SqlSession } from './sql.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const DEFAULT_CONNECTIONS = 10;

export interface PostgresOptions {
  /** `postgresql://user:password@host:port/database`. Never printed with its password. */
  readonly url: string;
  /** Connections at most; 10 by default. */
  readonly max?: number;
  /** The server ends a statement after this; `CONNECTOR.DEADLINE`. */
  readonly statementTimeoutMs?: number;
  /** The role to work as: `contextengine_app`, or one that was granted it. */
  readonly role?: string;
  /** To know what is pending; the package's own by default. */
  readonly migrationsDir?: string;
}

/** host:port/database, the part of a URL that may be shown. */
function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
}

function assertUrl(url: string): void {
  const isPostgres = URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol);
  if (isPostgres) return;
  // The value is not shown: a mistyped URL may hold a password anywhere.
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: 'The database URL is not a `postgresql://` URL',
    fix: 'Write it as `postgresql://user:password@host:5432/database`, special characters percent-encoded.',
  });
}

/** SQLSTATEs after which the session, or the server, is gone: class 08, shutdowns and starts (57P0x), too many connections. */
function isConnectionLoss(code: string): boolean {
  return code.startsWith('08') || code.startsWith('57P0') || code === '53300';
}

function isConfigurationError(code: string): boolean {
  return code.startsWith('28') || code === '3D000'; // authentication; no such database
}

function codeOf(error: ServerError | null): ErrorCode | null {
  if (error === null || isConnectionLoss(error.code)) return 'CONNECTOR.UNAVAILABLE';
  if (error.code === '57014') return 'CONNECTOR.DEADLINE';
  return isConfigurationError(error.code) ? 'CONFIG.INVALID_VALUE' : null;
}

const FIXES: Partial<Record<ErrorCode, string>> = {
  'CONNECTOR.UNAVAILABLE': 'See that the server runs and is reached from here, then try again.',
  'CONNECTOR.DEADLINE': 'Give it more time, or ask for less.',
  'CONFIG.INVALID_VALUE': 'Mend user, password or database name in the URL.',
};

/** What a driver's throw means: coded where the world failed, {@link SqlError} where the statement was refused. Ours pass. */
function translate(thrown: unknown, place: string): unknown {
  if (thrown instanceof ContextEngineError) return thrown;
  const error = toServerError(thrown);
  const code = codeOf(error);
  if (code === null) return error ? toSqlError(error) : thrown;
  // node-postgres' messages name host, user and database, never the password. An empty one comes with an AggregateError of the addresses tried.
  const text = thrown instanceof Error ? thrown.message || ('code' in thrown ? String(thrown.code) : thrown.name) : String(thrown);
  return new ContextEngineError(code, {
    message: `PostgreSQL at \`${place}\`: \`${text}\``,
    fix: FIXES[code] ?? '',
    ...(error && { meta: { sqlstate: error.code } }),
    cause: thrown,
  });
}

/** A session of node-postgres as a {@link SqlConnection}: statements stay unnamed, because named ones flip to a generic plan. */
function connectionOf(client: Client | PoolClient, place: string): SqlConnection {
  return {
    async run(text, params) {
      try {
        const result = await client.query(text, encodeParams(params));
        return { rows: result.rows, command: result.command ?? '' };
      } catch (thrown) {
        throw translate(thrown, place);
      }
    },
    async exec(text) {
      try {
        await client.query(text);
      } catch (thrown) {
        throw translate(thrown, place);
      }
    },
  };
}

function clientConfig(url: string, settings: Readonly<Record<string, string>>): ClientConfig {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value.replaceAll('\\', '\\\\').replaceAll(' ', '\\ ')}`);
  return {
    connectionString: url,
    application_name: 'contextengine',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    ...(options.length > 0 && { options: options.join(' ') }),
    types: { getTypeParser: (oid: number) => decoderOf(oid) },
  };
}

async function connectClient(config: ClientConfig, place: string): Promise<Client> {
  const client = new Client(config);
  // A session that breaks while idle reports it on its next statement.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (thrown) {
    throw translate(thrown, place);
  }
}

/** How each session gets its settings: in the startup packet, or by statements where a pooler does not let `options` through. */
interface SessionPlan {
  readonly config: ClientConfig;
  readonly statement: string | null;
}

async function planSessions(options: PostgresOptions, place: string): Promise<SessionPlan> {
  const timeout = options.statementTimeoutMs;
  const role = options.role ?? APPLICATION_ROLE;
  const settings: Record<string, string> = { ...SESSION_SETTINGS, ...(timeout !== undefined && { statement_timeout: String(timeout) }) };
  const plain = clientConfig(options.url, {});
  const probe = await connectClient(plain, place);
  try {
    await assertRoleIsReachable(sessionOf(connectionOf(probe, place)), role);
  } finally {
    await probe.end();
  }
  const config = clientConfig(options.url, { ...settings, role });
  try {
    await (await connectClient(config, place)).end();
    return { config, statement: null };
  } catch (thrown) {
    const isPooler = thrown instanceof ContextEngineError && /startup parameter/.test(thrown.message);
    if (!isPooler) throw thrown;
  }
  const sets = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  return { config: plain, statement: `select ${sets.join(', ')}; set role ${quoteIdentifier(role)}` };
}

function sessionOf(connection: SqlConnection): SqlSession {
  return { query: async (text, params = []) => (await connection.run(text, params)).rows };
}

/** Borrows a session for `job`; one on which the world failed is not given back. */
async function withClient<T>(pool: Pool, place: string, job: (connection: SqlConnection) => Promise<T>): Promise<T> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (thrown) {
    throw translate(thrown, place);
  }
  let isBroken = false;
  try {
    return await job(connectionOf(client, place));
  } catch (thrown) {
    isBroken = thrown instanceof ContextEngineError && thrown.code === 'CONNECTOR.UNAVAILABLE';
    throw thrown;
  } finally {
    client.release(isBroken);
  }
}

function closedError(place: string): ContextEngineError {
  return new ContextEngineError('CONNECTOR.CLOSED', {
    message: `The connection to PostgreSQL at \`${place}\` was closed`,
    fix: 'Create a new engine.',
  });
}

function openPool(plan: SessionPlan, options: PostgresOptions): Pool {
  const pool = new Pool({
    ...plan.config,
    max: options.max ?? DEFAULT_CONNECTIONS,
    allowExitOnIdle: true,
    ...(plan.statement !== null && {
      onConnect: async (client: { query(text: string): Promise<unknown> }): Promise<void> =>
        void (await client.query(plan.statement ?? '')),
    }),
  });
  // An idle session that the server ended is dropped by the pool; the next statement gets a new one or says why not.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * Opens a pool under the application role. It never migrates: `MIGRATION.PENDING` says what to run.
 * Throws `CONNECTOR.ROLE` when the role would bypass or own what row-level security guards, `CONNECTOR.UNAVAILABLE`
 * when the server does not answer, `CONFIG.INVALID_VALUE` for a bad URL, user, password or database.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  assertUrl(options.url);
  const place = placeOf(options.url);
  const pool = openPool(await planSessions(options, place), options);
  let isClosed = false;
  const using = <T>(job: (connection: SqlConnection) => Promise<T>): Promise<T> =>
    isClosed ? Promise.reject(closedError(place)) : withClient(pool, place, job);
  const database: Database = {
    flavor: 'postgres',
    isExclusive: false,
    vectorType: 'halfvec',
    query: (text, params: readonly SqlParam[] = []) => using(async (connection) => (await connection.run(text, params)).rows),
    transaction: (body) => using((connection) => runTransaction(connection, body)),
    async [Symbol.asyncDispose]() {
      if (isClosed) return;
      isClosed = true;
      await pool.end();
    },
  };
  try {
    await assertRoleIsConfined(database);
    await assertMigrated(database, options.migrationsDir);
    return database;
  } catch (thrown) {
    await database[Symbol.asyncDispose]();
    throw thrown;
  }
}

async function assertMigrated(database: Database, dir: string | undefined): Promise<void> {
  const pending = await pendingMigrations(database, { ...(dir !== undefined && { dir }) });
  if (pending.length === 0) return;
  const names = pending.map(({ number, name }) => `${String(number).padStart(4, '0')}_${name}`);
  throw new ContextEngineError('MIGRATION.PENDING', {
    message: `The database lacks \`${pending.length}\` migrations, the first \`${names[0]}\``,
    fix: 'Run `contextengine migrate` as a role that may create schemas, roles and extensions.',
    meta: { pending: names },
  });
}

/** One connection as the URL's own user, for migrations. Throws as {@link openPostgres}, but looks at no role and no schema. */
export async function openPostgresOwner(url: string): Promise<OwnerDatabase> {
  assertUrl(url);
  const place = placeOf(url);
  const client = await connectClient(clientConfig(url, {}), place);
  const connection = connectionOf(client, place);
  const exclusive = createQueue();
  return {
    flavor: 'postgres',
    query: (text, params = []) => exclusive(async () => (await connection.run(text, params)).rows),
    exec: (text) => exclusive(() => connection.exec(text)),
    transaction: (body) => exclusive(() => runTransaction(connection, body)),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
