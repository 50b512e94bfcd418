/** A version as a record of the table, and back. */
import type { Schema } from 'apache-arrow';
import type { ProjectedVersion } from '../../src/cxri/projection.ts';
import type { AnyRow } from '../../src/model/block.ts';
import { type TenantId, toEpochMs, type Uuid } from '../../src/model/ids.ts';
import { searchText } from '../../src/text/search-text.ts';
import { readTerms } from '../../src/text/terms.ts';
import type { Lance } from './load.ts';

/** After every instant that a row can end at: one comparison for all rows. */
export const FOREVER = Number.MAX_SAFE_INTEGER;
/** Before every sequence number. */
export const NEVER = -1;

/** Columns that a filter can name, by kind; they have the names of the ledger. */
export const TEXT_COLUMNS = [
  'uuid',
  'root_uuid',
  'parent_uuid',
  'category',
  'class',
  'subject',
  'block_type',
  'role',
  'author',
] as const;
export const NUMBER_COLUMNS = ['recorded_seq', 'importance', 'confidence'] as const;

export function schemaOf({ arrow }: Lance, dimensions: number): Schema {
  const { Field, FixedSizeList, Float32, Float64, List, Schema, Utf8 } = arrow;
  const field = (name: string, type: ConstructorParameters<typeof Field>[1]) =>
    new Field(name, type, true);
  return new Schema([
    ...['key', 'tenant', 'scope', 'ledger', 'words', 'row'].map((name) => field(name, new Utf8())),
    ...TEXT_COLUMNS.map((name) => field(name, new Utf8())),
    ...['valid_from', 'valid_until', 'closed_seq', ...NUMBER_COLUMNS].map((name) =>
      field(name, new Float64()),
    ),
    // A column of booleans that are all null is written wrongly (0.37.1).
    field('is_scope', new Utf8()),
    field('tags', new List(field('item', new Utf8()))),
    ...(dimensions > 0
      ? [field('vector', new FixedSizeList(dimensions, field('item', new Float32())))]
      : []),
  ]);
}

export const keyOf = (tenant: TenantId, uuid: Uuid): string => `${tenant}/${uuid}`;

export function toRecord(
  { entry, vector }: ProjectedVersion,
  dimensions: number,
): Record<string, unknown> {
  const { row, table } = entry;
  const columns: Readonly<Record<string, unknown>> = { ...row };
  const { terms, grams } = readTerms(searchText(row));
  return {
    key: keyOf(row.tenant_id, row.uuid),
    tenant: row.tenant_id,
    scope: row.scope_uuid,
    ledger: table,
    // Terms as the authority makes them: one search finds what the other would.
    words: [...terms, ...grams].join(' '),
    row: JSON.stringify(row),
    ...Object.fromEntries(
      [...TEXT_COLUMNS, ...NUMBER_COLUMNS].map((name) => [name, columns[name] ?? null]),
    ),
    valid_from: toEpochMs(row.valid_from),
    valid_until: row.valid_until === null ? FOREVER : toEpochMs(row.valid_until),
    closed_seq: row.closed_seq ?? NEVER,
    is_scope: String(columns['is_scope'] === true),
    tags: columns['tags'] ?? [],
    ...(dimensions > 0 && { vector }),
  };
}

/** Written by `toRecord`, hence the cast. */
export const toEntry = (record: { readonly ledger: string; readonly row: string }): AnyRow =>
  ({ table: record.ledger, row: JSON.parse(record.row) }) as AnyRow;
