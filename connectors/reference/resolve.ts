/**
 * From a scope to what may be read with it: the closure along `inherits`, the heads, the stored
 * rights.
 */
import type {
  ClosureEntry,
  DescribedScope,
  ResolvedScope,
  ResolveRequest,
} from '../../src/cxri/ports/ledger.ts';
import type { BlockRow, LinkRow } from '../../src/model/block.ts';
import type { Instant, TenantId, Uuid } from '../../src/model/ids.ts';
import { type HeldScopes, holds } from '../../src/model/permission.ts';
import { compare } from './filter.ts';
import { readRights } from './rights.ts';
import { isBelieved, lastTime, type ScopeState, type Store, type TenantState } from './store.ts';

export function resolveScope(store: Store, request: ResolveRequest): ResolvedScope {
  const tenant = store.tenants.get(request.tenant);
  return {
    ...(tenant ? closureOf(store, tenant, request) : { closure: [], isCut: false }),
    rights: readRights(store, request.tenant, request.principals),
    policy_epoch: tenant?.epoch ?? 0,
  };
}

/** Breadth first by (ordinal, uuid); what stands in a cycle is met once. */
function closureOf(
  store: Store,
  tenant: TenantState,
  request: ResolveRequest,
): Pick<ResolvedScope, 'closure' | 'isCut'> {
  const closure: ClosureEntry[] = [];
  const seen = new Set<Uuid>();
  let isCut = false;
  let level: readonly Uuid[] = [request.scope];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: Uuid[] = [];
    for (const uuid of level) {
      const scope = seen.has(uuid) ? undefined : currentBlock(tenant, uuid);
      if (!scope) continue;
      if (depth > request.max_depth || closure.length === request.max_scopes) {
        isCut = true;
        continue;
      }
      seen.add(uuid);
      const state = tenant.scopes.get(uuid);
      closure.push({
        scope,
        depth,
        ...headsAt(state, request.recorded_as_of),
        recorded_at: state ? lastTime(state) : null,
      });
      next.push(...outerScopes(state, store.now()));
    }
    level = next;
  }
  return { closure, isCut };
}

/** The believed version of a block that begins last. */
export function currentBlock(tenant: TenantState, root: Uuid): BlockRow | undefined {
  return (tenant.roots.get(root) ?? [])
    .flatMap((slot) => (slot.entry.table === 'blocks' && isBelieved(slot) ? [slot.entry.row] : []))
    .sort((a, b) => compare(b.valid_from, a.valid_from) || compare(a.uuid, b.uuid) || 0)[0];
}

/**
 * `inherits` is authority: judged as of now, and only where it is written in the scope that
 * inherits.
 */
function outerScopes(scope: ScopeState | undefined, now: Instant): readonly Uuid[] {
  return (scope?.slots.context_links ?? [])
    .flatMap((slot) =>
      slot.entry.table === 'context_links' && isBelieved(slot) && isInheritance(slot.entry.row, now)
        ? [slot.entry.row]
        : [],
    )
    .sort((a, b) => a.ordinal - b.ordinal || compare(a.to_uuid, b.to_uuid) || 0)
    .map((link) => link.to_uuid);
}

const isInheritance = (link: LinkRow, now: Instant): boolean =>
  link.link_type === 'inherits' &&
  link.from_uuid === link.scope_uuid &&
  link.valid_from <= now &&
  (link.valid_until === null || link.valid_until > now);

function headsAt(
  scope: ScopeState | undefined,
  at: Instant | undefined,
): { readonly head: number; readonly usage_head: number } {
  if (!scope) return { head: 0, usage_head: 0 };
  if (at === undefined) return { head: scope.head, usage_head: scope.usage.length };
  return {
    head: scope.journal.findLast((entry) => entry.recorded_at <= at)?.seq ?? 0,
    usage_head: scope.usage.findLast((entry) => entry.recordedAt <= at)?.seq ?? 0,
  };
}

export function listScopes(
  store: Store,
  tenant: TenantId,
  by: { readonly held: HeldScopes; readonly now: Instant },
): readonly { readonly scope: BlockRow; readonly head: number }[] {
  const state = store.tenants.get(tenant);
  return [...(state?.scopes.values() ?? [])]
    .flatMap(({ uuid, head }) => {
      const scope =
        state && holds({ scopes: by.held }, uuid) ? currentBlock(state, uuid) : undefined;
      return scope &&
        scope.valid_from <= by.now &&
        (scope.valid_until === null || scope.valid_until > by.now)
        ? [{ scope, head }]
        : [];
    })
    .sort(
      (a, b) =>
        compare(a.scope.valid_from, b.scope.valid_from) || compare(a.scope.uuid, b.scope.uuid) || 0,
    );
}

export function describeScopes(
  store: Store,
  tenant: TenantId,
  asked: { readonly scopes: readonly Uuid[]; readonly now: Instant },
): readonly DescribedScope[] {
  return asked.scopes.flatMap((uuid) => {
    const scope = store.tenants.get(tenant)?.scopes.get(uuid);
    if (!scope) return [];
    const birth = scope.journal.find((entry) => entry.uuid === uuid);
    const inherits = outerScopes(scope, asked.now);
    return [{ scope: uuid, key: birth?.idempotency_key ?? null, inherits }];
  });
}
