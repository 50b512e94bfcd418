/** The one way in: an input against its schema, and what is wrong in the words of its caller. */
import { assertThat, ContextEngineError } from '../codes/errors.ts';
import { checkFields } from '../model/fields.ts';
import { parseInstant, parseTenant, parseUuid, shown } from '../model/ids.ts';
import { fixElsewhere, fixNoText } from './elsewhere.ts';
import { type SchemaProblem, type Validator, validators } from './generated/validate.js';
import { distinct, RULES } from './rules.ts';
import type { FieldSchema, InputSchema } from './schema.ts';
import { INPUT_SCHEMAS, type InputName } from './schemas.ts';
import { STORED_SCHEMAS, type StoredName, type StoredSchema } from './stored-schemas.ts';

/**
 * Throws `CONFIG.INVALID_VALUE` for what is no plain object, `CONFIG.UNKNOWN_KEY` with the nearest
 * known name, and the code of the input for the first field that is wrong.
 */
export function checkInput(name: InputName, value: unknown): void {
  checkAgainst(validators[name], INPUT_SCHEMAS[name], value);
}

/** The same for a schema that is kept elsewhere, with the validator that was compiled from it. */
export function checkAgainst(
  validate: Validator | undefined,
  schema: InputSchema,
  value: unknown,
): void {
  assertThat(validate, `npm run build compiles the schema of ${schema.what}`);
  const problem = problemOf(validate, value);
  if (problem) throw refusal(problem, schema, value);
}

/** Throws for what is no plain object, and for an unknown field; asks nothing of the fields. */
export function checkShape(name: InputName, value: unknown): void {
  const schema: InputSchema = INPUT_SCHEMAS[name];
  const { what } = schema;
  const fixOf = (field: string): string | null => fixElsewhere(what, field);
  checkFields(value, { what, known: Object.keys(schema.properties), fixOf });
}

/** Whether the value is as the schema says, for a check with words of its own. */
export const isInput = (name: InputName, value: unknown): boolean =>
  validators[name]?.call(RULES, value) === true;

/** What the validator of a schema refuses first; null = nothing. */
export function firstProblem(name: string, value: unknown): SchemaProblem | null {
  const validate = validators[name];
  assertThat(validate, `npm run build compiles the schema of ${name}`);
  return problemOf(validate, value);
}

function problemOf(validate: Validator, value: unknown): SchemaProblem | null {
  if (validate.call(RULES, value)) return null;
  const [problem] = validate.errors ?? [];
  assertThat(problem, 'a validator that refuses says why');
  return problem;
}

/** What is wrong with a stored form: its field, and the fix of its schema. */
export interface StoredProblem {
  readonly field: string;
  readonly isUnknown: boolean;
  readonly fix: string | undefined;
}

/** The first field that a connector could not keep; null = none. */
export function storedProblem(name: StoredName, value: unknown): StoredProblem | null {
  const problem = firstProblem(name, value);
  if (!problem) return null;
  const { params, instancePath } = problem;
  const [, field = ''] = instancePath.split('/');
  const named = field || String(params['additionalProperty'] ?? params['missingProperty'] ?? '');
  const { properties }: StoredSchema = STORED_SCHEMAS[name];
  return {
    field: named,
    isUnknown: field === '' && params['additionalProperty'] !== undefined,
    fix: properties[named]?.fix,
  };
}

/** An object of the input, and where it stands in it. */
interface Holder {
  readonly own: FieldSchema;
  readonly value: unknown;
  readonly path: readonly string[];
}

function refusal(problem: SchemaProblem, schema: InputSchema, given: unknown): ContextEngineError {
  const { keyword, params, instancePath } = problem;
  const steps = instancePath.split('/').slice(1);
  const { holder, rest } = innermost({ own: schema, value: given, path: [] }, steps);
  // What is no object, or has an unknown field, reads the same for whatever is passed.
  if (rest.length === 0) assertShape(holder, schema);
  const [name = params['missingProperty'], entry] = rest;
  assertThat(typeof name === 'string', 'the schema and `checkFields` judge one shape alike');
  // The validator has seen that it is an object.
  const value = (holder.value as Readonly<Record<string, unknown>>)[name];
  const own = holder.own.properties?.[name] ?? {};
  const field = [...holder.path, name].join('.');
  // A field that is missing is judged as the value `undefined`.
  if (keyword === 'required') return refusalOf('type', { field, value, own, schema });
  if (entry === undefined || !Array.isArray(value))
    return refusalOf(keyword, { field, value, own, schema });
  return refusalOf(keyword, { field, value: value[Number(entry)], own: own.items ?? {}, schema });
}

/** The object of the input that the field belongs to, and the path from it. */
function innermost(
  holder: Holder,
  path: readonly string[],
): { readonly holder: Holder; readonly rest: readonly string[] } {
  const [name, ...rest] = path;
  const own = name === undefined ? undefined : holder.own.properties?.[name];
  if (name === undefined || own?.properties === undefined) return { holder, rest: path };
  const value = (holder.value as Readonly<Record<string, unknown>>)[name];
  if (value === undefined) return { holder, rest: path };
  return innermost({ own, value, path: [...holder.path, name] }, rest);
}

