/**
 * Small builders for the JSON Schema of manifests: every field has a description, so that an editor
 * can show it.
 */

/** A schema is data; nothing here interprets it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Names that become tags, columns of a trace and keys of records. */
export const NAME = {
  type: 'string',
  pattern: '^[a-z][a-z0-9_]{0,62}$',
  patternErrorMessage: 'a lower-case word of a-z, 0-9 and `_` (at most 63)',
} as const;
/** Names of manifests: `@` is left for the version. */
export const MANIFEST_NAME = {
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9._-]{0,62}$',
  patternErrorMessage: 'a word of letters, digits, `.`, `_` and `-` (at most 63)',
} as const;

export const text = (description: string, form: JsonSchema = { type: 'string' }): JsonSchema => ({
  ...form,
  description,
});

const ranged =
  (type: 'integer' | 'number') =>
  (
    [minimum, maximum]: readonly [number, number],
    description: string,
    byDefault?: number,
  ): JsonSchema => ({
    type,
    minimum,
    maximum,
    description,
    ...(byDefault !== undefined && { default: byDefault }),
  });
export const integer = ranged('integer');
export const number = ranged('number');

export const list = (names: readonly string[] | undefined, description: string): JsonSchema => ({
  type: 'array',
  items: names
    ? { type: 'string', enum: names }
    : { type: 'string', pattern: '\\S', patternErrorMessage: 'a word' },
  uniqueItems: true,
  description,
});

/** An object whose unknown keys are errors; `x-` keys are free where `isOpen`. */
export const object = (
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  options: { required?: readonly string[]; isOpen?: boolean } = {},
): JsonSchema => ({
  type: 'object',
  description,
  ...(options.required && { required: options.required }),
  properties,
  ...(options.isOpen && { patternProperties: { '^x-': { description: 'Yours; never read.' } } }),
  additionalProperties: false,
});
