/** What a stored text may be: the limits that every write passes, before anything is written. */
import { isStorableJson } from '../cxri/refuse.ts';
import { ContextEngineError } from '../errors.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseInstant, parseUuid, shown } from '../model/ids.ts';

/** UTF-16 units. A longer text is a document to be chunked: `contextengine ingest` does it. */
export const MAX_CONTENT_CHARS = 4_000_000;
const MAX_TAGS = 64;
const MAX_METADATA_CHARS = 262_144;
const NAME = /^[A-Za-z][A-Za-z0-9_.:/-]{0,127}$/;

export const invalidWrite = (message: string, fix: string, field?: string): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', { message, fix, ...(field !== undefined && { where: { field } }) });

/** A text that the store can hold as it is: well-formed, without NUL, not too long. Empty only where `isOptional`. */
export function checkText(value: unknown, field: string, isOptional = false): string {
  if (typeof value !== 'string')
    throw invalidWrite(`\`${field}\` is \`${shown(value)}\`, not a text.`, `Pass a text as \`${field}\`.`, field);
  if (value.trim() === '' && !isOptional)
    throw invalidWrite(`\`${field}\` is empty.`, `Leave the item out, or give \`${field}\` a text.`, field);
  if (value.length > MAX_CONTENT_CHARS) {
    throw new ContextEngineError('WRITE.TOO_LARGE', {
      message: `\`${field}\` has \`${value.length}\` characters; the limit is \`${MAX_CONTENT_CHARS}\`.`,
      fix: 'Split it into chunks, for example with `contextengine ingest`.',
      where: { field },
    });
  }
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

export const checkOptionalText = (value: unknown, field: string): string | null =>
  value === undefined || value === null ? null : checkText(value, field);

/** A type, class or category: a name that can stand in a manifest. */
export function checkName(value: unknown, field: string): string {
  if (typeof value === 'string' && NAME.test(value)) return value;
  throw invalidWrite(
    `\`${field}\` is \`${shown(value)}\`.`,
    `Begin \`${field}\` with a letter; then letters, digits and \`_ . : / -\`, 128 at most.`,
    field,
  );
}

export function checkShare(value: unknown, field: string): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw invalidWrite(`\`${field}\` is \`${shown(value)}\`.`, `Pass a number from 0 to 1 as \`${field}\`.`, field);
}

export function checkTags(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MAX_TAGS)
    throw invalidWrite(`\`tags\` is \`${shown(value)}\`.`, `Pass a list of at most ${MAX_TAGS} texts.`, 'tags');
  return value.map((tag) => checkText(tag, 'tags'));
}

/** A plain JSON object, well-formed throughout. */
export function checkObject<T extends object>(value: T | undefined, field: string): T {
  if (value === undefined) return {} as T;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidWrite(`\`${field}\` is \`${shown(value)}\`.`, `Pass an object as \`${field}\`.`, field);
  const text = jsonOf(value, field);
  if (!text.startsWith('{'))
    throw invalidWrite(`\`${field}\` is \`${shown(text)}\` as JSON, not an object.`, `Pass a plain object as \`${field}\`.`, field);
  if (text.length > MAX_METADATA_CHARS)
    throw invalidWrite(
      `\`${field}\` has \`${text.length}\` characters as JSON; the limit is \`${MAX_METADATA_CHARS}\`.`,
      `Shorten \`${field}\`.`,
      field,
    );
  if (!isStorableJson(value, MAX_METADATA_CHARS))
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

export const instantOr = (value: string | Date | undefined, field: string, fallback: Instant): Instant =>
  value === undefined ? fallback : parseInstant(value, field);

/** `valid_until`, after `valid_from`. */
export function checkUntil(value: string | Date | undefined, from: Instant): { readonly valid_until?: Instant } {
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

export function checkSources(sources: readonly string[] | undefined): { readonly sources?: readonly Uuid[] } {
  const uuids = checkUuids(sources, 'sources');
  return uuids.length === 0 ? {} : { sources: uuids };
}

export function checkUuids(value: unknown, field: string): readonly Uuid[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalidWrite(`\`${field}\` is \`${shown(value)}\`.`, `Pass a list of UUIDs as \`${field}\`.`, field);
  return value.map((uuid) => parseUuid(uuid, field));
}
