/**
 * The columns that filters, orders and rows may name, per table. Anything else is refused before it
 * reaches a connector.
 */
import type { Table } from '../model/block.ts';

export type ColumnKind = 'uuid' | 'text' | 'number' | 'boolean' | 'time' | 'tags' | 'json';
export type Columns = Readonly<Record<string, ColumnKind>>;

const VERSIONED = {
  uuid: 'uuid',
  root_uuid: 'uuid',
  scope_uuid: 'uuid',
  valid_from: 'time',
  valid_until: 'time',
  closed_seq: 'number',
  recorded_seq: 'number',
  retired_seq: 'number',
  superseded_by: 'uuid',
  cause: 'text',
  status: 'text',
  operation: 'text',
  recut_of: 'uuid',
} as const satisfies Columns;

export const COLUMNS: Readonly<Record<Table, Columns>> = {
  blocks: {
    ...VERSIONED,
    parent_uuid: 'uuid',
    block_type: 'text',
    is_scope: 'boolean',
    role: 'text',
    author: 'text',
    occurred_at: 'time',
    title: 'text',
    content: 'text',
    tags: 'tags',
    metadata: 'json',
  },
  subtree_summaries: {
    ...VERSIONED,
    kind: 'text',
    content: 'text',
    covers_to_seq: 'number',
    model: 'text',
    cost_usd: 'number',
  },
  memory_open_set: {
    ...VERSIONED,
    content: 'text',
    subject: 'text',
    category: 'text',
    class: 'text',
    importance: 'number',
    confidence: 'number',
    tags: 'tags',
    metadata: 'json',
  },
  memory_schema_typed: {
    ...VERSIONED,
    subject: 'text',
    collection: 'text',
    property: 'text',
    type: 'text',
    cardinality: 'text',
    confidence: 'number',
  },
  context_links: {
    ...VERSIONED,
    link_type: 'text',
    from_uuid: 'uuid',
    to_uuid: 'uuid',
    ordinal: 'number',
    weight: 'number',
    from_seq: 'number',
    to_seq: 'number',
    seen_seq: 'number',
  },
};

/** Tables that a search part can rank: those with a text of their own. */
export const SEARCHABLE: readonly Table[] = ['blocks', 'subtree_summaries', 'memory_open_set'];

/** The key that `metadata.x` names, at the top level of the object; null for a plain column. */
export const metadataKey = (field: string): string | null =>
  field.startsWith('metadata.') ? field.slice('metadata.'.length) : null;

/**
 * What a filter field holds; undefined = there is no such field. `metadata.x` can hold any scalar.
 */
export function columnKind(table: Table, field: string): ColumnKind | 'metadata' | undefined {
  if (metadataKey(field) !== null)
    return COLUMNS[table]['metadata'] === 'json' ? 'metadata' : undefined;
  return Object.hasOwn(COLUMNS[table], field) ? COLUMNS[table][field] : undefined;
}
