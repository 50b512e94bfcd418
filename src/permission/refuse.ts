/** The one refusal: it is in the audit before the caller hears of it. */
import { ContextEngineError, type ErrorLocation } from '../codes/errors.ts';
import type { AuditPort } from '../cxri/ports/audit.ts';
import type { Instant, TenantId, Uuid } from '../model/ids.ts';
import type { PermissionKey, Tier } from '../model/permission.ts';

export interface Refusal {
  readonly tenant: TenantId;
  readonly principal: string;
  readonly onBehalfOf: string | null;
  readonly tier: Tier;
  readonly key: PermissionKey;
  /** What was entered: `compose`, `look_back`, `write`, … */
  readonly door: string;
  /** As the caller named it; null = no single scope. */
  readonly scope: Uuid | null;
  readonly where: ErrorLocation;
  readonly at: Instant;
}

/** Rejects always: with the refusal, or with what kept it from being audited. */
export async function refuse(refusal: Refusal, port: Pick<AuditPort, 'audit'>): Promise<never> {
  const { tenant, principal, onBehalfOf, tier, key, door, scope, at } = refusal;
  await port.audit(tenant, [
    {
      principal,
      on_behalf_of: onBehalfOf,
      action: `${door}.${key}`,
      scope_uuid: scope,
      decision: 'denied',
      tier,
      detail: '',
      at,
    },
  ]);
  throw toError(refusal);
}

function toError({ principal, tier, key, scope, where }: Refusal): ContextEngineError {
  const meta = { tier, action: key };
  const place = scope === null ? '' : ` of scope \`${scope}\``;
  if (tier === 'T2' || tier === 'T3')
    return new ContextEngineError('PERMISSION.APPROVAL_REQUIRED', {
      message: `\`${key}\`${place} is \`${tier}\` for \`${principal}\`: it takes a second principal.`,
      fix: FIXES[key] ?? `Use a profile and a manifest whose \`${key}\` is T1.`,
      where,
      meta,
    });
  return new ContextEngineError('PERMISSION.DENIED', {
    message: `\`${principal}\` does not hold \`${key}\`${place}.`,
    fix: `Use a profile that holds the scope and whose \`${key}\` is not excluded.`,
    where,
    meta,
  });
}

const FIXES: Readonly<Partial<Record<PermissionKey, string>>> = {
  cross_scope: 'Leave `include_scopes` out; read what the scope inherits from.',
  writes:
    'Let a human or a service that holds T1 write it, or lower the tier in manifest and profile.',
  redactions:
    'Let who holds T1 do it, or `forget` it by version, root or block, without `now`, to propose it: ' +
    'what a name, a text or a scope reaches is not what it reached when it was shown.',
};
