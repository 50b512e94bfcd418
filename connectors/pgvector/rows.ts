/** Between what the database returns and the rows of the ledger. */
import { InternalError } from '../../src/codes/errors.ts';
import { toEntry } from '../../src/ledger/entry.ts';
import { type AnyRow, TABLES, type Table, VERSIONED_COLUMNS } from '../../src/model/block.ts';
import { type Instant, toInstant } from '../../src/model/ids.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const TIME_COLUMNS = ['valid_from', 'valid_until', 'occurred_at'] as const;

/**
 * The columns of each table that a write fills, in no particular order; all but the generated ones.
 */
export const CONTENT_COLUMNS: Readonly<Record<Table, readonly string[]>> = {
  blocks: [
    'parent_uuid',
    'block_type',
    'is_scope',
    'role',
    'author',
    'occurred_at',
    'title',
    'content',
    'tags',
    'metadata',
    'provenance',
  ],
  subtree_summaries: ['kind', 'content', 'covers_to_seq', 'model', 'cost_usd', 'provenance'],
  memory_open_set: [
    'content',
    'subject',
    'category',
    'class',
    'importance',
    'confidence',
    'tags',
    'metadata',
    'provenance',
  ],
  memory_schema_typed: [
    'subject',
    'collection',
    'property',
    'type',
    'value',
    'cardinality',
    'confidence',
    'provenance',
  ],
  context_links: [
    'link_type',
    'from_uuid',
    'to_uuid',
    'ordinal',
    'weight',
    'metadata',
    'from_seq',
    'to_seq',
    'seen_seq',
  ],
};
export const columnsOf = (table: Table): readonly string[] => [
  ...VERSIONED_COLUMNS,
  ...CONTENT_COLUMNS[table],
];

/** A row as `row_to_json` made it: all that differs from ours is how a time is written. */
export function toRow(table: Table, json: unknown): AnyRow {
  const row: Record<string, unknown> = { ...asObject(json) };
  for (const column of TIME_COLUMNS)
    if (typeof row[column] === 'string') row[column] = toTime(row[column]);
  return toEntry(table, row);
}

/**
 * Reads rows that the sealed search sent as arrays, in the order of these columns. A search brings
 * hundreds.
 */
export function rowReader(table: Table, columns: readonly unknown[]): (values: unknown) => AnyRow {
  const names = columns.map(String);
  const times = TIME_COLUMNS.map((column) => names.indexOf(column)).filter((index) => index >= 0);
  // A copy has all its properties at once; one by one each row grew 25 times (3.4 KB a row).
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries(
    names.map((name) => [name, null]),
  );
  return (values) => {
    const list = asList(values);
    const row = { ...blank };
    for (let index = 0; index < names.length; index += 1) row[names[index] ?? ''] = list[index];
    for (const index of times)
      if (typeof list[index] === 'string') row[names[index] ?? ''] = toTime(list[index]);
    return toEntry(table, row);
  };
}

/**
 * Nine digits are a single-precision number, which is what is stored; a double's seventeen only
 * take longer to write and to read. Trailing zeros stay: taking them off is two thirds of the time.
 */
export const toVectorText = (values: readonly number[]): string =>
  `[${values.map((value) => Math.fround(value).toPrecision(9)).join(',')}]`;

const IN_UTC = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00:00$/;
/**
 * `2026-01-01T00:00:00.5+00:00` (or a text timestamp) to milliseconds in UTC. The first form is by
 * far the commonest, and needs no calendar.
 */
export const toTime = (value: unknown): Instant => {
  const [, seconds, fraction = ''] = (typeof value === 'string' && IN_UTC.exec(value)) || [];
  if (seconds === undefined) return toInstant(Date.parse(String(value)));
  return `${seconds}.${fraction.padEnd(3, '0')}Z` as Instant; // its form, by the pattern
};

export const asObject = (value: unknown): JsonObject => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as JsonObject; // narrowed by the test before it
  throw new InternalError(`The database returned ${typeof value} where an object was asked for.`);
};
export const asList = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  throw new InternalError(`The database returned ${typeof value} where a list was asked for.`);
};
export const asText = (value: unknown): string => String(value);
export const asTable = (value: unknown): Table => {
  const table = TABLES.find((known) => known === value);
  if (table !== undefined) return table;
  throw new InternalError(`The database returned the table \`${String(value)}\`.`);
};
