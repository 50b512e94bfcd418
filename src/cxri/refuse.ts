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
    message: `\`${root}\` is a value of \`${collection}.${property}\` of \`${subject}\`, and an UPDATE gives it another key.`,
    fix: 'ADD the value under its new key, and DELETE the old one.',
  });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** As ids are kept: lower case. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && UUID.test(value);

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/**
 * As times are kept: UTC with milliseconds, so that string order is time order. A day that no
 * calendar has is read as another one by some stores and refused by others.
 */
export const isInstant = (value: unknown): value is string => {
  if (typeof value !== 'string' || !INSTANT.test(value) || value.startsWith('0000')) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
};

const TENANT = /^[A-Za-z0-9_.-]{1,63}$/;
export const isTenant = (value: unknown): value is string =>
  typeof value === 'string' && TENANT.test(value);

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
