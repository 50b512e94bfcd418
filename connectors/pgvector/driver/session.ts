/**
 * Statements on behalf of one tenant. The settings live for the transaction, so nothing is left
 * behind on a pooled connection.
 */
import { ContextEngineError } from '../../../src/codes/errors.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import { toReadError } from '../refusals.ts';
import type { Database, SqlSession } from './sql.ts';

export interface Tenancy {
  readonly tenant: TenantId;
  /** Scopes whose rows may be read; `'*'` = all of the tenant. */
  readonly scopes: readonly Uuid[] | '*';
  /** Of a read whose caller may give up. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Row-level security judges every statement of `body` by tenant and scopes. For reads, and for
 * writes that may be repeated.
 */
export const inTenant = <T>(
  database: Database,
  tenancy: Tenancy,
  body: (tx: SqlSession) => Promise<T>,
): Promise<T> =>
  inTransaction(
    database,
    async (tx) => {
      await setTenancy(tx, tenancy);
      return body(tx);
    },
    tenancy.signal,
  );

/** For what may be repeated: a lost COMMIT is an outage like any other here. */
export const inTransaction = <T>(
  database: Database,
  body: (tx: SqlSession) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> =>
  database.transaction(body, signal).catch((error: unknown) => {
    throw toReadError(isCommitUnknown(error) ? error.cause : error);
  });

const isCommitUnknown = (error: unknown): error is ContextEngineError =>
  error instanceof ContextEngineError && error.code === 'WRITE.COMMIT_UNKNOWN';

export const setTenancy = (tx: SqlSession, { tenant, scopes }: Tenancy): Promise<unknown> =>
  tx.query(
    "select set_config('contextengine.tenant', $1, true), set_config('contextengine.scopes', " +
      '$2, true)',
    [tenant, scopes === '*' ? '*' : scopes.join(',')],
  );
