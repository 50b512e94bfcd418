/** Stage 2: the claim becomes a grant, and the closure shrinks to what is held. The only maker of a {@link GrantedRequest}. */
import type { Authority } from '../cxri/authority.ts';
import { ContextEngineError } from '../errors.ts';
import { judgeProfile } from '../model/grant.ts';
import type { Grant, Tier } from '../model/permission.ts';
import { holds, strictest } from '../model/permission.ts';
import type { StageContext } from './stage.ts';
import type { GrantedRequest, ResolvedRequest } from './state.ts';
import { GRANTED } from './state.ts';

export interface PermissionDependencies {
  readonly authority: Authority;
  readonly digestOf: (text: string) => string;
}

export async function checkPermission(
  request: ResolvedRequest,
  dependencies: PermissionDependencies,
  context: StageContext,
): Promise<GrantedRequest> {
  const grant = judgeProfile(request.profile, request.rights, dependencies.digestOf);
  const reads = strictest(request.manifestUsed.permission.reads, grant.tiers.reads);
  if (reads !== 'T1') await refuse({ request, grant, tier: reads, action: 'reads', context }, dependencies.authority);
  if (!holds(grant, request.scope)) await refuse({ request, grant, tier: 'excluded', action: 'reads', context }, dependencies.authority);
  if (request.includeScopes.length > 0) {
    const tier = strictest(request.manifestUsed.permission.cross_scope, grant.tiers.cross_scope);
    await refuse({ request, grant, tier: tier === 'T1' ? 'T3' : tier, action: 'cross_scope', context }, dependencies.authority);
  }
  const leftOut = request.closure
    .filter((entry) => !holds(grant, entry.scope.root_uuid))
    .map((entry) => ({ scope: entry.scope.root_uuid, reason: 'not held by the profile' }));
  for (const { scope } of leftOut)
    context.warnings.push({
      code: 'PERMISSION.SCOPE_LEFT_OUT',
      message: `The inherited scope \`${scope}\` was left out: the profile of \`${grant.principal}\` does not hold it. Name it in \`scopes\` to read it.`,
    });
  if (request.isClosureCut)
    context.warnings.push({
      code: 'SCOPE.CLOSURE_CUT',
      message: 'The closure has more than 64 scopes or is deeper than 8; the farthest were left out.',
    });
  const closure = request.closure.filter((entry) => holds(grant, entry.scope.root_uuid));
  return { ...request, closure, grant, leftOut, [GRANTED]: true };
}

interface Refusal {
  readonly request: ResolvedRequest;
  readonly grant: Grant;
  readonly tier: Tier;
  readonly action: 'reads' | 'cross_scope';
  readonly context: StageContext;
}

/** Audited first: no audit, no answer, not even a refusal that could be told from an outage. */
async function refuse(refusal: Refusal, authority: Authority): Promise<never> {
  const { request, grant, tier, action, context } = refusal;
  await authority.audit(request.tenant, [
    {
      principal: grant.principal,
      action: `compose.${action}`,
      scope_uuid: request.scope,
      decision: 'denied',
      tier,
      detail: request.manifestUsed.name,
      at: context.now,
    },
  ]);
  if (tier === 'T2' || tier === 'T3') {
    throw new ContextEngineError('PERMISSION.APPROVAL_REQUIRED', {
      message: `\`${action}\` of \`${request.manifestUsed.name}\` is \`${tier}\` for \`${grant.principal}\`, and approvals have not landed in this version.`,
      fix:
        action === 'cross_scope'
          ? 'Leave `include_scopes` out; read what the scope inherits from.'
          : 'Use a profile and a manifest whose `reads` is T1.',
      where: { field: 'permission_profile' },
      meta: { tier, action },
    });
  }
  throw new ContextEngineError('PERMISSION.DENIED', {
    message: `\`${grant.principal}\` may not read scope \`${request.scope}\`.`,
    fix: 'Add the scope to `permission_profile.scopes` if the principal holds it.',
    where: { field: 'permission_profile' },
    meta: { tier, action },
  });
}
