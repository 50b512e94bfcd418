/** Branded identifiers. Everything past the public surface carries these, never bare strings. */
import { ContextEngineError } from '../codes/errors.ts';

declare const brand: unique symbol;
type Brand<T, B extends string> = T & { readonly [brand]: B };

/** A lower-case RFC 4122 identifier, checked. */
export type Uuid = Brand<string, 'Uuid'>;
/**
 * A tenant's name: 1-63 of `a-z A-Z 0-9 _ . -`. There is no default to fall open to; the embedded
 * database's is `local`.
 */
export type TenantId = Brand<string, 'TenantId'>;
/**
 * ISO 8601 in UTC with milliseconds (`2026-11-21T04:00:00.000Z`), so that string order is time
 * order.
 */
export type Instant = Brand<string, 'Instant'>;

/**
 * The scope id a call takes. `contextengine generate` narrows `T` to the scope type, which is what
 * binds a call to its manifest; a plain string is accepted as well.
 */
export type ScopeUuid<T extends string = string> = string & { readonly __scope_type?: T };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TENANT = /^[A-Za-z0-9_.-]{1,63}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

const invalid = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', { message, fix });

/** Whether a text is written as a UUID. */
export const isUuid = (value: string): boolean => UUID.test(value);

/** Checks a UUID. Throws `CONFIG.INVALID_VALUE` naming the field. */
export function parseUuid(value: unknown, field: string): Uuid {
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase() as Uuid;
  throw invalid(`\`${field}\` is \`${shown(value)}\`, not a UUID.`, sourceOf(field));
}

/** Where the uuid of a field is found. */
function sourceOf(field: string): string {
  if (field === 'proposal') return 'Pass a `proposal_uuid` of `approvals.list`.';
  const isScope = /scope|inherits/.test(field);
  const written = isScope ? '`scopes.create`' : '`scopes.create`, `append` or `remember`';
  const byKey = isScope ? ' Of a key, `await scopes.find(key)` gives it.' : '';
  return `Pass the UUID that ${written} returned as \`${field}\`.${byKey}`;
}

/** Checks a tenant name. Throws `CONFIG.INVALID_VALUE` naming the field. */
export function parseTenant(value: unknown, field = 'permission_profile.tenant'): TenantId {
  if (typeof value === 'string' && TENANT.test(value)) return value as TenantId;
  throw invalid(
    `\`${field}\` is \`${shown(value)}\`.`,
    'Name the tenant: 1 to 63 characters of a-z, A-Z, 0-9, `_`, `.` and `-`.',
  );
}

/**
 * Checks a time (ISO 8601, a `Date`, or epoch milliseconds) and gives it in UTC with milliseconds.
 * Throws `CONFIG.INVALID_VALUE`.
 */
export function parseInstant(value: unknown, field: string): Instant {
  const date =
    value instanceof Date
      ? value
      : isTimeText(value)
        ? new Date(withZone(value))
        : typeof value === 'number'
          ? new Date(value)
          : undefined;
  if (
    date &&
    !Number.isNaN(date.getTime()) &&
    date.getUTCFullYear() >= 1 &&
    date.getUTCFullYear() <= 9999
  )
    return toInstant(date.getTime());
  throw invalid(
    `\`${field}\` is \`${shown(value)}\`, not a time.`,
    `Write \`${field}\` in ISO 8601, for example \`2026-03-01T09:00:00Z\`.`,
  );
}

/**
 * An ISO 8601 text of a day that the calendar has: `Date.parse` takes 30 February for 2 March, and
 * hour 24 for the next day.
 */
export const isTimeText = (value: unknown): value is string =>
  typeof value === 'string' && INSTANT.test(value) && isCalendarTime(value);

/**
 * Whether day and hour of a text that begins with `YYYY-MM-DD` and can have `THH` are ones that
 * there are.
 */
export function isCalendarTime(text: string): boolean {
  const [day, hour] = [text.slice(0, 10), text.slice(11, 13)];
  const ms = Date.parse(`${day}T00:00:00.000Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day || hour === '24')
    return false;
  return !Number.isNaN(Date.parse(withZone(text)));
}

const STORED_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** As ids are kept: lower case. */
export const isStoredUuid = (value: unknown): value is string =>
  typeof value === 'string' && STORED_UUID.test(value);

const STORED_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/**
 * As times are kept: UTC with milliseconds, so that string order is time order. A day that no
 * calendar has is read as another one by some stores and refused by others.
 */
export const isStoredInstant = (value: unknown): value is string => {
  if (typeof value !== 'string' || !STORED_INSTANT.test(value) || value.startsWith('0000'))
    return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
};

export const isTenant = (value: unknown): value is string =>
  typeof value === 'string' && TENANT.test(value);

/** Epoch milliseconds to an {@link Instant}. */
export const toInstant = (epochMs: number): Instant => new Date(epochMs).toISOString() as Instant;
/** An {@link Instant} to epoch milliseconds. */
export const toEpochMs = (instant: Instant): number => Date.parse(instant);

/** A value as an error message shows it: at most 80 characters, one line. */
export function shown(value: unknown): string {
  const line = asText(value).replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 77)}...` : line;
}

/**
 * Never throws: what JSON cannot say (big integers, cycles) is named by its kind, and `NaN` by its
 * name.
 */
function asText(value: unknown): string {
  if (value === '') return '""';
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value) ?? Object.prototype.toString.call(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/** A time without a zone is UTC: `Date.parse` would read it in the machine's zone. */
const withZone = (text: string): string =>
  /T|\s/.test(text.trim()) && !/(Z|[+-]\d{2}:?\d{2})$/.test(text)
    ? `${text.replace(' ', 'T')}Z`
    : text.replace(' ', 'T');
