/**
 * The schemas of what a connector is handed: operations, the content of each table, and the rows
 * and journal of an import. Ids and times are in the one spelling that the ledger keeps.
 */
import { LINK_TYPES, TABLES, type Table } from '../model/block.ts';
import { MAX_BYTES, MAX_CHARS, MAX_COUNT } from '../model/content-limits.ts';
import { JOURNAL_OPERATIONS } from '../model/journal.ts';
import { OUTCOMES } from '../model/operation.ts';
import type { FieldSchema } from './schema.ts';

export interface StoredSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}
type Fields = Readonly<Record<string, FieldSchema>>;

/** All fields are there, also where they are null. */
const whole = (properties: Fields, optional: readonly string[] = []): StoredSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((field) => !optional.includes(field)),
  additionalProperties: false,
});

/** At least one character. */
const NOT_EMPTY = '[\\s\\S]';
const anyText = (maxChars: number): FieldSchema => ({ type: 'string', maxChars, storable: true });
const someText = (maxChars: number): FieldSchema => ({ ...anyText(maxChars), pattern: NOT_EMPTY });
const orNull = (schema: FieldSchema): FieldSchema => ({ ...schema, type: ['string', 'null'] });
const oneOf = (values: readonly unknown[]): FieldSchema => ({ enum: values });
const ID: FieldSchema = { storedUuid: true };
const ID_OR_NULL: FieldSchema = { storedUuid: 'or_null' };
const TIME: FieldSchema = { storedInstant: true };
const TIME_OR_NULL: FieldSchema = { storedInstant: 'or_null' };
const SHARE: FieldSchema = { type: 'number', minimum: 0, maximum: 1 };
const AMOUNT: FieldSchema = { type: 'number', minimum: 0 };
const OBJECT: FieldSchema = { json: MAX_CHARS.json };
/** Its length has a code of its own, and is checked apart. */
const CONTENT: FieldSchema = { type: 'string', storable: true };
const FLAG: FieldSchema = { type: 'boolean' };
/** An entry of an index is limited in bytes. */
const indexed = (maxBytes: number): FieldSchema => ({
  type: 'string',
  pattern: NOT_EMPTY,
  storable: true,
  maxBytes,
});
const TAGS: FieldSchema = {
  type: 'array',
  maxItems: MAX_COUNT.tags,
  items: { type: 'string', storable: true, maxBytes: MAX_BYTES.tag },
};

const CONTENT_FIELDS = {
  blocks: {
    parent_uuid: ID_OR_NULL,
    block_type: someText(MAX_CHARS.block_type),
    is_scope: FLAG,
    role: orNull(anyText(MAX_CHARS.role)),
    author: orNull(anyText(MAX_CHARS.author)),
    occurred_at: TIME,
    title: orNull(anyText(MAX_CHARS.title)),
    content: CONTENT,
    tags: TAGS,
    metadata: OBJECT,
    provenance: OBJECT,
  },
  subtree_summaries: {
    kind: oneOf(['rolling', 'per_doc', 'lineage']),
    content: CONTENT,
    covers_to_seq: { type: 'number', whole: true, minimum: 0 },
    model: orNull(anyText(MAX_CHARS.model)),
    cost_usd: AMOUNT,
    provenance: OBJECT,
  },
  memory_open_set: {
    content: CONTENT,
    subject: orNull(anyText(MAX_CHARS.subject)),
    category: orNull(anyText(MAX_CHARS.category)),
    class: someText(MAX_CHARS.class),
    importance: SHARE,
    confidence: SHARE,
    tags: TAGS,
    metadata: OBJECT,
    provenance: OBJECT,
  },
  memory_schema_typed: {
    subject: indexed(MAX_BYTES.typed_key),
    collection: indexed(MAX_BYTES.typed_key),
    property: indexed(MAX_BYTES.typed_key),
    type: oneOf(['text', 'int', 'date', 'bool', 'option', 'array']),
    value: { jsonValue: MAX_CHARS.json },
    cardinality: oneOf(['one', 'many']),
    confidence: SHARE,
    provenance: OBJECT,
  },
  context_links: {
    link_type: oneOf(LINK_TYPES),
    from_uuid: ID,
    to_uuid: ID,
    ordinal: { type: 'number', whole: true },
    weight: { type: 'number' },
    metadata: OBJECT,
  },
} as const satisfies Readonly<Record<Table, Fields>>;

