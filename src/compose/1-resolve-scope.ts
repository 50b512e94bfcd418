/** Stage 1: the request is checked, and the scope's closure read. */

import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { ResolvedScope } from '../cxri/ports/ledger.ts';
import { isStorable } from '../cxri/refuse.ts';
import type { ComposeRequest } from '../model/composition.ts';
import { checkFields, type FieldsOf } from '../model/fields.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseInstant, parseTenant, parseUuid, shown } from '../model/ids.ts';
import type { PermissionProfile } from '../model/permission.ts';
import type { Position } from '../model/validity.ts';
import { type PermissionDoor, principalsOf } from '../permission/door.ts';
import { parseProfile } from '../permission/judge-profile.ts';
import type { StageContext } from './stage.ts';
import type { ParsedRequest, ResolvedRequest } from './state.ts';

/** Design limits of a closure. */
export const MAX_DEPTH = 8;
export const MAX_SCOPES = 64;
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
  return scopes.map((scope) => parseUuid(scope, 'include_scopes'));
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

export interface ResolveDependencies {
  readonly authority: Authority;
  readonly permission: PermissionDoor;
}

export async function resolveScope(
  request: ParsedRequest,
  dependencies: ResolveDependencies,
  context: StageContext,
): Promise<ResolvedRequest> {
  const resolved = await readClosure(request, dependencies, context);
  const closure = request.knownAt
    ? atPosition(resolved.closure, request.knownAt)
    : resolved.closure;
  return {
    ...request,
    closure,
    isClosureCut: resolved.isCut,
    rights: resolved.rights,
    policyEpoch: resolved.policy_epoch,
  };
}

/** The closure at the heads that were asked for; a scope that the position does not name was not known then. */
const atPosition = (
  closure: ResolvedScope['closure'],
  position: Position,
): ResolvedScope['closure'] =>
  closure.map((entry) => ({
    ...entry,
    head: Math.min(
      entry.head,
      position.find((known) => known.scope === entry.scope.root_uuid)?.head ?? 0,
    ),
  }));

/** One read; where `after` is ahead of the store, reads again until it is reached or time is up. */
async function readClosure(
  request: ParsedRequest,
  { authority, permission }: ResolveDependencies,
  context: StageContext,
): Promise<ResolvedScope> {
  const ask = {
    tenant: request.tenant,
    scope: request.scope,
    principals: principalsOf(request.profile),
    ...(request.recordedAsOf !== null && { recorded_as_of: request.recordedAsOf }),
    max_depth: MAX_DEPTH,
    max_scopes: MAX_SCOPES,
    ...(context.signal && { signal: context.signal }),
  };
  const begun = context.stopwatch();
  for (;;) {
    const resolved = await authority.resolveScope(ask);
    const behind = request.isWhatIf ? undefined : headBehind(request, resolved, permission);
    if (!behind) return resolved;
    const isOver = context.signal?.aborted || context.stopwatch() - begun > AFTER_WAIT_MS;
    if (isOver)
      throw new ContextEngineError('CONNECTOR.DEADLINE', {
        message: `The store has not reached \`after\` (scope \`${behind.scope}\`, head \`${behind.head}\`).`,
        fix: 'Read from the primary, or wait and try again.',
      });
    await new Promise((resolve) => setTimeout(resolve, AFTER_POLL_MS));
  }
}

/**
 * Where the store has not reached `after`. Only scopes that the caller reads are waited for: the
 * wait would tell the heads of others.
 */
function headBehind(
  request: ParsedRequest,
  { closure, rights }: ResolvedScope,
  permission: PermissionDoor,
): Position[number] | undefined {
  const behind = request.after.filter((wanted) =>
    closure.some(({ scope, head }) => scope.root_uuid === wanted.scope && head < wanted.head),
  );
  if (behind.length === 0) return undefined;
  const reads = permission.readsOf(request.profile, rights);
  if (!closure[0] || !reads(closure[0].scope)) return undefined;
  const readable = new Set(closure.flatMap(({ scope }) => (reads(scope) ? [scope.root_uuid] : [])));
  return behind.find(({ scope }) => readable.has(scope));
}

/** Replicas behind a position are polled; the primary has it at the first read. */
const AFTER_POLL_MS = 20;
const AFTER_WAIT_MS = 2000;
