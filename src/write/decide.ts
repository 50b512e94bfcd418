/**
 * Which tier a write needs. T1 applies; T2 and T3 are decided and refused with a code until quarantine and approvals land.
 * Raw blocks are T1. Derived memory of an agent is what the manifest's `writes` says; said by a human or a service that holds T1 it is T1.
 */
import type { Authority } from '../cxri/authority.ts';
import { ContextEngineError } from '../errors.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { Manifest } from '../model/manifest.ts';
import type { Operation } from '../model/operation.ts';
import type { Grant, PermissionKey, Tier } from '../model/permission.ts';
import { holds, strictest } from '../model/permission.ts';

export interface Decision {
  readonly tier: Tier;
  readonly key: PermissionKey;
}

export function decide(operation: Operation, grant: Grant, manifest: Manifest | null): Decision {
  if (!holds(grant, operation.scope)) return { tier: 'excluded', key: 'writes' };
  if (operation.operation === 'NOOP') return { tier: 'T1', key: 'writes' };
  if (operation.operation === 'DELETE') return deletion(operation.cause, grant, manifest);
  if (operation.table === 'context_links') return linkage(operation, grant, manifest);
  const isRaw = operation.table === 'blocks' && operation.operation === 'ADD';
  if (isRaw) return { tier: grant.tiers.writes === 'excluded' ? 'excluded' : 'T1', key: 'writes' };
  return { tier: derived(grant, manifest), key: 'writes' };
}

const derived = (grant: Grant, manifest: Manifest | null): Tier =>
  grant.kind === 'agent' ? strictest(grant.tiers.writes, manifest?.permission.writes ?? 'T2') : grant.tiers.writes;

/** Ending what one may write is a change like any other; taking back what was believed is a deletion. */
function deletion(cause: string, grant: Grant, manifest: Manifest | null): Decision {
  if (cause === 'change') return { tier: derived(grant, manifest), key: 'writes' };
  return { tier: strictest(grant.tiers.deletes, manifest?.permission.deletes ?? 'T1'), key: 'deletes' };
}

/** `inherits` and `grants` are authority. A new scope may inherit from scopes that its maker holds; anything else is T3. */
function linkage(
  operation: Extract<Operation, { table: 'context_links'; operation: 'ADD' | 'UPDATE' }>,
  grant: Grant,
  manifest: Manifest | null,
): Decision {
  const { link_type: type, from_uuid: from, to_uuid: to } = operation.content;
  if (type !== 'inherits' && type !== 'grants') return { tier: derived(grant, manifest), key: 'writes' };
  const isOwned =
    type === 'inherits' && operation.operation === 'ADD' && grant.kind !== 'agent' && from === operation.scope && holds(grant, to);
  return { tier: isOwned ? 'T1' : strictest('T3', grant.tiers.grants), key: 'grants' };
}

export interface Refusal {
  readonly grant: Grant;
  readonly decision: Decision;
  readonly scope: Uuid;
  readonly index: number;
  readonly now: Instant;
}

/** Audits, then throws. */
export async function refuse({ grant, decision, scope, index, now }: Refusal, authority: Authority): Promise<never> {
  await authority.audit(grant.tenant, [
    {
      principal: grant.principal,
      action: `write.${decision.key}`,
      scope_uuid: scope,
      decision: 'denied',
      tier: decision.tier,
      detail: '',
      at: now,
    },
  ]);
  const where = { field: 'operations', index };
  if (decision.tier === 'T2' || decision.tier === 'T3') {
    throw new ContextEngineError('PERMISSION.APPROVAL_REQUIRED', {
      message: `The write is \`${decision.tier}\` (\`${decision.key}\`) for \`${grant.principal}\`; quarantine and approvals have not landed in this version.`,
      fix: 'Let a human or a service that holds T1 write it, or lower the tier in the manifest and the profile.',
      where,
      meta: { tier: decision.tier, action: decision.key },
    });
  }
  throw new ContextEngineError('PERMISSION.DENIED', {
    message: `\`${grant.principal}\` may not write to scope \`${scope}\`.`,
    fix: 'Use a profile that holds the scope and whose `writes` is not excluded.',
    where,
    meta: { tier: decision.tier, action: decision.key },
  });
}