function assertShape({ own, value }: Holder, schema: InputSchema): void {
  const { shapeCode, within } = schema;
  const what = own.what ?? schema.what;
  checkFields(value, {
    what,
    fixOf: (field) => fixElsewhere(what, field),
    known: Object.keys(own.properties ?? {}),
    ...(shapeCode && { code: shapeCode }),
    ...(within && { within }),
  });
}

interface Refused {
  readonly field: string;
  readonly value: unknown;
  readonly own: FieldSchema;
  readonly schema: Pick<InputSchema, 'code' | 'within' | 'what'>;
}
interface Words {
  readonly message: string;
  readonly fix: string;
  readonly cause?: unknown;
}

const MESSAGES: Readonly<Record<string, (refused: Refused) => Words>> = {
  notBlank: ({ field }) => ({
    message: `\`${field}\` is empty.`,
    fix: `Leave the item out, or give \`${field}\` a text.`,
  }),
  maxChars: ({ field, value, own }) => ({
    message:
      `\`${field}\` has \`${String(value).length}\` characters; the limit is ` +
      `\`${own.maxChars}\`.`,
    fix: own.tooLong
      ? 'Split it into chunks, for example with `contextengine ingest`.'
      : `Shorten \`${field}\`.`,
  }),
  maxBytes: ({ field, value, own }) => ({
    message:
      `\`${field}\` has \`${Buffer.byteLength(String(value))}\` bytes of UTF-8; the limit is ` +
      `\`${own.maxBytes}\`.`,
    fix: `Shorten \`${field}\`.`,
  }),
  storable: ({ field, value }) => {
    const at = String(value).indexOf('\0');
    return at >= 0
      ? {
          message: `\`${field}\` holds a NUL character at \`${at}\`.`,
          fix: 'Remove NUL characters: PostgreSQL cannot store them.',
        }
      : {
          message: `\`${field}\` holds half of a surrogate pair.`,
          fix: 'Pass well-formed Unicode, for example `text.toWellFormed()`.',
        };
  },
  distinct: ({ field, value, own }) => {
    const entries = Array.isArray(value) ? value : [];
    return {
      message:
        `\`${field}\` names \`${entries.length}\` versions, \`${distinct(entries)}\` of them ` +
        'different.',
      fix: `Name at most ${own.distinct} versions, each once.`,
    };
  },
  json: (refused) => jsonMessage(refused),
};

function jsonMessage({ field, value, own }: Refused): Words {
  const most = own.json ?? 0;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return {
      message: `\`${field}\` is \`${shown(value)}\`.`,
      fix: `Pass an object as \`${field}\`.`,
    };
  let text: string;
  try {
    text = JSON.stringify(value) ?? '';
  } catch (cause) {
    return {
      message: `\`${field}\` is \`${shown(value)}\`, which JSON cannot say.`,
      fix:
        `Pass an object of texts, numbers, booleans, lists and objects as \`${field}\`: no ` +
        'cycles, no big integers.',
      cause,
    };
  }
  if (!text.startsWith('{'))
    return {
      message: `\`${field}\` is \`${shown(text)}\` as JSON, not an object.`,
      fix: `Pass a plain object as \`${field}\`.`,
    };
  if (text.length > most)
    return {
      message: `\`${field}\` has \`${text.length}\` characters as JSON; the limit is \`${most}\`.`,
      fix: `Shorten \`${field}\`.`,
    };
  return {
    message:
      `\`${field}\` is \`${shown(value)}\`: it holds a NUL character or half of a surrogate ` +
      'pair.',
    fix: 'Remove them: PostgreSQL cannot store them.',
  };
}

/** The words of a keyword; else the value, and the imperative of its schema. */
function refusalOf(keyword: string, refused: Refused): ContextEngineError {
  const { field, value, own, schema } = refused;
  // Ids and times are parsed everywhere by the same functions, and refused in their words.
  const { within } = schema;
  if (own.uuid) parseUuid(value, within === undefined ? field : `${within}.${field}`);
  if (own.instant) parseInstant(value, field);
  if (own.tenant) parseTenant(value, field);
  const isOwn = keyword === 'distinct' || own.fix === undefined;
  const { message, fix, cause } = (isOwn ? MESSAGES[keyword] : undefined)?.(refused) ?? {
    message:
      `\`${field}\` is ` +
      `\`${own.isSecret ? typeof value : shown(value)}\`${own.fix === undefined ? ', not a text' : ''}.`,
    fix: own.fix ?? fixNoText(schema.what, field, value),
  };
  const code = keyword === 'maxChars' ? (own.tooLong ?? schema.code) : schema.code;
  return new ContextEngineError(code, {
    message,
    fix,
    where: { field: within ?? field },
    ...(cause !== undefined && { cause }),
  });
}