const IN_LOWER_CASE = 'in lower case';
const timeFix = { storedInstant: true, fix: 'Pass a time in UTC with milliseconds.' } as const;
const COMMON: Fields = {
  operation: oneOf(['ADD', 'UPDATE', 'DELETE', 'NOOP', 'UNDO']),
  scope: { storedUuid: true, fix: `Pass the UUID of the scope, ${IN_LOWER_CASE}.` },
  idempotency_key: {
    ...indexed(MAX_BYTES.idempotency_key),
    fix: `Pass 1 to ${MAX_BYTES.idempotency_key} bytes of text.`,
  },
  is_time_defaulted: { enum: [true], fix: 'Pass `true`, or leave it out.' },
  reason: {
    ...anyText(MAX_CHARS.reason),
    fix: `Say why, in at most ${MAX_CHARS.reason} characters.`,
  },
};
const TABLE: FieldSchema = { enum: TABLES, fix: `Use ${TABLES.join(', ')}.` };
const VERSION: Fields = {
  table: TABLE,
  valid_from: timeFix,
  uuid: { storedUuid: true, fix: `Pass a fresh UUID for the version, ${IN_LOWER_CASE}.` },
  content: { type: 'object', fix: 'Pass an object with the columns of the table.' },
  valid_until: {
    storedInstant: true,
    fix: 'Pass a time after `valid_from`, in UTC with milliseconds.',
  },
  sources: {
    type: 'array',
    items: { source: 'stored' },
    distinct: MAX_COUNT.sources,
    fix: `Name at most ${MAX_COUNT.sources} versions or ranges, each once.`,
  },
  in_slot: { enum: ['one', 'many'], fix: 'Use `one` or `many`, of a fact with a slot.' },
  yields: { enum: [true], fix: 'Pass `true`, or leave it out.' },
  told_at: TIME,
};
const targetOf = (causes: readonly string[]): Fields => ({
  root_uuid: {
    storedUuid: true,
    fix: `Pass the root of what is to change, ${IN_LOWER_CASE}.`,
  },
  cause: { enum: causes, fix: `Use ${causes.join(', ')}.` },
  expected_version: {
    storedUuid: true,
    fix: `Pass the version that was read, ${IN_LOWER_CASE}.`,
  },
});
const OPTIONAL = [
  'idempotency_key',
  'is_time_defaulted',
  'reason',
  'valid_until',
  'sources',
  'in_slot',
  'yields',
  'told_at',
  'expected_version',
];

/** Beyond it a scope could not be written any more: 10,000 writes a second for three years. */
export const MAX_SEQ = 1e12;
const COUNT: FieldSchema = { type: 'number', whole: true, minimum: 0, maximum: MAX_SEQ };
const SEQ: FieldSchema = { ...COUNT, minimum: 1 };
const SEQ_OR_NULL: FieldSchema = { ...SEQ, type: ['number', 'null'] };
const DIGEST_OR_NULL: FieldSchema = { type: ['string', 'null'], pattern: '^[0-9a-f]{64}$' };
export const MAX_NAME_CHARS = 200;

const VERSIONED: Fields = {
  tenant_id: someText(63),
  uuid: ID,
  root_uuid: ID,
  scope_uuid: ID,
  valid_from: TIME,
  valid_until: TIME_OR_NULL,
  closed_seq: SEQ_OR_NULL,
  recorded_seq: SEQ,
  retired_seq: SEQ_OR_NULL,
  superseded_by: ID_OR_NULL,
  cause: oneOf([null, 'change', 'correction', 'merge', 'cascade', 'redaction', 'prune']),
  status: oneOf(['live', 'quarantined', 'rejected', 'suppressed', 'erased']),
  operation: oneOf(['ADD', 'UPDATE', 'DELETE', 'NOOP', 'UNDO']),
  recut_of: ID_OR_NULL,
};
const RANGE: Fields = { from_seq: SEQ_OR_NULL, to_seq: SEQ_OR_NULL, seen_seq: SEQ_OR_NULL };
const rowOf = (table: Table): StoredSchema =>
  whole({
    ...VERSIONED,
    ...CONTENT_FIELDS[table],
    ...(table === 'context_links' ? RANGE : {}),
  });

