/**
 * Stage 2: the claim becomes a grant, the closure shrinks to what it reads, and the manifest is
 * found by the scope's type, and its variant by the scope. The only maker of a {@link
 * GrantedRequest}.
 */

import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { ClosureEntry } from '../cxri/ports/ledger.ts';
import { pickVariant } from '../manifest/pick-variant.ts';
import { resolveManifest } from '../manifest/resolve.ts';
import type { BlockRow } from '../model/block.ts';
import type { Manifest, ManifestSet } from '../model/manifest.ts';
import type { Grant } from '../model/permission.ts';
import { holds } from '../model/permission.ts';
import { assertCrossReads } from '../permission/cross-scope.ts';
import type { PermissionDoor } from '../permission/door.ts';
import { atPosition, MAX_SCOPES } from './1-resolve-scope.ts';
import type { StageContext } from './stage.ts';
import type { GrantedRequest, ResolvedRequest } from './state.ts';
import { GRANTED } from './state.ts';

export interface PermissionDependencies {
  readonly authority: Pick<Authority, 'resolveScope' | 'audit' | 'useApproval'>;
  readonly permission: PermissionDoor;
  readonly manifests: ManifestSet;
}

const PROFILE = { door: 'compose', field: 'permission_profile' } as const;

export async function checkPermission(
  request: ResolvedRequest,
  { authority, permission, manifests }: PermissionDependencies,
  context: StageContext,
): Promise<GrantedRequest> {
  const grant = await permission.judgeWith(request.profile, request.rights, PROFILE);
  const block = request.closure[0]?.scope;
  const asked = { scope: request.scope, block };
  // Before the manifest is looked for: only those who may read learn what there is.
  const own = await permission.assertReads(grant, asked, SCOPE);
  const served = resolveManifest(manifests, {
    scopeBlockType: own.block_type,
    ...(request.manifest !== null && { reference: request.manifest }),
  });
  const manifestUsed = pickVariant(served, own.root_uuid);
  await assertManifest({ request, grant, manifestUsed }, permission);
  const inherited = request.closure.filter(({ scope }) => permission.mayRead(grant, scope));
  const leftOut = request.closure
    .filter((entry) => !inherited.includes(entry))
    .map((entry) => ({ scope: entry.scope.root_uuid, reason: whyLeftOut(entry, grant) }));
  const further = await readFurther(
    { request, grant, own, manifestUsed, inherited },
    { authority, permission, context },
  );
  const closure = [...inherited, ...further];
  assertKnown(request, closure);
  for (const { scope, reason } of leftOut)
    context.warnings.push({
      code: 'PERMISSION.SCOPE_LEFT_OUT',
      message:
        `The inherited scope \`${scope}\` was left out of what \`${grant.principal}\` reads: ` +
        `${reason}.`,
    });
  if (request.isClosureCut)
    context.warnings.push({
      code: 'SCOPE.CLOSURE_CUT',
      message:
        'The closure has more than 64 scopes or is deeper than 8; the farthest were left out.',
    });
  return { ...request, manifestUsed, closure, grant, leftOut, [GRANTED]: true };
}

/**
 * A position names scopes that are read here. One that is not held answers like one that is not
 * there.
 */
function assertKnown({ knownAt }: ResolvedRequest, closure: readonly ClosureEntry[]): void {
  const outside = knownAt?.find(
    (known) => !closure.some(({ scope }) => scope.root_uuid === known.scope),
  );
  if (outside === undefined) return;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message:
      `\`recorded_as_of\` names the scope \`${outside.scope}\`, which this composition does ` +
      'not read.',
    fix: 'Name the scope of the call and scopes that it inherits from and the profile reads.',
    where: { field: 'recorded_as_of' },
  });
}

const SCOPE = { door: 'compose', field: 'scope_block_uuid' } as const;

const whyLeftOut = ({ scope }: ClosureEntry, grant: Grant): string =>
  holds(grant, scope.root_uuid)
    ? 'the manifests of its type or the profile restrict `reads`'
    : 'not held by the profile';

/** The manifest of the call may be an earlier one, which the engine no longer serves by itself. */
async function assertManifest(
  {
    request,
    grant,
    manifestUsed,
  }: {
    readonly request: ResolvedRequest;
    readonly grant: Grant;
    readonly manifestUsed: Manifest;
  },
  permission: PermissionDoor,
): Promise<void> {
  const { scope } = request;
  const { reads } = manifestUsed.permission;
  if (reads !== 'T1') await permission.deny(grant, { tier: reads, key: 'reads', scope }, SCOPE);
}

interface Further {
  readonly request: ResolvedRequest;
  readonly grant: Grant;
  readonly own: BlockRow;
  readonly manifestUsed: Manifest;
  /** Of the closure, what is read. */
  readonly inherited: readonly ClosureEntry[];
}

function assertFewEnough(inherited: number, further: number): void {
  if (inherited + further <= MAX_SCOPES) return;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message:
      `\`include_scopes\` names \`${further}\` scopes beside the \`${inherited}\` of the closure; a ` +
      `composition reads at most ${MAX_SCOPES}.`,
    fix: `Name at most ${MAX_SCOPES - inherited} scopes that the scope does not inherit from.`,
    where: { field: 'include_scopes' },
  });
}

/** Scopes outside of the closure come last: what the closure says shadows what they say. */
async function readFurther(
  { request, grant, own, manifestUsed, inherited }: Further,
  by: Pick<PermissionDependencies, 'authority' | 'permission'> & { readonly context: StageContext },
): Promise<readonly ClosureEntry[]> {
  const known = new Set(inherited.map(({ scope }) => scope.root_uuid));
  const scopes = request.includeScopes.filter((scope) => !known.has(scope));
  if (scopes.length === 0) return [];
  // Before an approval is used up, or asked for.
  assertFewEnough(inherited.length, scopes.length);
  const { authority, permission, context } = by;
  const manifestTier = manifestUsed.permission.cross_scope;
  const { approval } = request;
  await assertCrossReads(
    grant,
    { own, scopes, manifestTier, approval, now: context.now },
    { door: permission, authority },
  );
  const depth = Math.max(0, ...inherited.map((entry) => entry.depth)) + 1;
  const resolved = await Promise.all(
    scopes.map((scope) =>
      authority.resolveScope({
        tenant: request.tenant,
        scope,
        principals: [],
        ...(request.recordedAsOf !== null && { recorded_as_of: request.recordedAsOf }),
        // Each that was named, by itself: what it inherits was not named.
        max_depth: 0,
        max_scopes: 1,
        ...(context.signal && { signal: context.signal }),
      }),
    ),
  );
  const entries = resolved.flatMap(({ closure }) => closure.map((entry) => ({ ...entry, depth })));
  return request.knownAt ? atPosition(entries, request.knownAt) : entries;
}
