/**
 * A PostgreSQL server: a pool under the application role for the engine, one connection under the
 * owner's for migrations.
 */
import type { Client, ClientConfig, Pool, PoolClient } from 'pg';
import { ContextEngineError, type ErrorCode } from '../../../../src/codes/errors.ts';
import { type DatabaseUrl, parseDatabaseUrl } from '../../../../src/model/database-url.ts';
import {
  APPLICATION_ROLE,
  createQueue,
  decoderOf,
  encodeParams,
  isLoss,
  LOCAL_BEGIN,
  runTransaction,
  type SqlConnection,
  toSqlError,
} from '../database.ts';
import { pendingMigrations } from '../migrate.ts';
import { judgeLogin, type Login, refuseUnconfined } from '../roles.ts';
import { type ServerError, toServerError } from '../server-error.ts';
import type { Database, OwnerDatabase, SqlParam, SqlSession } from '../sql.ts';
import { borrowClient, createPool, openClient, withPatience } from './clients.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const DEFAULT_CONNECTIONS = 10;

export interface PostgresOptions {
  /** `postgresql://user:password@host:port/database`. Never printed with its password. */
  readonly url: string;
  /** Connections at most; 10 by default. */
  readonly max?: number;
  /** The server ends a statement after this; `CONNECTOR.DEADLINE`. */
  readonly statementTimeoutMs?: number;
  /** To know what is pending; the package's own by default. */
  readonly migrationsDir?: string;
}

function readUrl(text: string): DatabaseUrl {
  const url = parseDatabaseUrl(text);
  if (url) return url;
  // The value is not shown: a mistyped URL may hold a password anywhere.
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: 'The database URL is not a `postgresql://` URL',
    fix:
      'Write it as `postgresql://user:password@host:5432/database`, special characters ' +
      'percent-encoded.',
  });
}

/**
 * SQLSTATEs after which the session, or the server, is gone: class 08, shutdowns and starts
 * (57P0x), too many connections.
 */
function isConnectionLoss(code: string): boolean {
  return code.startsWith('08') || code.startsWith('57P0') || code === '53300';
}

function isConfigurationError(code: string): boolean {
  return code.startsWith('28') || code === '3D000'; // authentication; no such database
}

function codeOf(error: ServerError | null): ErrorCode | null {
  if (error !== null && /statement pooling mode/.test(error.message)) return 'CONFIG.INVALID_VALUE';
  if (error === null || isConnectionLoss(error.code)) return 'CONNECTOR.UNAVAILABLE';
  if (error.code === '57014') return 'CONNECTOR.DEADLINE';
  if (isConfigurationError(error.code)) return 'CONFIG.INVALID_VALUE';
  // After any other FATAL the session is over as well (idle timeouts, a crashed neighbour).
  return error.severity === 'FATAL' || error.severity === 'PANIC' ? 'CONNECTOR.UNAVAILABLE' : null;
}

const FIXES: Partial<Record<ErrorCode, string>> = {
  'CONNECTOR.UNAVAILABLE': 'See that the server runs and is reached from here, then try again.',
  'CONNECTOR.DEADLINE': 'Give it more time, or ask for less.',
  'CONFIG.INVALID_VALUE':
    'Correct user, password or database in the URL; a pooler needs `pool_mode = transaction`.',
};

/**
 * What a driver's throw means: coded where the world failed, {@link SqlError} where the statement
 * was refused. Ours pass.
 */
function translate(thrown: unknown, place: string): unknown {
  if (thrown instanceof ContextEngineError) return thrown;
  const error = toServerError(thrown);
  const code = codeOf(error);
  if (code === null) return error ? toSqlError(error) : thrown;
  // node-postgres' messages name host, user and database, never the password. An empty one comes
  // with an AggregateError of the addresses tried.
  const text =
    thrown instanceof Error
      ? thrown.message || ('code' in thrown ? String(thrown.code) : thrown.name)
      : String(thrown);
  return new ContextEngineError(code, {
    message: `PostgreSQL at \`${place}\`: \`${text}\``,
    fix: FIXES[code] ?? '',
    ...(error && { meta: { sqlstate: error.code } }),
    cause: thrown,
  });
}

const TYPES = { getTypeParser: (oid: number) => decoderOf(oid) };

/**
 * A session of node-postgres as a {@link SqlConnection}: statements stay unnamed, because named
 * ones flip to a generic plan.
 */
