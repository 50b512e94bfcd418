/** Which scopes a statement reads: those that are named, or all but those of some types. */
import type { Uuid } from '../../../src/model/ids.ts';
import { isAllScopes, type ReadableScopes } from '../../../src/model/permission.ts';
import type { Tenancy } from '../driver/session.ts';
import type { SqlParam } from '../driver/sql.ts';

/** Gives the place of a value of a statement, `$3`. */
export type Place = (value: SqlParam) => string;

/** A value of `uuid[]`. */
export const listOf = (uuids: readonly Uuid[]): string => `{${uuids.join()}}`;

/** What row-level security lets through: of scopes that are not named, the tenant. */
export const heldOf = (scopes: ReadableScopes): Tenancy['scopes'] =>
  isAllScopes(scopes) ? '*' : scopes;

export const isNone = (scopes: ReadableScopes): boolean =>
  !isAllScopes(scopes) && scopes.length === 0;

/**
 * The condition of a statement whose `$1` is the tenant; `column` is that of a scope's uuid. The
 * types are compared in the statement: a list of 20,000 scopes is compared with each row.
 */
export function within(scopes: ReadableScopes, place: Place): (column: string) => string {
  if (!isAllScopes(scopes)) {
    const named = place(listOf(scopes));
    return (column) => `${column} = any(${named}::uuid[])`;
  }
  const [types, at] = [place(JSON.stringify(scopes.but_types)), place(scopes.at)];
  return (column) => `${column} in (select s.root_uuid from context.blocks s
    where s.tenant_id = $1 and s.is_scope and s.root_uuid = s.scope_uuid and s.status = 'live'
      and s.retired_seq is null and s.valid_from <= ${at}::timestamptz
      and (s.valid_until is null or s.valid_until > ${at}::timestamptz)
      and s.block_type <> all (array(select jsonb_array_elements_text(${types}::jsonb))))`;
}
