/**
 * The schemas of what the engine asks of a connector: queries, reads, subscriptions, filters, and
 * the calls of the ports. What depends on the position or on the columns of a table is checked
 * beside them, in `src/cxri/check-query.ts` and `check-filter.ts`.
 */
import { FACT_STATES } from '../model/fact-record.ts';
import { DAY, EMBEDDING_REQUESTS } from './embedding-requests.ts';
import {
  asked,
  CAPTURE_KEY,
  COUNT,
  type Fields,
  HEADS,
  KEY_COLUMNS,
  LIMIT,
  MAX_CONSUMER_CHARS,
  MAX_FILTER_JSON_CHARS,
  MAX_FILTER_VALUES,
  MAX_NEIGHBOURS,
  MAX_PARTS,
  MAX_TEXT_CHARS,
  MAX_UUIDS,
  NUMBER_OF_ENTRY,
  NUMBERS,
  PART,
  POSITION,
  READABLE,
  type RequestSchema,
  SCOPES_READ,
  SEQ,
  TABLE,
  TENANT,
  TIME,
  UUID,
  UUID_OR_NULL,
  UUIDS,
} from './request-fields.ts';
import type { FieldSchema } from './schema.ts';

export type { RequestSchema } from './request-fields.ts';

/** What a filter may compare a column of each kind with; null is a value of every column. */
const SCALARS = {
  uuid: { storedUuid: 'or_null' },
  text: { type: ['string', 'null'], storable: true },
  number: { type: ['number', 'null'] },
  boolean: { type: ['boolean', 'null'] },
  time: { timeText: 'or_null' },
  metadata: { type: ['string', 'number', 'boolean', 'null'], storable: true },
  tags: { type: 'null' },
  json: { type: 'null' },
} as const satisfies Readonly<Record<string, FieldSchema>>;
const RANGES: Readonly<Record<string, FieldSchema>> = {
  text: { type: 'string', storable: true },
  number: { type: 'number' },
  time: { timeText: true },
  metadata: { type: ['string', 'number'], storable: true },
};
const MEMBERS: Readonly<Record<string, Fields>> = {
  tags: {
    contains: {
      type: 'array',
      maxItems: MAX_FILTER_VALUES,
      items: { type: 'string', storable: true },
    },
  },
  json: { has: { json: MAX_FILTER_JSON_CHARS } },
};
export const RANGE_COMPARISONS = ['gt', 'gte', 'lt', 'lte'] as const;

function comparisons(kind: keyof typeof SCALARS): RequestSchema {
  const fix = `Use a comparison and a value that fit a field of kind \`${kind}\`.`;
  const range = RANGES[kind];
  const properties: Fields = {
    eq: SCALARS[kind],
    in: { type: 'array', maxItems: MAX_FILTER_VALUES, items: SCALARS[kind] },
    ...(range && Object.fromEntries(RANGE_COMPARISONS.map((name) => [name, range]))),
    ...MEMBERS[kind],
  };
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, { ...schema, fix }]),
    ),
    required: [],
    additionalProperties: false,
    fix,
  };
}

const CONSUMER_NAME: Fields = {
  consumer: {
    type: 'string',
    pattern: `^[\\w./-]{1,${MAX_CONSUMER_CHARS}}$`,
    fix: 'Name extractor and version.',
  },
};
const CONSUMER: Fields = { ...CONSUMER_NAME, scope_uuid: UUID };

const USD: FieldSchema = { type: 'number', minimum: 0, fix: 'Pass dollars, 0 or more.' };

const RANKED_TEXT: FieldSchema = {
  type: 'string',
  maxChars: MAX_TEXT_CHARS,
  storable: true,
  fix: `Pass well-formed text of at most ${MAX_TEXT_CHARS} characters, without NUL.`,
};
/** Looked for in one statement, which nothing else of its connection runs beside. */
const MOST_TEXTS = 128;

/** What a part ranks by: each optional. */
const RANKED_BY: Fields = {
  text: RANKED_TEXT,
  vector: {
    type: 'object',
    properties: {
      space: { type: 'string', fix: 'Name the space: `provider/model/dimensions`.' },
      values: NUMBERS,
    },
    required: ['space', 'values'],
    fix: 'Pass `{ space, values }`.',
  },
};

