/** The one way in: an input against its schema, and what is wrong in the words of its caller. */
import { assertThat, ContextEngineError } from '../codes/errors.ts';
import { checkFields } from '../model/fields.ts';
import { parseInstant, parseUuid, shown } from '../model/ids.ts';
import { type SchemaProblem, validators } from './generated/validate.js';
import { distinct, RULES } from './rules.ts';
import type { FieldSchema, InputSchema } from './schema.ts';
import { INPUT_SCHEMAS, type InputName } from './schemas.ts';

/**
 * Throws `CONFIG.INVALID_VALUE` for what is no plain object, `CONFIG.UNKNOWN_KEY` with the nearest
 * known name, and the code of the input for the first field that is wrong.
 */
export function checkInput(name: InputName, value: unknown): void {
  const validate = validators[name];
  assertThat(validate, `npm run build compiles the schema of ${name}`);
  if (validate.call(RULES, value)) return;
  const [problem] = validate.errors ?? [];
  const schema: InputSchema = INPUT_SCHEMAS[name];
  // What is no object, or has an unknown field, reads the same for whatever is passed.
  if (!problem || problem.instancePath === '') checkFields(value, schema.what, fieldsOf(schema));
  if (problem) throw refusal(problem, schema, value);
}

const fieldsOf = ({ properties }: InputSchema): Readonly<Record<string, true>> =>
  Object.fromEntries(Object.keys(properties).map((field) => [field, true]));

function refusal(problem: SchemaProblem, schema: InputSchema, given: unknown): ContextEngineError {
  const { keyword, params, instancePath } = problem;
  const [, name, entry] = instancePath.split('/');
  const field = String(params['missingProperty'] ?? name);
  // The validator has seen that it is an object.
  const value = (given as Readonly<Record<string, unknown>>)[field];
  const own = schema.properties[field] ?? {};
  // A field that is missing is judged as the value `undefined`.
  if (keyword === 'required') return told('type', { field, value, own, schema });
  if (entry === undefined || !Array.isArray(value))
    return told(keyword, { field, value, own, schema });
  return told(keyword, { field, value: value[Number(entry)], own: own.items ?? {}, schema });
}

interface Refused {
  readonly field: string;
  readonly value: unknown;
  readonly own: FieldSchema;
  readonly schema: Pick<InputSchema, 'code'>;
}
interface Said {
  readonly message: string;
  readonly fix: string;
  readonly cause?: unknown;
}

const SAYINGS: Readonly<Record<string, (refused: Refused) => Said>> = {
  notBlank: ({ field }) => ({
    message: `\`${field}\` is empty.`,
    fix: `Leave the item out, or give \`${field}\` a text.`,
  }),
  maxChars: ({ field, value, own }) => ({
    message: `\`${field}\` has \`${String(value).length}\` characters; the limit is \`${own.maxChars}\`.`,
    fix: own.tooLong
      ? 'Split it into chunks, for example with `contextengine ingest`.'
      : `Shorten \`${field}\`.`,
  }),
  maxBytes: ({ field, value, own }) => ({
    message: `\`${field}\` has \`${Buffer.byteLength(String(value))}\` bytes of UTF-8; the limit is \`${own.maxBytes}\`.`,
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
      message: `\`${field}\` names \`${entries.length}\` versions, \`${distinct(entries)}\` of them different.`,
      fix: `Name at most ${own.distinct} versions, each once.`,
    };
  },
  json: (refused) => jsonSaying(refused),
};

function jsonSaying({ field, value, own }: Refused): Said {
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
      fix: `Pass an object of texts, numbers, booleans, lists and objects as \`${field}\`: no cycles, no big integers.`,
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
    message: `\`${field}\` is \`${shown(value)}\`: it holds a NUL character or half of a surrogate pair.`,
    fix: 'Remove them: PostgreSQL cannot store them.',
  };
}

/** The words of a keyword; else the value, and the imperative of its schema. */
function told(keyword: string, refused: Refused): ContextEngineError {
  const { field, value, own, schema } = refused;
  // Ids and times are parsed everywhere by the same functions, and refused in their words.
  if (own.uuid) parseUuid(value, field);
  if (own.instant) parseInstant(value, field);
  const isOwn = keyword === 'distinct' || own.fix === undefined;
  const { message, fix, cause } = (isOwn ? SAYINGS[keyword] : undefined)?.(refused) ?? {
    message: `\`${field}\` is \`${shown(value)}\`${own.fix === undefined ? ', not a text' : ''}.`,
    fix: own.fix ?? `Pass a text as \`${field}\`.`,
  };
  const code = keyword === 'maxChars' ? (own.tooLong ?? schema.code) : schema.code;
  return new ContextEngineError(code, {
    message,
    fix,
    where: { field },
    ...(cause !== undefined && { cause }),
  });
}
