/**
 * Statements on behalf of one tenant. The settings live for the transaction, so nothing is left
 * behind on a pooled connection.
 */
import { ContextEngineError } from '../../../src/codes/errors.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import { toReadError } from '../refusals.ts';
import type { Database, SqlParam, SqlSession } from './sql.ts';

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

/**
 * One call of a sealed function, for what may be repeated: a statement is a transaction of its own,
 * one round trip where {@link inTenant} takes four. In `call` the parameters begin at `$3`; `$1` is
 * the tenant.
 */
export const callInTenant = async (
  database: Database,
  { tenant, scopes, signal }: Tenancy,
  { call, params }: { readonly call: string; readonly params: readonly SqlParam[] },
): Promise<unknown> => {
  const [row] = await database
    .query(
      `with tenancy as materialized (select set_config('contextengine.tenant', $1, true),
         set_config('contextengine.scopes', $2, true))
       select ${call} as answer from tenancy`,
      [tenant, held(scopes), ...params],
      signal,
    )
    .catch((error: unknown) => {
      throw toReadError(error);
    });
  return row?.['answer'];
};

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
    [tenant, held(scopes)],
  );

const held = (scopes: Tenancy['scopes']): string => (scopes === '*' ? '*' : scopes.join(','));
