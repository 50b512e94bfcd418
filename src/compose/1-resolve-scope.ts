/** Stage 1: the scope's closure is read, with its heads, the stored rights and the policy epoch. */
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { ResolvedScope } from '../cxri/ports/ledger.ts';
import type { Position } from '../model/validity.ts';
import { type PermissionDoor, principalsOf } from '../permission/door.ts';
import type { StageContext } from './stage.ts';
import type { ParsedRequest, ResolvedRequest } from './state.ts';

/** Design limits of a closure. */
export const MAX_DEPTH = 8;
export const MAX_SCOPES = 64;

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

/**
 * The closure at the heads that were asked for; a scope that the position does not name was not
 * known then.
 */
export const atPosition = (
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
        message:
          `The store has not reached \`after\` (scope \`${behind.scope}\`, head ` +
          `\`${behind.head}\`).`,
        fix: 'Read from the primary, or wait and try again.',
      });
    await new Promise((resolve) => setTimeout(resolve, AFTER_POLL_MS));
  }
}

/**
 * Where the store has not reached `after`. Only scopes that the caller reads are waited for: the
 * wait would show the heads of others.
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