export const REQUEST_SCHEMAS = {
  query: asked(
    {
      tenant: TENANT,
      position: POSITION,
      usage_position: HEADS,
      valid_at: {
        storedInstant: true,
        fix: 'Pass a time in UTC with milliseconds, as `parseInstant` gives it.',
      },
      parts: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_PARTS,
        distinctBy: 'id',
        items: {
          type: 'object',
          properties: { id: { type: 'string', pattern: '[\\s\\S]' } },
          required: ['id'],
          fix: 'Give each part an id of its own.',
        },
        fix: `Pass 1 to ${MAX_PARTS} parts, each with an id of its own.`,
      },
    },
    ['usage_position'],
  ),
  part_list: asked(
    {
      ...PART,
      order: {
        type: 'object',
        properties: {
          by: { type: 'string', fix: 'Order by a plain column of the table.' },
          direction: { enum: ['asc', 'desc'], fix: 'Use `asc` or `desc`.' },
        },
        required: ['by', 'direction'],
        fix: 'Pass `{ by, direction }`.',
      },
      nearest: {
        type: 'object',
        properties: { once: KEY_COLUMNS, shadow: KEY_COLUMNS },
        fix: 'Pass `{ once, shadow }`, lists of columns, or one of them.',
      },
    },
    ['scopes', 'nearest'],
  ),
  part_search: asked(
    {
      ...PART,
      ...RANKED_BY,
      neighbours: {
        type: 'number',
        whole: true,
        minimum: 0,
        maximum: MAX_NEIGHBOURS,
        fix: `Pass 0 to ${MAX_NEIGHBOURS}.`,
      },
    },
    ['scopes', 'text', 'vector', 'neighbours'],
  ),
  part_keys: asked(
    {
      ...PART,
      ...RANKED_BY,
      uuids: { ...UUIDS, maxItems: 1000, fix: 'Pass at most 1000 lower-case UUIDs.' },
    },
    ['scopes', 'text', 'vector'],
  ),
  part_linked: asked(
    {
      ...PART,
      link_type: { enum: ['pinned'], fix: 'Use `pinned`.' },
      from: { ...UUIDS, fix: 'Pass lower-case UUIDs.' },
    },
    ['scopes', 'from'],
  ),
  read_versions: asked({ tenant: TENANT, scopes: SCOPES_READ, uuids: UUIDS }),
  read_history: asked({ tenant: TENANT, scopes: SCOPES_READ, roots: UUIDS }),
  read_scan: asked(
    {
      tenant: TENANT,
      table: TABLE,
      position: POSITION,
      limit: LIMIT,
      visible_at: TIME,
      cursor: { type: 'string', fix: 'Pass the cursor of the page before.' },
    },
    ['visible_at', 'cursor'],
  ),
  changes: asked(
    {
      tenant: TENANT,
      scopes: {
        ...UUIDS,
        minItems: 1,
        fix: 'Name the scopes to follow, as lower-case UUIDs.',
      },
      after: HEADS,
    },
    ['after'],
  ),
  filter_uuid: comparisons('uuid'),
  filter_text: comparisons('text'),
  filter_number: comparisons('number'),
  filter_boolean: comparisons('boolean'),
  filter_time: comparisons('time'),
  filter_tags: comparisons('tags'),
  filter_json: comparisons('json'),
  filter_metadata: comparisons('metadata'),
  tenant: asked({ tenant: TENANT }),
  resolve: asked(
    {
      tenant: TENANT,
      scope: { ...UUID, fix: 'Pass the lower-case UUID of a scope.' },
      recorded_as_of: TIME,
    },
    ['recorded_as_of'],
  ),
  scopes_at: asked({ tenant: TENANT, now: TIME }),
  heads: asked({ tenant: TENANT, scopes: UUIDS }),
  scope_page: asked({ tenant: TENANT, scope: UUID }),
  undo_plan: asked({ tenant: TENANT, operation: UUID }),
  vector_space: asked({
    dimensions: { ...COUNT, fix: 'Pass how many numbers a vector has.' },
  }),
  some_rows: asked({ tenant: TENANT, limit: COUNT }),
  embedding: asked({
    tenant: TENANT,
    uuid: UUID,
    scope_uuid: UUID,
    values: { ...NUMBERS, fix: 'Pass a vector of finite numbers.' },
  }),
  stored_vectors: asked({ tenant: TENANT, uuids: UUIDS }),
  projected: asked({
    tenant: TENANT,
    remove: UUIDS,
    cursor: {
      type: 'object',
      properties: { scope: UUID, seq: NUMBER_OF_ENTRY, ordinal: NUMBER_OF_ENTRY },
      required: ['scope', 'seq', 'ordinal'],
      fix: 'Pass `{ scope, seq, ordinal }`.',
    },
  }),
  projected_vector: asked({ values: { ...NUMBERS, fix: 'Pass a vector of finite numbers.' } }),
  projected_erasure: asked({
    tenant: TENANT,
    uuids: UUIDS,
    scopes: UUIDS,
    policy_epoch: NUMBER_OF_ENTRY,
  }),
  usage_event: asked({ scope_uuid: UUID, root_uuid: UUID, composition_id: UUID }),
  composition: asked({ composition_id: UUID }),
  audit_entry: asked({ scope_uuid: UUID_OR_NULL, at: TIME }),
  audit_page: asked({ tenant: TENANT, after: NUMBER_OF_ENTRY, limit: NUMBER_OF_ENTRY }),
  proposals_page: asked({ id: UUID, after: UUID }, ['id', 'after']),
  settlement: asked({ tenant: TENANT, proposal: UUID, at: TIME }),
  approval_use: asked({
    tenant: TENANT,
    proposal: UUID,
    scope: UUID,
    include_scopes: UUIDS,
  }),
  rights_change: asked({ at: TIME }),
  redaction: asked({ tenant: TENANT, redaction: UUID }),
  forgetting: asked({
    tenant: TENANT,
    redaction: UUID,
    scopes: { ...UUIDS, type: ['array', 'null'] },
    at: TIME,
    erase_after: TIME,
  }),
  forgetting_of_rows: asked({ value: UUID }),
  erasing: asked({ tenant: TENANT, redaction: UUID, at: TIME }),
  bringing_back: asked({
    tenant: TENANT,
    redaction: UUID,
    scopes: { ...UUIDS, type: ['array', 'null'] },
    at: TIME,
  }),
  returned_page: asked({ epoch: NUMBER_OF_ENTRY, after: UUID_OR_NULL, limit: NUMBER_OF_ENTRY }),
  capture_consumer: asked(CONSUMER),
  progress_page: asked({ ...CONSUMER_NAME, scopes: UUIDS }),
  capture_batch: asked({ ...CONSUMER, from_seq: SEQ, to_seq: SEQ }),
  captures_page: asked({ scope_uuid: UUID, limit: LIMIT, after: CAPTURE_KEY }, ['after']),
  served_marks: asked({
    marks: {
      type: 'array',
      maxItems: MAX_UUIDS,
      items: {
        type: 'object',
        properties: {
          principal: { type: 'string', notBlank: true, maxChars: MAX_CONSUMER_CHARS },
          session_uuid: { storedUuid: true },
          root_uuid: { storedUuid: true },
          served_at: { storedInstant: true },
        },
        required: ['principal', 'session_uuid', 'root_uuid', 'served_at'],
        fix: 'Pass `{ principal, session_uuid, root_uuid, served_at }`.',
      },
      fix: `Pass at most ${MAX_UUIDS} marks.`,
    },
    kept_since: TIME,
  }),
  served_question: asked({
    principal: {
      type: 'string',
      notBlank: true,
      maxChars: MAX_CONSUMER_CHARS,
      fix: 'Name the principal.',
    },
    except_session: UUID,
    after: TIME,
  }),
  ...EMBEDDING_REQUESTS,
  job_request: asked({ scope_uuid: UUID, not_before: TIME }),
  facts_page: asked({
    scopes: READABLE,
    readable: READABLE,
    state: { enum: FACT_STATES, fix: `Use ${FACT_STATES.join(', ')}.` },
    at: TIME,
    filter: {
      type: 'object',
      properties: { source: UUID },
      fix: 'Pass an object; `{}` takes all facts.',
    },
    limit: LIMIT,
  }),
  facts_key: asked({ valid_from: TIME, uuid: UUID }),
  fact_origins: asked({ uuids: UUIDS, readable: READABLE }),
  facts_alike: asked({
    scope: UUID,
    head: COUNT,
    valid_at: TIME,
    limit: LIMIT,
    most_slots: LIMIT,
    texts: {
      type: 'array',
      maxItems: MOST_TEXTS,
      items: {
        type: 'object',
        properties: { text: RANKED_TEXT },
        required: ['text'],
        fix: 'Pass `{ text, vector, slot }`.',
      },
      fix: `Pass at most ${MOST_TEXTS} texts.`,
    },
  }),
  extraction_key: asked({ ...CONSUMER, from_seq: SEQ }),
  extraction_call: asked({
    attempt: COUNT,
    to_seq: COUNT,
    day: DAY,
    most_usd: USD,
    cap_usd: USD,
    asked_at: TIME,
    asked_until: TIME,
  }),
  extraction_answer: asked({
    attempt: COUNT,
    state: { enum: ['answered', 'failed'], fix: 'Use answered or failed.' },
    usd: USD,
  }),
  costs_page: asked({ scopes: READABLE, from_day: DAY, to_day: DAY, limit: LIMIT }),
  job_claim: asked({ at: TIME, until: TIME }),
  job_delay: asked({ not_before: TIME }),
  jobs_page: asked({ scopes: UUIDS, limit: LIMIT }),
  scope_names: asked({ scopes: UUIDS }),
  names_of_scope: asked({ scope: UUID, uuids: UUIDS }),
} as const satisfies Readonly<Record<string, RequestSchema>>;

export type RequestName = keyof typeof REQUEST_SCHEMAS;