function connectionOf(client: Client | PoolClient, place: string): SqlConnection {
  return {
    async run(text, params) {
      try {
        // Decoded by the statement, because the session may be one of a pool that the application
        // made.
        const result = await client.query({ text, values: encodeParams(params), types: TYPES });
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

function clientConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: 'contextengine',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
}

async function connectClient(config: ClientConfig, place: string): Promise<Client> {
  try {
    return await openClient(config);
  } catch (thrown) {
    throw translate(thrown, place);
  }
}

/**
 * What a session is opened with. Nothing that the engine needs is state of a session (a pooler in
 * transaction mode gives it to other clients): the login is confined by itself, functions pin their
 * settings, transactions set theirs. Two things a direct connection may ask for in its startup
 * packet: the role of a development login, and a statement timeout. Both are looked at before they
 * are relied on.
 */
async function planSessions(options: PostgresOptions, url: DatabaseUrl): Promise<ClientConfig> {
  const plain = clientConfig(options.url);
  const login = await askSession(plain, url.place, judgeLogin);
  if (login.unconfined !== null && !url.isLocal) throw refuseUnconfined(login, 'remote');
  const timeout = options.statementTimeoutMs;
  const settings = [
    ...(login.unconfined === null ? [] : [`role=${APPLICATION_ROLE}`]),
    ...(timeout === undefined ? [] : [`statement_timeout=${timeout}`]),
  ];
  if (settings.length === 0) return plain;
  const before = new URL(options.url).searchParams.get('options');
  const withSettings = new URL(options.url);
  withSettings.searchParams.set(
    'options',
    [before, ...settings.map((setting) => `-c ${setting}`)].filter(Boolean).join(' '),
  );
  // As a parameter of the URL: node-postgres prefers its parameters to the fields beside it.
  const config = clientConfig(withSettings.href);
  await assertTaken(config, { place: url.place, login, timeout });
  return config;
}

interface Asked {
  readonly place: string;
  readonly login: Login;
  readonly timeout: number | undefined;
}

/** A pooler refuses startup parameters, or takes no notice of them. */
async function assertTaken(config: ClientConfig, { place, login, timeout }: Asked): Promise<void> {
  const text = `select current_user::text as acting, (select setting::bigint
    from pg_catalog.pg_settings
    where name = 'statement_timeout') as timeout`;
  const row = await askSession(
    config,
    place,
    async (session) => (await session.query(text))[0],
  ).catch((thrown: unknown) => {
    const isPooler =
      thrown instanceof ContextEngineError && /startup parameter/.test(thrown.message);
    if (!isPooler) throw thrown;
    return null;
  });
  if (login.unconfined !== null && row?.['acting'] !== APPLICATION_ROLE)
    throw refuseUnconfined(login, 'pooler');
  if (timeout === undefined || row?.['timeout'] === timeout) return;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `The pooler at \`${place}\` does not pass \`statement_timeout\` to the server`,
    fix:
      `Leave \`statementTimeoutMs\` out and run \`alter role ${login.name} set ` +
      'statement_timeout`.',
  });
}

async function askSession<T>(
  config: ClientConfig,
  place: string,
  ask: (session: SqlSession) => Promise<T>,
): Promise<T> {
  const client = await connectClient(config, place);
  try {
    return await ask(sessionOf(connectionOf(client, place)));
  } finally {
    await client.end();
  }
}

function sessionOf(connection: SqlConnection): SqlSession {
  return { query: async (text, params = []) => (await connection.run(text, params)).rows };
}

interface Borrowing {
  readonly pool: Pool;
  readonly place: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Borrows a session for `job`. One on which the world failed is not given back: the next borrower
 * gets a new one.
 */
export async function withClient<T>(
  { pool, place, signal }: Borrowing,
  job: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  let client: PoolClient;
  try {
    client = await borrowClient(pool, signal);
  } catch (thrown) {
    throw translate(thrown, place);
  }
  // A pool listens to its sessions only while they are idle, and the client class is the
  // application's on its own pool.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  let isBroken = false;
  try {
    return await withPatience(client, signal, () => job(connectionOf(client, place)));
  } catch (thrown) {
    isBroken = isLoss(thrown);
    throw thrown;
  } finally {
    client.release(isBroken);
    if (!isBroken) client.off('error', ignore);
  }
}

export function closedError(place: string): ContextEngineError {
  return new ContextEngineError('CONNECTOR.CLOSED', {
    message: `The connection to PostgreSQL at \`${place}\` was closed`,
    fix: 'Create a new engine.',
  });
}

/**
 * Opens a pool under a login that row-level security holds (or, on a development server of this
 * machine, under the application role). It never migrates: `MIGRATION.PENDING` says what to run.
 * Throws `CONNECTOR.ROLE` when the login would bypass or own what row-level security guards,
 * `CONNECTOR.UNAVAILABLE` when the server does not answer, `CONFIG.INVALID_VALUE` for a bad URL,
 * user, password or database, and for a pooler that keeps no transaction together.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const url = readUrl(options.url);
  const { place } = url;
  const pool = createPool({
    ...(await planSessions(options, url)),
    max: options.max ?? DEFAULT_CONNECTIONS,
    allowExitOnIdle: true,
  });
  let isClosed = false;
  const using = <T>(
    job: (connection: SqlConnection) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> =>
    isClosed ? Promise.reject(closedError(place)) : withClient({ pool, place, signal }, job);
  const database: Database = {
    flavor: 'postgres',
    isExclusive: false,
    vectorType: 'halfvec',
    query: (text, params: readonly SqlParam[] = [], signal) =>
      using(async (connection) => (await connection.run(text, params)).rows, signal),
    transaction: (body, signal) =>
      using((connection) => runTransaction(connection, body, LOCAL_BEGIN), signal),
    async [Symbol.asyncDispose]() {
      if (isClosed) return;
      isClosed = true;
      await pool.end();
    },
  };
  try {
    await database.transaction((tx) => assertMigrated(tx, options.migrationsDir));
    return database;
  } catch (thrown) {
    await database[Symbol.asyncDispose]();
    throw thrown;
  }
}

export async function assertMigrated(session: SqlSession, dir: string | undefined): Promise<void> {
  const pending = await pendingMigrations(session, { ...(dir !== undefined && { dir }) });
  if (pending.length === 0) return;
  const names = pending.map(({ number, name }) => `${String(number).padStart(4, '0')}_${name}`);
  throw new ContextEngineError('MIGRATION.PENDING', {
    message: `The database lacks \`${pending.length}\` migrations, the first \`${names[0]}\``,
    fix: 'Run `contextengine migrate` as a role that may create schemas, roles and extensions.',
    meta: { pending: names },
  });
}

/**
 * One connection as the URL's own user, for migrations. Throws as {@link openPostgres}, but looks
 * at no role and no schema.
 */
export async function openPostgresOwner(url: string): Promise<OwnerDatabase> {
  const { place } = readUrl(url);
  const client = await connectClient(clientConfig(url), place);
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
