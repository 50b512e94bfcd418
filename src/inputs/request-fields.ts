/** The fields that requests to a connector are made of, and how many of each there may be. */
import { TABLES } from '../model/block.ts';
import type { FieldSchema } from './schema.ts';

export interface RequestSchema {
  readonly type: 'object';
  readonly fix: string;
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties?: false;
}
export type Fields = Readonly<Record<string, FieldSchema>>;

/** The limits of a closure (64 scopes), and of what one request may ask for. */
const MAX_SCOPES = 64;
export const MAX_PARTS = 64;
const MAX_LIMIT = 1000;
export const MAX_UUIDS = 10_000;
export const MAX_TEXT_CHARS = 100_000;
const MAX_DIMENSIONS = 16_000;
export const MAX_NEIGHBOURS = 4;
const MAX_KEY_COLUMNS = 4;
export const MAX_FILTER_VALUES = 1000;
export const MAX_FILTER_JSON_CHARS = 65_536;
export const MAX_CONSUMER_CHARS = 200;

export const asked = (properties: Fields, optional: readonly string[] = []): RequestSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((field) => !optional.includes(field)),
  fix: `Pass an object with ${Object.keys(properties).join(', ')}.`,
});

export const TENANT: FieldSchema = {
  tenant: true,
  fix: 'Name the tenant: 1 to 63 of a-z, A-Z, 0-9, `_`, `.`, `-`. There is no default.',
};
export const UUID: FieldSchema = { storedUuid: true, fix: 'Pass a lower-case UUID.' };
export const UUID_OR_NULL: FieldSchema = { ...UUID, storedUuid: 'or_null' };
export const UUIDS: FieldSchema = {
  type: 'array',
  maxItems: MAX_UUIDS,
  items: { storedUuid: true },
  fix: `Pass at most ${MAX_UUIDS} lower-case UUIDs.`,
};
export const TIME: FieldSchema = {
  storedInstant: true,
  fix: 'Pass a time in UTC with milliseconds.',
};
export const TABLE: FieldSchema = { enum: TABLES, fix: `Use ${TABLES.join(', ')}.` };
export const LIMIT: FieldSchema = {
  type: 'number',
  whole: true,
  minimum: 1,
  maximum: MAX_LIMIT,
  fix: `Pass 1 to ${MAX_LIMIT}.`,
};
export const COUNT: FieldSchema = {
  type: 'number',
  whole: true,
  minimum: 1,
  fix: 'Pass a positive integer.',
};
export const NUMBER_OF_ENTRY: FieldSchema = {
  type: 'number',
  whole: true,
  minimum: 0,
  fix: 'Pass a number of an entry.',
};
export const SEQ: FieldSchema = {
  type: 'number',
  whole: true,
  minimum: 1,
  fix: 'Pass sequence numbers, the first of them first.',
};

export const HEADS: FieldSchema = {
  type: 'array',
  maxItems: MAX_SCOPES,
  distinctBy: 'scope',
  items: {
    type: 'object',
    properties: {
      scope: { storedUuid: true },
      head: { type: 'number', whole: true, minimum: 0 },
    },
    required: ['scope', 'head'],
    fix: 'Pass `{ scope, head }`, a lower-case UUID and a sequence number.',
  },
  fix: `Pass at most ${MAX_SCOPES} scopes, each once.`,
};
/** Nothing is ever read without a scope. */
export const POSITION: FieldSchema = {
  ...HEADS,
  minItems: 1,
  fix: `Pass 1 to ${MAX_SCOPES} scopes, each once.`,
};

export const PART: Fields = {
  table: TABLE,
  limit: LIMIT,
  scopes: {
    type: 'array',
    maxItems: MAX_SCOPES,
    fix: 'Name scopes of the position; a part can only narrow it.',
  },
};
export const KEY_COLUMNS: FieldSchema = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_KEY_COLUMNS,
  items: { type: 'string' },
  fix: `Name 1 to ${MAX_KEY_COLUMNS} plain columns of the table.`,
};
export const NUMBERS: FieldSchema = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_DIMENSIONS,
  items: { type: 'number' },
  fix: 'Pass the finite numbers that the embedder returned.',
};
/** Named, or all that stand at an instant but those of some types. */
export const READABLE: FieldSchema = {
  anyOf: [
    UUIDS,
    {
      type: 'object',
      properties: { but_types: { type: 'array', items: { type: 'string' } }, at: TIME },
      required: ['but_types', 'at'],
    },
  ],
  fix: `${UUIDS.fix} Or \`{ but_types, at }\`.`,
};
export const SCOPES_READ: FieldSchema = { anyOf: [{ const: '*' }, UUIDS], fix: UUIDS.fix ?? '' };

export const CAPTURE_KEY: FieldSchema = {
  type: 'object',
  properties: { captured_at: TIME, from_seq: SEQ, capture_uuid: UUID },
  required: ['captured_at', 'from_seq', 'capture_uuid'],
  fix: 'Pass `{ captured_at, from_seq, capture_uuid }` of the last receipt before.',
};
