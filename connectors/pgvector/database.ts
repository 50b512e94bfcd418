/**
 * What both drivers share, so that a statement gives the same rows, errors and transactions on either:
 * the text encoding of parameters, the decoding of columns, transactions, and a queue for a single connection.
 */
import { InternalError } from '../../src/errors.ts';
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

/** Type oids are fixed in PostgreSQL's `pg_type.dat`. A bigint beyond 2^53 loses precision: sequence numbers here stay far below. */
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

/** `cause` holds the {@link ServerError}: position and hint are of use where a file's text is at hand (migrations). */
export function toSqlError(error: ServerError): SqlError {
  return new SqlError(error.message, error.code, { detail: error.detail, cause: error });
}

/**
 * Runs `body` between BEGIN and COMMIT on a connection that nobody else uses meanwhile; any throw rolls back.
 * A COMMIT that the server turned into a ROLLBACK (the body swallowed a failed statement) is an error, never a silent loss.
 */
export async function runTransaction<T>(connection: SqlConnection, body: (tx: OwnerSession) => Promise<T>): Promise<T> {
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
  await connection.run('begin isolation level read committed', []);
  let value: T;
  try {
    value = await body(session);
  } catch (thrown) {
    isOver = true;
    // The body's error is the one that matters; a connection that cannot roll back is dead and reports it on its next use.
    await connection.run('rollback', []).catch(() => undefined);
    throw thrown;
  }
  isOver = true;
  const end = await connection.run('commit', []);
  if (end.command === 'ROLLBACK') throw new SqlError('the transaction had a failed statement and was rolled back', '25P02');
  return value;
}

/** Runs one job at a time, in the order of the calls; a failed job does not stop the next. */
export function createQueue(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async <T>(job: () => Promise<T>): Promise<T> => {
    const before = last;
    const mine = before.then(job, job);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Every session's settings beside the role; measured in favour of each: custom plans (4 ms against 250 ms), jit off, HNSW lists of 100. */
export const SESSION_SETTINGS = {
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  plan_cache_mode: 'force_custom_plan',
  jit: 'off',
  'hnsw.ef_search': '100',
  'hnsw.iterative_scan': 'relaxed_order',
} as const satisfies Record<string, string>;

/** The role that the engine works as; the first migration creates it. */
export const APPLICATION_ROLE = 'contextengine_app';
/** The role that owns schema and tables. */
export const OWNER_ROLE = 'contextengine_owner';

/** `name` as a quoted SQL identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
