/** What a request may see, as a predicate that LanceDB applies before it ranks. */
import { ContextEngineError } from '../../src/codes/errors.ts';
import { columnKind } from '../../src/cxri/columns.ts';
import type { Filter, Scalar } from '../../src/cxri/contract.ts';
import type { Table } from '../../src/model/block.ts';
import { type Instant, parseInstant, type TenantId, toEpochMs } from '../../src/model/ids.ts';
import type { Position } from '../../src/model/validity.ts';
import { NUMBER_COLUMNS, TEXT_COLUMNS } from './records.ts';

/** A text of SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const oneOf = (column: string, values: readonly string[]): string =>
  values.length === 0 ? 'false' : `${column} IN (${values.map(quoted).join(', ')})`;

export interface Seen {
  readonly tenant: TenantId;
  readonly table: Table;
  readonly position: Position;
  /** Absent: what was recorded, whatever its validity. */
  readonly at?: Instant;
  readonly filter?: Filter;
}

/**
 * Tenant, table and scopes by name, so that their indexes serve; scopes of one head together, as
 * each condition is looked up by itself.
 */
export function predicateOf({ tenant, table, position, at, filter }: Seen): string {
  const moment = at === undefined ? null : toEpochMs(at);
  const heads = new Map<number, string[]>();
  for (const { scope, head } of position) heads.set(head, [...(heads.get(head) ?? []), scope]);
  const places = [...heads].map(([head, scopes]) => {
    const seen = [oneOf('scope', scopes), `recorded_seq <= ${head}`];
    if (moment !== null) seen.push(`(valid_until > ${moment} OR closed_seq > ${head})`);
    return seen.join(' AND ');
  });
  const every = position.map(({ scope }) => scope);
  return [
    `tenant = ${quoted(tenant)}`,
    `ledger = ${quoted(table)}`,
    ...(moment === null ? [] : [`valid_from <= ${moment}`]),
    // Of several heads the scopes by themselves as well: no index serves a disjunction of places.
    ...(places.length > 1 ? [oneOf('scope', every)] : []),
    `(${places.map((place) => `(${place})`).join(' OR ') || 'false'})`,
    ...(filter ? [toSql(table, filter)] : []),
  ].join(' AND ');
}

const joined = (members: readonly string[], by: 'AND' | 'OR', none: string): string =>
  members.length === 0 ? none : `(${members.join(` ${by} `)})`;

/** Two-valued, as the contract has it: what is not so is `not` so, nulls included. */
function toSql(table: Table, filter: Filter): string {
  if ('and' in filter)
    return joined(
      filter.and.map((member) => toSql(table, member)),
      'AND',
      'true',
    );
  if ('or' in filter)
    return joined(
      filter.or.map((member) => toSql(table, member)),
      'OR',
      'false',
    );
  if ('not' in filter) return `(NOT coalesce(${toSql(table, filter.not)}, false))`;
  const { field } = filter;
  const { column, literal } = columnOf(table, field);
  const equals = (value: Scalar): string =>
    value === null ? `${column} IS NULL` : `${column} = ${literal(value)}`;
  if ('eq' in filter) return `(${equals(filter.eq)})`;
  if ('in' in filter) return joined(filter.in.map(equals), 'OR', 'false');
  if ('contains' in filter)
    return joined(
      filter.contains.map((tag) => `array_has(tags, ${quoted(tag)})`),
      'AND',
      'true',
    );
  if ('has' in filter) throw unfiltered(table, field);
  const ranges = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
  const parts = (Object.keys(ranges) as (keyof typeof ranges)[]).flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [`${column} ${ranges[name]} ${literal(value)}`];
  });
  return joined(parts, 'AND', 'true');
}

interface Column {
  readonly column: string;
  readonly literal: (value: string | number | boolean) => string;
}

function columnOf(table: Table, field: string): Column {
  const isKnown = columnKind(table, field) !== undefined;
  const named = (names: readonly string[]): boolean => isKnown && names.includes(field);
  if (named(TEXT_COLUMNS)) return { column: field, literal: (value) => quoted(String(value)) };
  if (isKnown && field === 'scope_uuid')
    return { column: 'scope', literal: (value) => quoted(String(value)) };
  if (named(NUMBER_COLUMNS)) return { column: field, literal: (value) => String(Number(value)) };
  if (named(['valid_from']))
    return {
      column: field,
      literal: (value) => String(toEpochMs(parseInstant(value, field))),
    };
  if (named(['is_scope', 'tags']))
    return { column: field, literal: (value) => quoted(String(value)) };
  throw unfiltered(table, field);
}

const unfiltered = (table: Table, field: string): ContextEngineError =>
  new ContextEngineError('CONNECTOR.INVALID_REQUEST', {
    message: `A mount of \`lancedb\` cannot filter \`${table}\` by \`${field}\`.`,
    fix:
      `Filter by ${[...TEXT_COLUMNS, ...NUMBER_COLUMNS].join(', ')}, valid_from, is_scope or ` +
      'tags, or let the layer search the ledger.',
    where: { field: 'filter' },
  });
