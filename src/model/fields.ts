/**
 * Objects that callers pass: a field that nobody knows would be left out in silence, and be missed
 * much later.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { suggest } from '../codes/suggest.ts';
import { shown } from './ids.ts';
import { isPlain } from './plain-copy.ts';

/** The fields of `T`, as data. */
export type FieldsOf<T> = Readonly<Record<keyof T & string, true>>;

/**
 * Throws `CONFIG.INVALID_VALUE` for what is no object, and `CONFIG.UNKNOWN_KEY` with the nearest
 * known name.
 */
export function checkFields(
  value: unknown,
  what: string,
  fields: Readonly<Record<string, true>>,
): void {
  const known = Object.keys(fields);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `The ${what} is \`${shown(value)}\`.`,
      fix: `Pass an object with ${known.join(', ')}.`,
    });
  if (!isPlain(value))
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `The ${what} is \`${shown(value)}\`, which is not a plain object.`,
      fix: `Pass a plain object with ${known.join(', ')}.`,
    });
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(fields, field));
  if (unknown === undefined) return;
  throw new ContextEngineError('CONFIG.UNKNOWN_KEY', {
    message: `The ${what} has the unknown field \`${shown(unknown)}\`.${suggest(unknown, known)}`,
    fix: `Use ${known.join(', ')}.`,
    where: { field: unknown },
  });
}
