/** The filter tree as a predicate. Two-valued: what is not so is `not` so, nulls included. */

import { ContextEngineError } from '../../src/codes/errors.ts';
import { columnKind, metadataKey } from '../../src/cxri/columns.ts';
import type { Filter, Scalar } from '../../src/cxri/contract.ts';
import type { LedgerRow, Table } from '../../src/model/block.ts';
import { parseInstant } from '../../src/model/ids.ts';

export type Predicate = (row: LedgerRow) => boolean;

export function toPredicate(table: Table, filter: Filter): Predicate {
  if ('and' in filter) return every(filter.and.map((member) => toPredicate(table, member)));
  if ('or' in filter) return some(filter.or.map((member) => toPredicate(table, member)));
  if ('not' in filter) return negate(toPredicate(table, filter.not));
  const kind = columnKind(table, filter.field);
  if (kind === undefined) throw unknownField(table, filter.field);
  const read = reader(filter.field);
  const constant = <T extends Scalar>(value: T): T | string =>
    kind === 'time' && value !== null ? parseInstant(value, filter.field) : value;
  if ('eq' in filter) return equals(read, constant(filter.eq));
  if ('in' in filter) return some(filter.in.map((value) => equals(read, constant(value))));
  if ('contains' in filter) return (row) => containsAll(read(row), filter.contains);
  if ('has' in filter) return (row) => jsonContains(read(row), filter.has);
  const { gt, gte, lt, lte } = filter;
  return every([
    ...(gt === undefined ? [] : [compares(read, constant(gt), (order) => order > 0)]),
    ...(gte === undefined ? [] : [compares(read, constant(gte), (order) => order >= 0)]),
    ...(lt === undefined ? [] : [compares(read, constant(lt), (order) => order < 0)]),
    ...(lte === undefined ? [] : [compares(read, constant(lte), (order) => order <= 0)]),
  ]);
}

export const unknownField = (table: Table, field: string): ContextEngineError =>
  new ContextEngineError('CONNECTOR.INVALID_REQUEST', {
    message: `\`${table}\` has no field \`${field}\`.`,
    fix: 'Name a column of the table, or `metadata.x` of blocks and facts.',
  });

/** The value of a column, or of a key of `metadata`; undefined where there is none. */
export function reader(field: string): (row: LedgerRow) => unknown {
  const key = metadataKey(field);
  return key === null
    ? (row) => memberOf(row, field)
    : (row) => memberOf(memberOf(row, 'metadata'), key);
}

/** The order of two values of one kind; null where they cannot be compared. */
export function compare(a: unknown, b: unknown): number | null {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return null;
}

type Reader = (row: LedgerRow) => unknown;
const every =
  (members: readonly Predicate[]): Predicate =>
  (row) =>
    members.every((member) => member(row));
const some =
  (members: readonly Predicate[]): Predicate =>
  (row) =>
    members.some((member) => member(row));
const negate =
  (member: Predicate): Predicate =>
  (row) =>
    !member(row);
const equals =
  (read: Reader, value: Scalar): Predicate =>
  (row) =>
    (read(row) ?? null) === value;
const compares =
  (read: Reader, value: string | number, accepts: (order: number) => boolean): Predicate =>
  (row) => {
    const order = compare(read(row), value);
    return order !== null && accepts(order);
  };

const containsAll = (value: unknown, wanted: readonly string[]): boolean =>
  Array.isArray(value) && wanted.every((tag) => value.includes(tag));

/** JSON containment as PostgreSQL's `@>` means it. */
function jsonContains(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      wanted.every((item) => value.some((member) => jsonContains(member, item)))
    );
  if (isObject(wanted))
    return (
      isObject(value) &&
      Object.entries(wanted).every(
        ([key, item]) => Object.hasOwn(value, key) && jsonContains(memberOf(value, key), item),
      )
    );
  return value === wanted;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