export const STORED_SCHEMAS = {
  operation_ADD: whole({ ...COMMON, ...VERSION }, OPTIONAL),
  operation_UPDATE: whole(
    { ...COMMON, ...VERSION, ...targetOf(['change', 'correction', 'merge']) },
    OPTIONAL,
  ),
  operation_DELETE: whole(
    {
      ...COMMON,
      table: TABLE,
      valid_from: timeFix,
      ...targetOf(['change', 'correction', 'prune']),
    },
    OPTIONAL,
  ),
  /** The reason is all that it says. */
  operation_NOOP: whole(
    { ...COMMON, reason: { ...COMMON['reason'], pattern: NOT_EMPTY } },
    OPTIONAL.filter((field) => field !== 'reason'),
  ),
  operation_UNDO: whole(
    {
      ...COMMON,
      target: {
        storedUuid: true,
        fix: `Pass the \`operation_id\` of a receipt, ${IN_LOWER_CASE}.`,
      },
      expected: {
        type: 'array',
        items: { storedUuid: true },
        distinct: MAX_COUNT.sources,
        fix: 'Leave it out, or pass the versions that were to change.',
      },
    },
    [...OPTIONAL, 'expected'],
  ),
  content_blocks: whole(CONTENT_FIELDS.blocks),
  content_subtree_summaries: whole(CONTENT_FIELDS.subtree_summaries),
  content_memory_open_set: whole(CONTENT_FIELDS.memory_open_set),
  content_memory_schema_typed: whole(CONTENT_FIELDS.memory_schema_typed),
  content_context_links: whole(CONTENT_FIELDS.context_links),
  row_blocks: rowOf('blocks'),
  row_subtree_summaries: rowOf('subtree_summaries'),
  row_memory_open_set: rowOf('memory_open_set'),
  row_memory_schema_typed: rowOf('memory_schema_typed'),
  row_context_links: rowOf('context_links'),
  journal_entry: whole(
    {
      seq: SEQ,
      ordinal: COUNT,
      operation_id: ID,
      operation: oneOf(JOURNAL_OPERATIONS),
      table: oneOf([null, ...TABLES]),
      uuid: ID_OR_NULL,
      root_uuid: ID_OR_NULL,
      outcome: oneOf(OUTCOMES),
      embedding: oneOf(['none', 'pending', 'done']),
      reason: orNull(anyText(MAX_CHARS.reason)),
      principal: someText(MAX_NAME_CHARS),
      on_behalf_of: orNull(someText(MAX_NAME_CHARS)),
      writer: someText(MAX_NAME_CHARS),
      manifest_digest: orNull(someText(MAX_CHARS.manifest_digest)),
      decision: someText(MAX_CHARS.decision),
      idempotency_key: { ...indexed(MAX_BYTES.idempotency_key), type: ['string', 'null'] },
      payload_digest: DIGEST_OR_NULL,
      caused_by: ID_OR_NULL,
      recorded_at: TIME,
      said_again: whole({
        from: TIME,
        sources: { type: 'array', items: ID, distinct: MAX_COUNT.sources },
      }),
    },
    ['said_again'],
  ),
  outcome_event: whole({
    usage_seq: SEQ,
    root_uuid: ID,
    composition_id: ID,
    kind: oneOf(['used', 'cited', 'confirmed', 'corrected', 'unused']),
    at: TIME,
    state: {
      type: 'object',
      properties: {
        stability: AMOUNT,
        difficulty: { type: 'number', minimum: 0, maximum: 10 },
        reviewed_at: TIME,
        utility: SHARE,
        utility_variance: AMOUNT,
        utility_at: TIME_OR_NULL,
        count: COUNT,
        touched_at: TIME,
      },
      required: [
        'stability',
        'difficulty',
        'reviewed_at',
        'utility',
        'utility_variance',
        'utility_at',
        'count',
        'touched_at',
      ],
      additionalProperties: false,
    },
    recorded_at: TIME,
  }),
  /** Who decided what of an operation. */
  decision: whole({
    decision: someText(MAX_CHARS.decision),
    manifest_digest: orNull(someText(MAX_CHARS.manifest_digest)),
  }),
} as const satisfies Readonly<Record<string, StoredSchema>>;

export type StoredName = keyof typeof STORED_SCHEMAS;
