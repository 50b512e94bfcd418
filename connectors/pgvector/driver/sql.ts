/**
 * What the connector's statements run on: one small interface over PGlite (in a worker) and
 * node-postgres.
 */
/// <reference lib="esnext.disposable" preserve="true" />

/**
 * Scalars only. Arrays and objects travel as JSON text and are cast in SQL (`$1::jsonb`), because
 * the two drivers disagree on them.
 */
export type SqlParam = string | number | boolean | null;
/**
 * Integers (int2, int4, int8, oid) are numbers, booleans booleans, json and jsonb parsed,
 * everything else text, on both drivers alike.
 */
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlSession {
  query(text: string, params?: readonly SqlParam[]): Promise<readonly SqlRow[]>;
}

/**
 * A database opened under the application role, which neither owns the tables nor bypasses
 * row-level security. Errors: `CONNECTOR.*` for what the world did, {@link SqlError} (with
 * `sqlstate`) for what the statement did.
 */
export interface Database extends SqlSession, AsyncDisposable {
  readonly flavor: 'pglite' | 'postgres';
  /** No one else can write to it: heads may be kept in memory. */
  readonly isExclusive: boolean;
  /** `halfvec` on a server, `vector` on PGlite (halfvec is 2-3x slower in WASM, measured). */
  readonly vectorType: 'vector' | 'halfvec';
  /**
   * A fired `signal` gives up the wait for a session; a statement under way is given up by its
   * session, not at once.
   */
  query(
    text: string,
    params?: readonly SqlParam[],
    signal?: AbortSignal,
  ): Promise<readonly SqlRow[]>;
  /**
   * Read committed; rolls back on any throw. Statements of others wait while one runs on PGlite's
   * single connection. Throws `WRITE.COMMIT_UNKNOWN` when the connection was lost during the
   * COMMIT. `signal` as of `query`.
   */
  transaction<T>(body: (tx: SqlSession) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface OwnerSession extends SqlSession {
  /** Several statements in one text, without parameters. */
  exec(text: string): Promise<void>;
}

/** As {@link Database}, under the role that owns the schema: migrations and maintenance only. */
export interface OwnerDatabase extends AsyncDisposable {
  readonly flavor: 'pglite' | 'postgres';
  query(text: string, params?: readonly SqlParam[]): Promise<readonly SqlRow[]>;
  transaction<T>(body: (tx: OwnerSession) => Promise<T>): Promise<T>;
  /** Several statements in one text, without parameters. */
  exec(text: string): Promise<void>;
}

/**
 * A statement that the database refused. Mapped to a coded error by whoever knows what was meant.
 */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  readonly sqlstate: string;
  readonly detail: string | undefined;
  constructor(
    message: string,
    sqlstate: string,
    more: { readonly detail?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.sqlstate = sqlstate;
    this.detail = more.detail;
  }
}
