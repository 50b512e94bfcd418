/** What a caller of the write surface wrote, checked in its own words. Limits: `model/content-limits.ts`. */

import { ContextEngineError } from '../codes/errors.ts';
import { isStorableJson } from '../cxri/refuse.ts';
import { MAX_BYTES, MAX_CHARS, MAX_COUNT } from '../model/content-limits.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseInstant, parseUuid, shown } from '../model/ids.ts';

const NAME = /^[A-Za-z][A-Za-z0-9_.:/-]*$/;
/** Of names that stand in a manifest. */
const MAX_NAME_CHARS = 128;

export const invalidWrite = (message: string, fix: string, field?: string): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', {
    message,
    fix,
    ...(field !== undefined && { where: { field } }),
  });

interface TextLimits {
  /** Empty is fine. */
  readonly isOptional?: boolean;
  /** UTF-16 units; default: those of a content. */
  readonly maxChars?: number;
  /** UTF-8. */
  readonly maxBytes?: number;
}

/** A text that the store can hold as it is: well-formed, without NUL, not too long. */
export function checkText(value: unknown, field: string, limits: TextLimits = {}): string {
  if (typeof value !== 'string')
    throw invalidWrite(
      `\`${field}\` is \`${shown(value)}\`, not a text.`,
      `Pass a text as \`${field}\`.`,
      field,
    );
  if (value.trim() === '' && !limits.isOptional)
    throw invalidWrite(
      `\`${field}\` is empty.`,
      `Leave the item out, or give \`${field}\` a text.`,
      field,
    );
  checkLength(value, field, limits);
  if (value.includes('\0'))
    throw invalidWrite(
      `\`${field}\` holds a NUL character at \`${value.indexOf('\0')}\`.`,
      'Remove NUL characters: PostgreSQL cannot store them.',
      field,
    );
  if (!value.isWellFormed())
    throw invalidWrite(
      `\`${field}\` holds half of a surrogate pair.`,
      'Pass well-formed Unicode, for example `text.toWellFormed()`.',
      field,
    );
  return value;
}

function checkLength(
  value: string,
  field: string,
  { maxChars = MAX_CHARS.content, maxBytes = Number.POSITIVE_INFINITY }: TextLimits,
): void {
  const isContent = maxChars === MAX_CHARS.content;
  if (value.length > maxChars)
    throw new ContextEngineError(isContent ? 'WRITE.TOO_LARGE' : 'WRITE.INVALID', {
      message: `\`${field}\` has \`${value.length}\` characters; the limit is \`${maxChars}\`.`,
      fix: isContent
        ? 'Split it into chunks, for example with `contextengine ingest`.'
        : `Shorten \`${field}\`.`,
      where: { field },
    });
  const bytes = Buffer.byteLength(value);
  if (bytes > maxBytes)
    throw invalidWrite(
      `\`${field}\` has \`${bytes}\` bytes of UTF-8; the limit is \`${maxBytes}\`.`,
      `Shorten \`${field}\`.`,
      field,
    );
}

export const checkOptionalText = (
  value: unknown,
  field: string,
  maxChars: number,
): string | null =>
  value === undefined || value === null ? null : checkText(value, field, { maxChars });

/** A type, class or category: a name that can stand in a manifest. */
export function checkName(value: unknown, field: string, maxChars = MAX_NAME_CHARS): string {
  const max = Math.min(maxChars, MAX_NAME_CHARS);
  if (typeof value === 'string' && value.length <= max && NAME.test(value)) return value;
  throw invalidWrite(
    `\`${field}\` is \`${shown(value)}\`.`,
    `Begin \`${field}\` with a letter; then letters, digits and \`_ . : / -\`, ${max} at most.`,
    field,
  );
}

export function checkFinite(value: unknown, field: string, min = Number.NEGATIVE_INFINITY): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= min) return value;
  throw invalidWrite(
    `\`${field}\` is \`${shown(value)}\`.`,
    min === 0 ? `Pass a number of 0 or more as \`${field}\`.` : `Pass a number as \`${field}\`.`,
    field,
  );
}

