/** Before the stages: the request, checked field by field. Nothing is read. */

import { ContextEngineError } from '../codes/errors.ts';
import type { ComposeRequest } from '../model/composition.ts';
import { checkFields, type FieldsOf } from '../model/fields.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseInstant, parseTenant, parseUuid, shown } from '../model/ids.ts';
import type { PermissionProfile } from '../model/permission.ts';
import { isStorable } from '../model/storable.ts';
import type { Position } from '../model/validity.ts';
import { parseProfile } from '../permission/judge-profile.ts';
import { MAX_SCOPES } from './1-resolve-scope.ts';
import type { ParsedRequest } from './state.ts';

/** A query longer than this is a document: it would be embedded and matched as a blur. */
const MAX_QUERY_CHARS = 100_000;
const FIELDS: FieldsOf<ComposeRequest> = {
  scope_block_uuid: true,
  intent: true,
  query: true,
  permission_profile: true,
  trace: true,
  as_of: true,
  recorded_as_of: true,
  inputs: true,
  manifest: true,
  model: true,
  format: true,
  include_scopes: true,
  approval: true,
  deadline_ms: true,
  signal: true,
  after: true,
  time_zone: true,
};

const invalid = (field: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${field}\` is \`${shown(value)}\`.`,
    fix,
    where: { field },
  });

/** What is looked at before the claim is judged: an object of known fields, and how long and by whom the call may be ended. */
export function checkRequest(request: ComposeRequest): void {
  checkFields(request, 'request', FIELDS);
  const { deadline_ms: deadlineMs, signal } = request;
  if (deadlineMs !== undefined && !(Number.isFinite(deadlineMs) && deadlineMs > 0))
    throw invalid(
      'deadline_ms',
      deadlineMs,
      'Pass a positive number of milliseconds, or leave it out for no deadline.',
    );
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalid('signal', signal, 'Pass the `signal` of an `AbortController`.');
}

/** Checks every other field. `profile` has been through the engine's authority already. */
export function parseRequest(
  request: ComposeRequest,
  profile: PermissionProfile,
  now: Instant,
): ParsedRequest {
  if (!isName(request.intent) || request.intent === '')
    throw invalid(
      'intent',
      request.intent,
      'Name an intent that the manifest declares, or a built-in one.',
    );
  if (typeof request.query !== 'string' || request.query.length > MAX_QUERY_CHARS)
    throw invalid(
      'query',
      request.query,
      `Pass a text of at most ${MAX_QUERY_CHARS} characters; it may be empty.`,
    );
  for (const field of ['manifest', 'model'] as const)
    if (request[field] !== undefined && !isName(request[field]))
      throw invalid(field, request[field], `Name the ${field} as text, or leave it out.`);
  const asOf = request.as_of === undefined ? null : parseInstant(request.as_of, 'as_of');
  const known = request.recorded_as_of;
  const knownAt = Array.isArray(known) ? parsePosition(known, 'recorded_as_of') : null;
  const recordedAsOf =
    known === undefined
      ? asOf
      : Array.isArray(known)
        ? null
        : parseInstant(known, 'recorded_as_of');
  return {
    tenant: parseTenant(profile.tenant),
    scope: parseUuid(request.scope_block_uuid, 'scope_block_uuid'),
    intent: request.intent,
    query: storable(request.query),
    profile,
    isTraced: request.trace === true,
    validAt: asOf ?? now,
    recordedAsOf,
    knownAt,
    isWhatIf: asOf !== null || known !== undefined,
    inputs: parseInputs(request.inputs),
    manifest: request.manifest ?? null,
    model: request.model ?? null,
    format: parseFormat(request.format),
    includeScopes: parseScopes(request.include_scopes ?? []),
    approval: request.approval === undefined ? null : parseUuid(request.approval, 'approval'),
    after: parsePosition(request.after ?? [], 'after'),
    timeZone: parseTimeZone(request.time_zone),
    raw: request,
  };
}

/** A name is compared and kept as it is: one that no store can hold is nobody's name. */
const isName = (value: unknown): value is string => typeof value === 'string' && isStorable(value);

/** A text is said to a model: what no store can hold of it is left out. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

function parseScopes(scopes: unknown): readonly Uuid[] {
  if (!Array.isArray(scopes))
    throw invalid('include_scopes', scopes, 'Pass a list of the UUIDs of scopes.');
  if (scopes.length > MAX_SCOPES)
    throw invalid('include_scopes', scopes.length, `Name at most ${MAX_SCOPES} scopes.`);
  return [...new Set(scopes.map((scope) => parseUuid(scope, 'include_scopes')))].sort();
}

function parseFormat(format: unknown): 'xml' | 'markdown' | null {
  if (format === undefined) return null;
  if (format === 'xml' || format === 'markdown') return format;
  throw invalid('format', format, 'Use `xml` or `markdown`.');
}

function parseInputs(inputs: ComposeRequest['inputs']): Readonly<Record<string, string>> {
  if (inputs === undefined) return {};
  if (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs))
    throw invalid('inputs', inputs, 'Pass an object of texts, numbers and booleans.');
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      if (!['string', 'number', 'boolean'].includes(typeof value))
        throw invalid(`inputs.${name}`, value, 'Pass a text, a number or a boolean.');
      return [storable(name), storable(String(value))];
    }),
  );
}

export function parsePosition(value: unknown, field: string): Position {
  if (!Array.isArray(value))
    throw invalid(field, value, 'Pass a position: a list of `{ scope, head }`.');
  return value.map((entry: unknown) => {
    const { scope, head } = Object(entry) as { scope?: unknown; head?: unknown };
    if (typeof head !== 'number' || !Number.isSafeInteger(head) || head < 0)
      throw invalid(`${field}.head`, head, 'Pass a head that a composition or a write returned.');
    return { scope: parseUuid(scope, `${field}.scope`), head };
  });
}

function parseTimeZone(zone: unknown): string {
  if (zone === undefined) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: String(zone) }).resolvedOptions().timeZone;
  } catch (cause) {
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `\`time_zone\` is \`${shown(zone)}\`.`,
      fix: 'Use an IANA name such as `Europe/Berlin`.',
      where: { field: 'time_zone' },
      cause,
    });
  }
}

/** The claim as the request makes it; the engine's authority judges it before anything else happens. */
export const claimOf = (request: ComposeRequest): PermissionProfile =>
  parseProfile(request.permission_profile);
