/**
 * The five tables of the ledger for drizzle-orm.
 *
 * They are declared as existing views: drizzle can select from a view and join it, but has no
 * insert, update or delete for one, and drizzle-kit neither creates nor drops it. The database
 * refuses such statements as well. test/integration/drizzle-schema.test.ts compares names, types,
 * nullability and enumerations with the migrated schema.
 */
import {
  bigint,
  boolean,
  doublePrecision,
  jsonb,
  pgSchema,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { LINK_TYPES, type Metadata, type Provenance } from '../../../src/model/block.ts';

const context = pgSchema('context');

/**
 * Fractions of a second beyond milliseconds do not occur in the ledger, so a `Date` holds every
 * instant.
 */
const instant = () => timestamp({ withTimezone: true, mode: 'date' });
/** Sequence numbers stay far below 2^53. */
const sequence = () => bigint({ mode: 'number' });

/**
 * What every row of the ledger carries; a column builder serves one table, so each call makes new
 * ones.
 */
const versioned = () => ({
  tenant_id: text().notNull(),
  uuid: uuid().notNull(),
  root_uuid: uuid().notNull(),
  scope_uuid: uuid().notNull(),
  valid_from: instant().notNull(),
  valid_until: instant(),
  closed_seq: sequence(),
  recorded_seq: sequence().notNull(),
  retired_seq: sequence(),
  superseded_by: uuid(),
  cause: text({ enum: ['change', 'correction', 'merge', 'cascade', 'redaction', 'prune'] }),
  status: text({ enum: ['live', 'quarantined', 'rejected', 'suppressed', 'erased'] }).notNull(),
  operation: text({ enum: ['ADD', 'UPDATE', 'DELETE', 'NOOP', 'UNDO'] }).notNull(),
  recut_of: uuid(),
});

const tags = () => text().array().notNull();
const metadata = () => jsonb().$type<Metadata>().notNull();
const provenance = () => jsonb().$type<Provenance>().notNull();

/** Messages, documents, chunks, scopes. */
export const blocks = context
  .view('blocks', {
    ...versioned(),
    parent_uuid: uuid(),
    block_type: text().notNull(),
    is_scope: boolean().notNull(),
    role: text(),
    author: text(),
    occurred_at: instant().notNull(),
    title: text(),
    content: text().notNull(),
    tags: tags(),
    metadata: metadata(),
    provenance: provenance(),
  })
  .existing();

export const subtreeSummaries = context
  .view('subtree_summaries', {
    ...versioned(),
    kind: text({ enum: ['rolling', 'per_doc', 'lineage'] }).notNull(),
    content: text().notNull(),
    covers_to_seq: sequence().notNull(),
    model: text(),
    cost_usd: doublePrecision().notNull(),
    provenance: provenance(),
  })
  .existing();

/** Atomic facts. */
export const memoryOpenSet = context
  .view('memory_open_set', {
    ...versioned(),
    content: text().notNull(),
    subject: text(),
    category: text(),
    class: text().notNull(),
    importance: doublePrecision().notNull(),
    confidence: doublePrecision().notNull(),
    tags: tags(),
    metadata: metadata(),
    provenance: provenance(),
  })
  .existing();

/** Typed values: one row is one value of a property. */
export const memorySchemaTyped = context
  .view('memory_schema_typed', {
    ...versioned(),
    subject: text().notNull(),
    collection: text().notNull(),
    property: text().notNull(),
    type: text({ enum: ['text', 'int', 'date', 'bool', 'option', 'array'] }).notNull(),
    value: jsonb().$type<unknown>().notNull(),
    cardinality: text({ enum: ['one', 'many'] }).notNull(),
    confidence: doublePrecision().notNull(),
    provenance: provenance(),
  })
  .existing();

export const contextLinks = context
  .view('context_links', {
    ...versioned(),
    link_type: text({ enum: LINK_TYPES }).notNull(),
    from_uuid: uuid().notNull(),
    to_uuid: uuid().notNull(),
    ordinal: sequence().notNull(),
    weight: doublePrecision().notNull(),
    metadata: metadata(),
    from_seq: sequence(),
    to_seq: sequence(),
    seen_seq: sequence(),
  })
  .existing();