export function checkWhole(value: unknown, field: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw invalidWrite(
    `\`${field}\` is \`${shown(value)}\`.`,
    `Pass a whole number as \`${field}\`.`,
    field,
  );
}

export function checkShare(value: unknown, field: string): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw invalidWrite(
    `\`${field}\` is \`${shown(value)}\`.`,
    `Pass a number from 0 to 1 as \`${field}\`.`,
    field,
  );
}

export function checkTags(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MAX_COUNT.tags)
    throw invalidWrite(
      `\`tags\` is \`${shown(value)}\`.`,
      `Pass a list of at most ${MAX_COUNT.tags} texts.`,
      'tags',
    );
  return value.map((tag) => checkText(tag, 'tags', { maxBytes: MAX_BYTES.tag }));
}

/** A plain JSON object, well-formed throughout. */
export function checkObject<T extends object>(value: T | undefined, field: string): T {
  if (value === undefined) return {} as T;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidWrite(
      `\`${field}\` is \`${shown(value)}\`.`,
      `Pass an object as \`${field}\`.`,
      field,
    );
  const text = jsonOf(value, field);
  if (!text.startsWith('{'))
    throw invalidWrite(
      `\`${field}\` is \`${shown(text)}\` as JSON, not an object.`,
      `Pass a plain object as \`${field}\`.`,
      field,
    );
  if (text.length > MAX_CHARS.json)
    throw invalidWrite(
      `\`${field}\` has \`${text.length}\` characters as JSON; the limit is \`${MAX_CHARS.json}\`.`,
      `Shorten \`${field}\`.`,
      field,
    );
  if (!isStorableJson(value, MAX_CHARS.json))
    throw invalidWrite(
      `\`${field}\` is \`${shown(value)}\`: it holds a NUL character or half of a surrogate pair.`,
      'Remove them: PostgreSQL cannot store them.',
      field,
    );
  return value;
}

function jsonOf(value: object, field: string): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch (cause) {
    throw new ContextEngineError('WRITE.INVALID', {
      message: `\`${field}\` is \`${shown(value)}\`, which JSON cannot say.`,
      fix: `Pass an object of texts, numbers, booleans, lists and objects as \`${field}\`: no cycles, no big integers.`,
      where: { field },
      cause,
    });
  }
}

export const instantOr = (
  value: string | Date | undefined,
  field: string,
  fallback: Instant,
): Instant => (value === undefined ? fallback : parseInstant(value, field));

/** `valid_until`, after `valid_from`. */
export function checkUntil(
  value: string | Date | undefined,
  from: Instant,
): { readonly valid_until?: Instant } {
  if (value === undefined) return {};
  const until = parseInstant(value, 'valid_until');
  if (until <= from)
    throw invalidWrite(
      `\`valid_until\` \`${until}\` is not after \`valid_from\` \`${from}\`.`,
      'Give an end after the beginning.',
      'valid_until',
    );
  return { valid_until: until };
}

export function checkSources(sources: readonly string[] | undefined): {
  readonly sources?: readonly Uuid[];
} {
  const uuids = checkUuids(sources, 'sources');
  if (uuids.length > MAX_COUNT.sources || new Set(uuids).size < uuids.length)
    throw invalidWrite(
      `\`sources\` names \`${uuids.length}\` versions, \`${new Set(uuids).size}\` of them different.`,
      `Name at most ${MAX_COUNT.sources} versions, each once.`,
      'sources',
    );
  return uuids.length === 0 ? {} : { sources: uuids };
}

export function checkUuids(value: unknown, field: string): readonly Uuid[] {
  if (value === undefined) return [];
  if (!Array.isArray(value))
    throw invalidWrite(
      `\`${field}\` is \`${shown(value)}\`.`,
      `Pass a list of UUIDs as \`${field}\`.`,
      field,
    );
  return value.map((uuid) => parseUuid(uuid, field));
}
