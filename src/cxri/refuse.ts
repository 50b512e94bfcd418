/** What a malformed request is refused with. */
import { ContextEngineError } from '../codes/errors.ts';
import type { TypedContent } from '../model/block.ts';
import { shown, type Uuid } from '../model/ids.ts';

export const invalidRequest = (field: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONNECTOR.INVALID_REQUEST', {
    message: `\`${field}\` is \`${shown(value)}\`.`,
    fix,
    where: { field },
  });

/** A value keeps its key for life: a root with two keys would stand on the timelines of both. */
export const keyMoved = (
  root: Uuid,
  { collection, property, subject }: Pick<TypedContent, 'collection' | 'property' | 'subject'>,
): ContextEngineError =>
  new ContextEngineError('WRITE.REFUSED', {
    message:
      `\`${root}\` is a value of \`${collection}.${property}\` of \`${subject}\`, and an ` +
      'UPDATE gives it another key.',
    fix: 'ADD the value under its new key, and DELETE the old one.',
  });

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
