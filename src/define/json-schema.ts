/**
 * From a schema in code to the part of JSON Schema that manifests know: names, types, options,
 * descriptions. A schema of any library that speaks Standard JSON Schema, or plain JSON Schema.
 */
import { ContextEngineError } from '../codes/errors.ts';

/** Standard Schema, with the converter of Standard JSON Schema, as Zod 4.2 and later have it. */
export interface SchemaInCode {
  readonly '~standard': {
    readonly version: number;
    readonly vendor: string;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}
/** JSON Schema of an object, as a converter of the library prints it. */
export type JsonSchemaObject = Readonly<Record<string, unknown>>;

export interface Property {
  readonly name: string;
  readonly type: 'text' | 'int' | 'number' | 'bool' | 'date' | 'option' | 'list';
  readonly options: readonly string[];
  /** Of a `list`. */
  readonly entry: Omit<Property, 'name' | 'entry' | 'isRequired' | 'default'> | null;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  readonly default: unknown;
}

/** Throws `CONFIG.INVALID_VALUE` for a schema of no object, or a type that no manifest has. */
export function propertiesOf(
  schema: SchemaInCode | JsonSchemaObject,
  what: string,
): readonly Property[] {
  const json = jsonSchemaOf(schema, what);
  const properties = recordOf(json['properties']);
  if (json['type'] !== 'object' || properties === null)
    throw unfit(what, 'is not of an object', 'Pass the schema of an object.');
  const required: readonly unknown[] = Array.isArray(json['required']) ? json['required'] : [];
  return Object.entries(properties).map(([name, given]) => {
    const property = withoutNull(recordOf(given) ?? {});
    return {
      name,
      ...typeOf(property, `${what}.${name}`),
      description: textOf(recordOf(given)?.['description'] ?? property['description']),
      isRequired: required.includes(name),
      default: recordOf(given)?.['default'] ?? property['default'],
    };
  });
}

function jsonSchemaOf(schema: SchemaInCode | JsonSchemaObject, what: string): JsonSchemaObject {
  const standard = recordOf(recordOf(schema)?.['~standard']);
  // A schema of ArkType is a function; all others are objects.
  const own = recordOf(schema);
  if (own === null) throw unfit(what, 'is no schema', 'Pass a schema, or JSON Schema.');
  if (standard === null) return own;
  const converter = (schema as SchemaInCode)['~standard'].jsonSchema;
  if (converter === undefined)
    throw unfit(
      what,
      `is a schema of \`${textOf(standard['vendor']) ?? 'a library'}\` that does not convert itself`,
      'Pass its JSON Schema: `z.toJSONSchema(schema, { io: "input" })` of Zod, `toJsonSchema(schema)` of ' +
        '`@valibot/to-json-schema`, `schema.toJsonSchema()` of ArkType.',
    );
  try {
    return converter.input({ target: 'draft-2020-12' });
  } catch (cause) {
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `\`${what}\` has a part that JSON Schema does not have.`,
      fix: 'Take out what is computed: transforms, `z.date()`; a date is `z.iso.date()`.',
      where: { field: what },
      cause,
    });
  }
}

type Shape = Pick<Property, 'type' | 'options' | 'entry'>;

function typeOf(schema: JsonSchemaObject, what: string): Shape {
  const options = optionsOf(schema);
  if (options !== null) return { type: 'option', options, entry: null };
  const plain = (type: Property['type']): Shape => ({ type, options: [], entry: null });
  switch (schema['type']) {
    case 'string':
      return plain(['date', 'date-time'].includes(String(schema['format'])) ? 'date' : 'text');
    case 'integer':
      return plain('int');
    case 'number':
      return plain('number');
    case 'boolean':
      return plain('bool');
    case 'array': {
      const items = withoutNull(recordOf(schema['items']) ?? {});
      const { type, options: of } = typeOf(items, `${what}[]`);
      if (type !== 'list')
        return {
          type: 'list',
          options: [],
          entry: { type, options: of, description: textOf(items['description']) },
        };
    }
  }
  throw unfit(
    what,
    `is \`${JSON.stringify(schema).slice(0, 80)}\``,
    'Take a text, an integer, a boolean, a date, one of several texts, or a list of these.',
  );
}

/** `enum`, `const`, or a choice among them; null = none of these. */
function optionsOf(schema: JsonSchemaObject): readonly string[] | null {
  const { enum: listed, const: only, anyOf } = schema;
  if (Array.isArray(listed) && listed.every(isText)) return listed;
  if (isText(only)) return [only];
  if (!Array.isArray(anyOf)) return null;
  const each = anyOf.map((choice) => optionsOf(recordOf(choice) ?? {}));
  return each.includes(null) ? null : each.flatMap((choice) => choice ?? []);
}

/** What may be null may be left out: a value that is not there. */
function withoutNull(schema: JsonSchemaObject): JsonSchemaObject {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(anyOf)) {
    const choices = anyOf.filter((choice) => recordOf(choice)?.['type'] !== 'null');
    const [only] = choices;
    return choices.length === 1 ? { ...rest, ...recordOf(only) } : { ...rest, anyOf: choices };
  }
  if (!Array.isArray(type)) return schema;
  const types = type.filter((one) => one !== 'null');
  return { ...rest, type: types.length === 1 ? types[0] : types };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const textOf = (value: unknown): string | undefined => (isText(value) ? value : undefined);
const recordOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  (typeof value === 'object' || typeof value === 'function') && value !== null
    ? (value as Readonly<Record<string, unknown>>) // any field of an object may be asked for
    : null;

export const unfit = (what: string, message: string, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${what}\` ${message}.`,
    fix,
    where: { field: what },
  });
