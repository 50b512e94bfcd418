/**
 * Stage 2: the claim becomes a grant, the closure shrinks to what it reads, and the manifest is found
 * by the scope's type, and its variant by the scope. The only maker of a {@link GrantedRequest}.
 */

import { ContextEngineError } from '../codes/errors.ts';
import type { ClosureEntry } from '../cxri/ports/ledger.ts';
import { pickVariant } from '../manifest/pick-variant.ts';
import { resolveManifest } from '../manifest/resolve.ts';
import type { Manifest, ManifestSet } from '../model/manifest.ts';
import type { Grant } from '../model/permission.ts';
import { holds, strictest } from '../model/permission.ts';
import type { PermissionDoor } from '../permission/door.ts';
import type { StageContext } from './stage.ts';
import type { GrantedRequest, ResolvedRequest } from './state.ts';
import { GRANTED } from './state.ts';

export interface PermissionDependencies {
  readonly permission: PermissionDoor;
  readonly manifests: ManifestSet;
}

const PROFILE = { door: 'compose', field: 'permission_profile' } as const;

export async function checkPermission(
  request: ResolvedRequest,
  { permission, manifests }: PermissionDependencies,
  context: StageContext,
): Promise<GrantedRequest> {
  const grant = await permission.judgeWith(request.profile, request.rights, PROFILE);
  const block = request.closure[0]?.scope;
  const asked = { scope: request.scope, block };
  // Before the manifest is looked for: what there is to find is told only to those who may read.
  const own = await permission.assertReads(grant, asked, SCOPE);
  const served = resolveManifest(manifests, {
    scopeBlockType: own.block_type,
    ...(request.manifest !== null && { reference: request.manifest }),
  });
  const manifestUsed = pickVariant(served, own.root_uuid);
  await assertManifest({ request, grant, manifestUsed }, permission);
  const closure = request.closure.filter(({ scope }) => permission.mayRead(grant, scope));
  const leftOut = request.closure
    .filter((entry) => !closure.includes(entry))
    .map((entry) => ({ scope: entry.scope.root_uuid, reason: whyLeftOut(entry, grant) }));
  assertKnown(request, closure);
  for (const { scope, reason } of leftOut)
    context.warnings.push({
      code: 'PERMISSION.SCOPE_LEFT_OUT',
      message: `The inherited scope \`${scope}\` was left out of what \`${grant.principal}\` reads: ${reason}.`,
    });
  if (request.isClosureCut)
    context.warnings.push({
      code: 'SCOPE.CLOSURE_CUT',
      message:
        'The closure has more than 64 scopes or is deeper than 8; the farthest were left out.',
    });
  return { ...request, manifestUsed, closure, grant, leftOut, [GRANTED]: true };
}

/** A position names scopes that are read here. One that is not held answers like one that is not there. */
function assertKnown({ knownAt }: ResolvedRequest, closure: readonly ClosureEntry[]): void {
  const outside = knownAt?.find(
    (known) => !closure.some(({ scope }) => scope.root_uuid === known.scope),
  );
  if (outside === undefined) return;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`recorded_as_of\` names the scope \`${outside.scope}\`, which this composition does not read.`,
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
  const { scope, includeScopes } = request;
  const { reads, cross_scope: crossScope } = manifestUsed.permission;
  if (reads !== 'T1') await permission.deny(grant, { tier: reads, key: 'reads', scope }, SCOPE);
  if (includeScopes.length === 0) return;
  const tier = strictest('T3', crossScope, grant.tiers.cross_scope);
  await permission.deny(grant, { tier, key: 'cross_scope', scope }, PROFILE);
}
