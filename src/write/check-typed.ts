/** A typed value against its collection; without one, against the type that the value shows. */
import { ContextEngineError } from '../codes/errors.ts';
import { suggest } from '../codes/suggest.ts';
import { checkInput } from '../inputs/check-input.ts';
import type { PropertyType, TypedContent } from '../model/block.ts';
import { MAX_CHARS, MAX_COUNT } from '../model/content-limits.ts';
import { parseInstant, shown } from '../model/ids.ts';
import type { Collection, CollectionProperty } from '../model/manifest.ts';
import { invalidWrite } from './check-content.ts';

export interface Typed {
  readonly collection: string;
  readonly property: string;
  readonly value: unknown;
}

/** Throws `WRITE.TYPE_MISMATCH` naming the value, the property and what it takes. */
export function checkTyped(
  input: Typed,
  collections: Readonly<Record<string, Collection>>,
): Pick<TypedContent, 'type' | 'value' | 'cardinality'> {
  const collection = Object.hasOwn(collections, input.collection)
    ? collections[input.collection]
    : undefined;
  if (!collection)
    return {
      type: shownType(input),
      value: checkValue(input, { type: shownType(input), options: [] }),
      cardinality: 'one',
    };
  const property = Object.hasOwn(collection.properties, input.property)
    ? collection.properties[input.property]
    : undefined;
  if (!property) {
    const known = Object.keys(collection.properties);
    throw mismatch(
      `Collection \`${collection.name}\` has no property ` +
        `\`${input.property}\`.${suggest(input.property, known)}`,
      `Use one of ${known.join(', ')}, or add it to ${collection.path}.`,
    );
  }
  return {
    type: property.type,
    value: checkValue(input, property),
    cardinality: property.cardinality,
  };
}

const mismatch = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('WRITE.TYPE_MISMATCH', { message, fix, where: { field: 'value' } });

function shownType({ property, value }: Typed): PropertyType {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' && Number.isSafeInteger(value)) return 'int';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  throw mismatch(
    `\`${property}\` is \`${shown(value)}\`.`,
    'Pass a text, an integer, a boolean or a list of texts; dates as text.',
  );
}

function checkValue(typed: Typed, takes: Pick<CollectionProperty, 'type' | 'options'>): unknown {
  const value = checkType(typed, takes);
  const chars = JSON.stringify(value).length;
  if (chars > MAX_CHARS.json)
    throw invalidWrite(
      `\`value\` has \`${chars}\` characters as JSON; the limit is \`${MAX_CHARS.json}\`.`,
      'Shorten `value`, or write it as a document.',
      'value',
    );
  return value;
}

function checkType(
  { property, value }: Typed,
  { type, options }: Pick<CollectionProperty, 'type' | 'options'>,
): unknown {
  const fails = (takes: string): ContextEngineError =>
    mismatch(
      `\`${property}\` is \`${shown(value)}\`, but its type is \`${type}\`.`,
      `Pass ${takes}.`,
    );
  switch (type) {
    case 'text':
      if (typeof value !== 'string') throw fails('a text');
      return textOf(value);
    case 'int':
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw fails('an integer');
      return value;
    case 'bool':
      if (typeof value !== 'boolean') throw fails('true or false');
      return value;
    case 'date':
      if (typeof value !== 'string' && !(value instanceof Date)) throw fails('an ISO 8601 date');
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
        ? parseInstant(value, 'value').slice(0, 10)
        : parseInstant(value, 'value');
    case 'option':
      if (typeof value !== 'string' || !options.includes(value))
        throw fails(`one of ${options.join(', ')}`);
      return value;
    case 'array':
      if (!Array.isArray(value) || value.length > MAX_COUNT.values)
        throw fails(`a list of at most ${MAX_COUNT.values} texts`);
      return value.map(textOf);
  }
}

/** Throws `WRITE.INVALID` for what is no text that the store can hold. */
function textOf(value: unknown): string {
  checkInput('typed_text', { value });
  return String(value);
}
