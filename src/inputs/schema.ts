/**
 * The words that the schemas of public inputs are written in: JSON Schema draft-07, and a few
 * keywords of ours for what it cannot say. Each keyword of ours is a function of `rules.ts`.
 */
import type { ErrorCode } from '../codes/code-table.ts';
import { MAX_BYTES, MAX_CHARS, MAX_COUNT } from '../model/content-limits.ts';

export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: FieldSchema;
  readonly pattern?: string;
  /** UTF-16 units. */
  readonly maxChars?: number;
  /** UTF-8. */
  readonly maxBytes?: number;
  readonly notBlank?: true;
  /** Well-formed, without NUL. */
  readonly storable?: true;
  /** An object that JSON can say in so many characters. */
  readonly json?: number;
  readonly instant?: true;
  readonly uuid?: true | 'or_null';
  /** A whole number that a double holds exactly. */
  readonly whole?: true;
  /** An `AbortSignal`. */
  readonly signal?: true;
  /** A function, or this one text. */
  readonly callable?: true | string;
  /** An object with these functions. */
  readonly methods?: readonly string[];
  /** Of ed25519, in hexadecimal digits; none that anyone can sign for. */
  readonly publicKey?: true;
  /** The name of a tenant. */
  readonly tenant?: true;
  /** As the ledger keeps ids and times: one spelling each. */
  readonly storedUuid?: true | 'or_null';
  /** A UUID, or a range of a scope: `{ scope, from_seq, to_seq, seen_seq? }`. */
  readonly source?: 'given' | 'stored';
  readonly storedInstant?: true | 'or_null';
  /** A value that JSON can say in so many characters. */
  readonly jsonValue?: number;
  /** An object with these fields and no other. */
  readonly plain?: true;
  readonly what?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  /** At most so many entries, each once. */
  readonly distinct?: number;
  /** Objects that differ in this field. */
  readonly distinctBy?: string;
  /** A time as ISO 8601 has it, of a day that the calendar has. */
  readonly timeText?: true | 'or_null';
  /** The imperative of an error, where the keyword has no words of its own. */
  readonly fix?: string;
  /** Errors show its type, not its value. */
  readonly isSecret?: true;
  /** The code of a text that is too long; default: the code of the input. */
  readonly tooLong?: ErrorCode;
}

export interface InputSchema {
  readonly type: 'object';
  /** What errors call it. */
  readonly what: string;
  /** The code of an error about a field. */
  readonly code: ErrorCode;
  /** The code where it is no object, or has an unknown field; default: those of any input. */
  readonly shapeCode?: ErrorCode;
  /** The field of the call that the input is, where errors are to name it. */
  readonly within?: string;
  readonly plain: true;
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** A name that can stand in a manifest. */
const NAME = '^[A-Za-z][A-Za-z0-9_.:/-]*$';
const MAX_NAME_CHARS = 128;

const orNull = (
  type: string,
  isNullable: boolean,
): FieldSchema['type'] & (string | readonly string[]) => (isNullable ? [type, 'null'] : type);

/** A text that the store can hold as it is. */
export const text = (
  limits: Pick<FieldSchema, 'maxChars' | 'maxBytes' | 'tooLong'> = {},
): FieldSchema => ({
  type: 'string',
  notBlank: true,
  maxChars: MAX_CHARS.content,
  ...limits,
  storable: true,
});
/** null is as good as absent. */
export const optionalText = (maxChars: number): FieldSchema => ({
  ...text({ maxChars }),
  type: ['string', 'null'],
});
export const CONTENT: FieldSchema = text({ tooLong: 'WRITE.TOO_LARGE' });

export function name(field: string, max: number = MAX_NAME_CHARS, isNullable = false): FieldSchema {
  const maxChars = Math.min(max, MAX_NAME_CHARS);
  return {
    type: orNull('string', isNullable),
    pattern: NAME,
    maxChars,
    fix:
      `Begin \`${field}\` with a letter; then letters, digits and \`_ . : / -\`, ${maxChars} ` +
      'at most.',
  };
}

export const share = (field: string): FieldSchema => ({
  type: ['number', 'null'],
  minimum: 0,
  maximum: 1,
  fix: `Pass a number from 0 to 1 as \`${field}\`.`,
});
export const INSTANT: FieldSchema = { instant: true };
export const UUID: FieldSchema = { uuid: true };
export const uuids = (field: string): FieldSchema => ({
  type: 'array',
  items: UUID,
  fix: `Pass a list of UUIDs as \`${field}\`.`,
});
export const SOURCES: FieldSchema = {
  type: 'array',
  items: { source: 'given', fix: 'Name versions by UUID, or `{ scope, from_seq, to_seq }`.' },
  fix: 'Pass a list of UUIDs as `sources`.',
  distinct: MAX_COUNT.sources,
};
export const SIGNAL: FieldSchema = {
  signal: true,
  fix: 'Pass the `signal` of an `AbortController`.',
};
/** Judged where it is read: a claim, a position, the name of a time zone. */
export const ANYTHING: FieldSchema = {};
export const TAGS: FieldSchema = {
  type: 'array',
  maxItems: MAX_COUNT.tags,
  items: text({ maxBytes: MAX_BYTES.tag }),
  fix: `Pass a list of at most ${MAX_COUNT.tags} texts.`,
};
export const JSON_OBJECT: FieldSchema = { json: MAX_CHARS.json };
export const KEY: FieldSchema = text({ maxBytes: MAX_BYTES.given_idempotency_key });

type About = Pick<InputSchema, 'what' | 'shapeCode' | 'within'> & { readonly code?: ErrorCode };

/** The schema of an input of type `T`: each of its fields has one, and no other is taken. */
export const input = <T>(
  { code = 'WRITE.INVALID', ...about }: About,
  properties: Readonly<Record<keyof T & string, FieldSchema>>,
  required: readonly (keyof T & string)[] = [],
): InputSchema => ({
  type: 'object',
  ...about,
  code,
  plain: true,
  properties,
  required,
  additionalProperties: false,
});

export const whole = (from: number, to: number, fix: string): FieldSchema => ({
  type: 'number',
  whole: true,
  minimum: from,
  maximum: to,
  fix,
});
/** Lower-case hexadecimal digits of so many bytes. */
export const hex = (bytes: number, fix: string): FieldSchema => ({
  type: 'string',
  pattern: `^[0-9a-f]{${2 * bytes}}$`,
  fix,
});
