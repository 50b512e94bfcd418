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

/** A text that every store can hold and compare: well-formed Unicode without NUL. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

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

/** NUL or half a surrogate pair as `JSON.stringify` writes them; a backslash before it would make it plain text. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;
/** A database parses JSON by recursion: deeper than this nobody means it. */
const MAX_JSON_DEPTH = 64;
/** Whether every store can keep the value as JSON; what JSON cannot say (cycles, big integers, endless nesting) is not. */
export function isStorableJson(value: unknown, maxChars: number): boolean {
  try {
    if (!isShallow(value, MAX_JSON_DEPTH)) return false;
    const serialised = JSON.stringify(value);
    return (
      serialised !== undefined && serialised.length <= maxChars && !UNSTORABLE.test(serialised)
    );
  } catch {
    return false;
  }
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1));
}
