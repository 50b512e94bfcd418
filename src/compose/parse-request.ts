/** Before the stages: from a request that passed its schema to what the stages read. */

import { ContextEngineError } from '../codes/errors.ts';
import type { ComposeRequest } from '../model/composition.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseInstant, parseTenant, parseUuid, shown } from '../model/ids.ts';
import type { PermissionProfile } from '../model/permission.ts';
import type { Position } from '../model/validity.ts';
import { parseProfile } from '../permission/judge-profile.ts';
import { MAX_SCOPES } from './1-resolve-scope.ts';
import type { ParsedRequest } from './state.ts';

const invalid = (field: string, value: unknown, fix: string): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`${field}\` is \`${shown(value)}\`.`,
    fix,
    where: { field },
  });

/**
 * Of a request that passed its schema. `profile` has been through the engine's authority already.
 */
export function parseRequest(
  request: ComposeRequest,
  profile: PermissionProfile,
  now: Instant,
): ParsedRequest {
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
    format: request.format ?? null,
    includeScopes: parseScopes(request.include_scopes ?? []),
    approval: request.approval === undefined ? null : parseUuid(request.approval, 'approval'),
    after: parsePosition(request.after ?? [], 'after'),
    timeZone: parseTimeZone(request.time_zone),
    raw: request,
  };
}

/** The text goes to a model: characters that no store can hold are left out. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

function parseScopes(scopes: readonly string[]): readonly Uuid[] {
  if (scopes.length > MAX_SCOPES)
    throw invalid('include_scopes', scopes.length, `Name at most ${MAX_SCOPES} scopes.`);
  return [...new Set(scopes.map((scope) => parseUuid(scope, 'include_scopes')))].sort();
}

function parseInputs(inputs: ComposeRequest['inputs']): Readonly<Record<string, string>> {
  if (inputs === undefined) return {};
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      if (!['string', 'number', 'boolean'].includes(typeof value))
        throw invalid(`inputs.${name}`, value, 'Pass a text, a number or a boolean.');
      return [storable(name), storable(String(value))];
    }),
  );
}

function parsePosition(value: unknown, field: string): Position {
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

/**
 * The claim as the request makes it; the engine's authority judges it before anything else happens.
 */
export const claimOf = (request: ComposeRequest): PermissionProfile =>
  parseProfile(request.permission_profile);
