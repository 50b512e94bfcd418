/**
 * Objects that callers pass: a field that nobody knows would be left out in silence, and be missed
 * much later.
 */
import type { ErrorCode } from '../codes/code-table.ts';
import { ContextEngineError } from '../codes/errors.ts';
import { suggest } from '../codes/suggest.ts';
import { shown } from './ids.ts';
import { isPlain } from './plain-copy.ts';

/**
 * Throws `CONFIG.INVALID_VALUE` for what is no object, and `CONFIG.UNKNOWN_KEY` with the nearest
 * known name.
 */
export function checkFields(
  value: unknown,
  of: {
    readonly what: string;
    readonly known: readonly string[];
    readonly code?: ErrorCode;
    readonly within?: string;
    /** Where an unknown field goes; null = nothing is known of it. */
    readonly fixOf?: (field: string) => string | null;
  },
): void {
  const { what, known, code = 'CONFIG.INVALID_VALUE', within, fixOf = () => null } = of;
  const where = within === undefined ? {} : { where: { field: within } };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ContextEngineError(code, {
      message: `The ${what} is \`${shown(value)}\`.`,
      fix: `Pass an object with ${known.join(', ')}.`,
      ...where,
    });
  if (!isPlain(value))
    throw new ContextEngineError(code, {
      message: `The ${what} is \`${shown(value)}\`, which is not a plain object.`,
      fix: `Pass a plain object with ${known.join(', ')}.`,
      ...where,
    });
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  throw new ContextEngineError(of.code ?? 'CONFIG.UNKNOWN_KEY', {
    message: `The ${what} has the unknown field \`${shown(unknown)}\`.${suggest(unknown, known)}`,
    fix: fixOf(unknown) ?? `Use ${known.join(', ')}.`,
    where: { field: within ?? unknown },
  });
}
