/**
 * A pool that belongs to the application.
 *
 * Its sessions serve the application as well, so nothing may stay on one: role and settings hold
 * for one transaction, and each statement of the engine outside a transaction gets one of its own,
 * for two more round trips. The pool is never ended here. The role is a wall against faults of the
 * engine: a session of a superuser could give it back.
 */
import type { Pool } from 'pg';
import {
  APPLICATION_ROLE,
  LOCAL_BEGIN,
  quoteIdentifier,
  runTransaction,
  type SqlConnection,
} from '../database.ts';
import { assertRoleIsConfined, assertRoleIsReachable } from '../roles.ts';
import type { Database, SqlSession } from '../sql.ts';
import { assertMigrated, closedError, withClient } from './postgres.ts';

/** What the engine uses of a session of `pg`. */
export interface ApplicationClient {
  query(statement: {
    readonly text: string;
    readonly values?: unknown[];
  }): Promise<{ readonly rows: readonly unknown[] }>;
  release(error?: boolean): void;
}

/**
 * What the engine uses of a `Pool` of `pg`. Stated here, so that the types of the package need no
 * types of `pg`.
 */
export interface ApplicationPool {
  connect(): Promise<ApplicationClient>;
  query(text: string): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}

const BEGIN = `${LOCAL_BEGIN};
set local row_security = on;
set local role ${quoteIdentifier(APPLICATION_ROLE)}`;

/**
 * Works on a pool of the application. Its user needs to be a member of `contextengine_app`,
 * whatever else it is. It never migrates. Throws as `openPostgres`; disposing the database leaves
 * the pool as it is.
 */
export async function openApplicationPool(pool: ApplicationPool): Promise<Database> {
  const place = 'the pool of the application';
  // `ApplicationPool` names a part of this class, and its sessions are asked for nothing beyond
  // theirs.
  const borrowing = { pool: pool as Pool, place };
  let isClosed = false;
  const using = <T>(
    job: (connection: SqlConnection) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> =>
    isClosed ? Promise.reject(closedError(place)) : withClient({ ...borrowing, signal }, job);
  const transaction = <T>(body: (tx: SqlSession) => Promise<T>, signal?: AbortSignal): Promise<T> =>
    using((connection) => runTransaction(connection, body, BEGIN), signal);
  // A session that the server ends while it is idle is replaced by the pool; without a listener it
  // would end the process.
  const ignore = (): void => undefined;
  pool.on('error', ignore);
  const database: Database = {
    flavor: 'postgres',
    isExclusive: false,
    vectorType: 'halfvec',
    query: (text, params, signal) => transaction((tx) => tx.query(text, params), signal),
    transaction,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      pool.off('error', ignore);
    },
  };
  try {
    await using((connection) =>
      assertRoleIsReachable(
        { query: async (text, params = []) => (await connection.run(text, params)).rows },
        APPLICATION_ROLE,
      ),
    );
    await assertRoleIsConfined(database);
    await assertMigrated(database, undefined);
    return database;
  } catch (thrown) {
    await database[Symbol.asyncDispose]();
    throw thrown;
  }
}
