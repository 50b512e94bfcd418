/**
 * What both drivers share, so that a statement gives the same rows, errors and transactions on
 * either: the text encoding of parameters, the decoding of columns, transactions, and a queue for a
 * single connection.
 */
import { ContextEngineError, InternalError } from '../../../src/codes/errors.ts';
import { throwIfAborted } from '../refusals.ts';
import type { ServerError } from './server-error.ts';
import { type OwnerSession, SqlError, type SqlParam, type SqlRow } from './sql.ts';

/** One statement's outcome; `command` is the server's tag (`SELECT`, `COMMIT`, `ROLLBACK`, …). */
export interface SqlResult {
  readonly rows: readonly SqlRow[];
  readonly command: string;
}

/** A single server session: statements run in the order of the calls. */
export interface SqlConnection {
  run(text: string, params: readonly SqlParam[]): Promise<SqlResult>;
  /** Several statements without parameters, through the simple protocol. */
  exec(text: string): Promise<void>;
}

export type Decode = (text: string) => unknown;

const asNumber: Decode = (text) => Number(text);
const asBoolean: Decode = (text) => text === 't';
const asJson: Decode = (text): unknown => JSON.parse(text);
const asText: Decode = (text) => text;

/**
 * Type oids are fixed in PostgreSQL's `pg_type.dat`. A bigint beyond 2^53 loses precision: sequence
 * numbers here stay far below.
 */
const DECODERS: Readonly<Record<number, Decode>> = {
  16: asBoolean, // bool
  20: asNumber, // int8
  21: asNumber, // int2
  23: asNumber, // int4
  26: asNumber, // oid
  114: asJson, // json
  3802: asJson, // jsonb
};

/** The {@link SqlRow} rule for a column of the type `oid`, from its text form. */
export function decoderOf(oid: number): Decode {
  return DECODERS[oid] ?? asText;
}

/** Text for every type, so that no driver's own idea of a value gets in. */
export function encodeParams(params: readonly SqlParam[]): (string | null)[] {
  return params.map((param) => (param === null ? null : String(param)));
}

/**
 * `cause` holds the {@link ServerError}: position and hint are of use where a file's text is at
 * hand (migrations).
 */
export function toSqlError(error: ServerError): SqlError {
  return new SqlError(error.message, error.code, { detail: error.detail, cause: error });
}

/** Whether the connection, or the server behind it, is gone. */
export const isLoss = (thrown: unknown): boolean =>
  thrown instanceof ContextEngineError &&
  (thrown.code === 'CONNECTOR.UNAVAILABLE' || thrown.code === 'WRITE.COMMIT_UNKNOWN');

/** Only the COMMIT itself leaves a doubt: what is lost before it, the server rolls back. */
const commitUnknown = (cause: unknown): ContextEngineError =>
  new ContextEngineError('WRITE.COMMIT_UNKNOWN', {
    message: 'The connection was lost during `COMMIT`: the write was stored wholly or not at all.',
    fix: 'Repeat it with the same idempotency keys: what was stored is then a `duplicate`.',
    cause,
  });

/**
 * Runs `body` between BEGIN and COMMIT on a connection that nobody else uses meanwhile; any throw
 * rolls back. A COMMIT that the server turned into a ROLLBACK (the body swallowed a failed
 * statement) is an error, never a silent loss; one whose answer is lost with the connection is
 * `WRITE.COMMIT_UNKNOWN`. `begin` may set what holds for the transaction.
 */
export async function runTransaction<T>(
  connection: SqlConnection,
  body: (tx: OwnerSession) => Promise<T>,
  begin = 'begin isolation level read committed',
): Promise<T> {
  let isOver = false;
  const assertOpen = (): void => {
    if (isOver) throw new InternalError('a statement was sent to a transaction that is over');
  };
  const session: OwnerSession = {
    async query(text, params = []) {
      assertOpen();
      return (await connection.run(text, params)).rows;
    },
    async exec(text) {
      assertOpen();
      await connection.exec(text);
    },
  };
  let value: T;
  try {
    await connection.exec(begin);
    value = await body(session);
  } catch (thrown) {
    isOver = true;
    // The body's error is the one that matters; a connection that cannot roll back is dead and
    // reports it on its next use.
    await connection.run('rollback', []).catch(() => undefined);
    throw thrown;
  }
  isOver = true;
  const end = await connection.run('commit', []).catch((thrown: unknown) => {
    throw isLoss(thrown) ? commitUnknown(thrown) : thrown;
  });
  if (end.command === 'ROLLBACK')
    throw new SqlError('the transaction had a failed statement and was rolled back', '25P02');
  return value;
}

/**
 * Runs one job at a time, in the order of the calls; a failed job does not stop the next, a fired
 * signal takes its own out.
 */
export function createQueue(): <T>(job: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async <T>(job: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const before = last;
    const begin = (): Promise<T> => {
      throwIfAborted(signal);
      return job();
    };
    const mine = before.then(begin, begin);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/**
 * How a transaction of the application begins on a server, in one round trip: whatever the session
 * was given (by `?options=`, by `alter role … set`, by another client of a pooler), its statements
 * find no foreign names and read and write times and numbers in one way.
 */
export const LOCAL_BEGIN = `begin isolation level read committed;
set local search_path = pg_catalog, pg_temp;
set local timezone = 'UTC';
set local datestyle = 'ISO, MDY';
set local intervalstyle = 'postgres';
set local extra_float_digits = 1;
set local jit = off`;

/** The settings of the embedded database's one session, beside the role. */
export const SESSION_SETTINGS = {
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  plan_cache_mode: 'force_custom_plan',
  jit: 'off',
} as const satisfies Record<string, string>;

/** The role that the engine works as; the first migration creates it. */
export const APPLICATION_ROLE = 'contextengine_app';
/** The role that owns schema and tables. */
export const OWNER_ROLE = 'contextengine_owner';
/**
 * The role that owns the sealed search functions and sees the rows of every tenant; nobody works as
 * it.
 */
export const SEARCH_ROLE = 'contextengine_search';

/** The role that forgets, erases and brings back, by the functions that it owns. */
export const ERASER_ROLE = 'contextengine_eraser';

/** `name` as a quoted SQL identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
