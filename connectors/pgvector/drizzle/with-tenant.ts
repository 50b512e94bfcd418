/** The tenant of a transaction, set the way the policies of row-level security read it. */
import { is, type SQL, sql, type TablesRelationalConfig } from 'drizzle-orm';
import { type PgColumn, type PgQueryResultHKT, PgTransaction } from 'drizzle-orm/pg-core';
import { ContextEngineError } from '../../../src/codes/errors.ts';
import { parseInstant, parseTenant, parseUuid } from '../../../src/model/ids.ts';
import { assertRoleRow, ROLE_COLUMNS, ROLE_SOURCE } from '../driver/roles.ts';

/** A tenant, or some scopes of one: rows of other scopes are then not seen. */
export type TenantOrScopes =
  | string
  | { readonly tenant: string; readonly scopes: readonly string[] };

/** Both settings as `set_config` takes them. */
interface Settings {
  readonly tenant: string;
  readonly scopes: string;
}

/**
 * Runs `body` so that its statements see the rows of `tenant`, and gives what `body` gives. The
 * settings end with `body`; those of an outer `withTenant` then hold again. Costs two statements
 * beside those of `body`.
 *
 * Throws `CONNECTOR.ROLE` where row-level security would not hold the role of the connection.
 * Throws `CONFIG.INVALID_VALUE` for a tenant or scope that is none, and for a database handle in
 * place of a transaction: the settings live in one transaction, so the statements of `body` would
 * see no row.
 *
 * @example
 * ```ts
 * const facts = await db.transaction((tx) =>
 *   withTenant(tx, 'acme', () => tx.select().from(memoryOpenSet).where(visible(memoryOpenSet))),
 * );
 * ```
 */
export async function withTenant<
  Q extends PgQueryResultHKT,
  F extends Record<string, unknown>,
  R extends TablesRelationalConfig,
  T,
>(tx: PgTransaction<Q, F, R>, tenant: TenantOrScopes, body: () => Promise<T>): Promise<T> {
  if (!is(tx, PgTransaction))
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: '`tx` is no transaction.',
      fix: 'Call `withTenant` in `db.transaction((tx) => …)` and pass its `tx`.',
      where: { field: 'tx' },
    });
  const outer = await enter(tx, settingsOf(tenant));
  let value: T;
  try {
    value = await body();
  } catch (thrown) {
    // In a transaction that a statement has failed this is refused too, and the rollback takes the
    // settings back.
    await set(tx, outer).catch(() => undefined);
    throw thrown;
  }
  await set(tx, outer);
  return value;
}

function settingsOf(asked: TenantOrScopes): Settings {
  if (typeof asked === 'string') return { tenant: parseTenant(asked, 'tenant'), scopes: '*' };
  const scopes = asked.scopes.map((scope, index) => parseUuid(scope, `scopes[${index}]`));
  return { tenant: parseTenant(asked.tenant, 'tenant'), scopes: scopes.join(',') };
}

const setConfig = ({ tenant, scopes }: Settings): SQL<string> =>
  sql<string>`set_config('contextengine.tenant', ${tenant}, true)
    || set_config('contextengine.scopes', ${scopes}, true)`;

/**
 * Sets what the policies read and gives what was set before. `offset 0` keeps the inner select
 * apart, so that it reads the settings before the outer one changes them.
 */
async function enter<
  Q extends PgQueryResultHKT,
  F extends Record<string, unknown>,
  R extends TablesRelationalConfig,
>(tx: PgTransaction<Q, F, R>, settings: Settings): Promise<Settings> {
  const [row] = await tx
    .select({
      role: sql<unknown>`to_json(was)`,
      tenant: sql<string | null>`was.tenant`,
      scopes: sql<string | null>`was.scopes`,
      isSet: setConfig(settings),
    })
    .from(
      sql`(select current_setting('contextengine.tenant', true) as tenant,
          current_setting('contextengine.scopes', true) as scopes, ${sql.raw(ROLE_COLUMNS)}
        from ${sql.raw(ROLE_SOURCE)} offset 0) was`,
    );
  assertRoleRow(Object(row?.role), 'a role that may select what the application reads');
  return { tenant: row?.tenant ?? '', scopes: row?.scopes ?? '' };
}

const set = async <
  Q extends PgQueryResultHKT,
  F extends Record<string, unknown>,
  R extends TablesRelationalConfig,
>(
  tx: PgTransaction<Q, F, R>,
  settings: Settings,
): Promise<void> =>
  void (await tx.select({ isSet: setConfig(settings) }).from(sql`(select) nothing`));

/** The columns that say what a composition would see of a row. */
interface VersionedColumns {
  readonly status: PgColumn;
  readonly valid_from: PgColumn;
  readonly valid_until: PgColumn;
  readonly retired_seq: PgColumn;
}

/**
 * The condition for what is believed and valid: not retired, suppressed, erased, or under review.
 * `at` is the instant it is judged for, by default the start of the transaction. Without this
 * condition a select gives every version of every row.
 */
export function visible(table: VersionedColumns, at?: Date | string): SQL {
  const instant = at === undefined ? sql`now()` : sql`${parseInstant(at, 'at')}::timestamptz`;
  return sql`(${table.status} = 'live' and ${table.retired_seq} is null
    and ${table.valid_from} <= ${instant}
    and (${table.valid_until} is null or ${table.valid_until} > ${instant}))`;
}
