/** What a malformed request is refused with. */
import { ContextEngineError } from '../codes/errors.ts';
import { shown } from '../model/ids.ts';

export const invalidRequest = (field: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONNECTOR.INVALID_REQUEST', {
    message: `\`${field}\` is \`${shown(value)}\`.`,
    fix,
    where: { field },
  });

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
