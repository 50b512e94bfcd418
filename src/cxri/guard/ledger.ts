/** The guard of the ledger port: what is asked is well formed, and the answer is of the tenant. */

import { assertThat } from '../../codes/errors.ts';
import { holds } from '../../model/permission.ts';
import { checkRequest } from '../check-request.ts';
import type { LedgerPort, ResolvedScope, ResolveRequest } from '../ports/ledger.ts';

export const guardLedger = (port: LedgerPort): LedgerPort => ({
  resolveScope: async (request) => {
    checkRequest('resolve', request);
    const resolved = await port.resolveScope(request);
    checkClosure(request, resolved);
    return resolved;
  },
  listScopes: async (tenant, held, now) => {
    checkRequest('scopes_at', { tenant, now });
    const listed = await port.listScopes(tenant, held, now);
    for (const { scope } of listed) {
      assertThat(scope.tenant_id === tenant, 'a listed scope is of the tenant');
      assertThat(holds({ scopes: held }, scope.root_uuid), 'a listed scope is held');
    }
    return listed;
  },
  describeScopes: async (tenant, scopes, now) => {
    checkRequest('scopes_at', { tenant, now });
    checkRequest('scope_names', { scopes });
    const described = await port.describeScopes(tenant, scopes, now);
    for (const { scope } of described)
      assertThat(scopes.includes(scope), 'described scopes are of those that were asked for');
    return described;
  },
  heads: async (tenant, scopes, signal) => {
    checkRequest('heads', { tenant, scopes });
    const heads = await port.heads(tenant, scopes, signal);
    for (const { scope } of [...heads.position, ...heads.usage_position])
      assertThat(scopes.includes(scope), 'heads are of the scopes that were asked for');
    return heads;
  },
});

function checkClosure(request: ResolveRequest, { closure }: ResolvedScope): void {
  const scopes = new Set(closure.map(({ scope }) => scope.root_uuid));
  assertThat(scopes.size === closure.length, 'a closure names each scope once');
  assertThat(closure.length <= request.max_scopes, 'a closure keeps its limit of scopes');
  assertThat(
    closure.length === 0 || closure[0]?.scope.root_uuid === request.scope,
    'a closure begins with the scope that was asked for',
  );
  for (const { scope, depth } of closure) {
    assertThat(scope.tenant_id === request.tenant, 'a closure stays in its tenant');
    assertThat(depth <= request.max_depth, 'a closure keeps its limit of depth');
  }
}
