/** Reading outside of the closure: by the tier of `cross_scope`, audited each time. */
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { BlockRow } from '../model/block.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { type Grant, strictest, type Tier } from '../model/permission.ts';
import type { PermissionDoor } from './door.ts';

export interface CrossReading {
  /** Of the call. */
  readonly own: BlockRow;
  /** Outside of its closure. */
  readonly scopes: readonly Uuid[];
  /** What the manifest of the call says. */
  readonly manifestTier: Tier;
  /** A proposal that was approved for just this. */
  readonly approval: Uuid | null;
  readonly now: Instant;
}

const ENTRANCE = { door: 'compose', field: 'include_scopes' } as const;

/**
 * Resolves where the scopes may be read, after the audit has it. T2 and T3 reject with the proposal
 * that waits in `meta.proposal`; approved, it serves one call. A scope that is not held answers
 * like one that is not there.
 */
export async function assertCrossReads(
  grant: Grant,
  reading: CrossReading,
  by: {
    readonly door: PermissionDoor;
    readonly authority: Pick<Authority, 'audit' | 'useApproval'>;
  },
): Promise<void> {
  const { own, scopes, manifestTier, approval, now } = reading;
  const { door, authority } = by;
  const scope = own.root_uuid;
  const tier = strictest(
    grant.kind === 'agent' ? 'T3' : 'T1',
    grant.tiers.cross_scope,
    manifestTier,
    door.policy.tierOf(own.block_type, 'cross_scope') ?? 'T1',
  );
  if (tier === 'excluded') await door.deny(grant, { tier, key: 'cross_scope', scope }, ENTRANCE);
  for (const each of scopes) await door.assertReadable(grant, each, ENTRANCE);
  const { tenant, principal, onBehalfOf: on_behalf_of } = grant;
  if (tier === 'T1')
    return authority.audit(
      tenant,
      scopes.map((scope_uuid) => ({
        principal,
        on_behalf_of,
        action: 'compose.cross_scope',
        scope_uuid,
        decision: 'allowed' as const,
        tier,
        detail: scope,
        at: now,
      })),
    );
  if (approval !== null) {
    const asked = { principal, on_behalf_of, scope, include_scopes: scopes, tier, at: now };
    if (await authority.useApproval({ tenant, proposal: approval, ...asked })) return;
    await door.auditRefusal(grant, { detail: approval, tier, key: 'cross_scope' }, ENTRANCE);
    throw new ContextEngineError('PERMISSION.APPROVAL_REQUIRED', {
      message: `\`${approval}\` approves no such read by \`${principal}\`, or was used.`,
      fix: 'Leave `approval` out to propose the read, and pass what it names once it is approved.',
      where: { field: 'approval' },
      meta: { tier, action: 'cross_scope' },
    });
  }
  if (tier === 'excluded') return; // denied above
  const { proposal_uuid } = await door.propose(grant, {
    kind: 'read',
    key: 'cross_scope',
    tier,
    writer: 'compose',
    scopes: [scope, ...scopes],
    include_scopes: scopes,
  });
  throw new ContextEngineError('PERMISSION.APPROVAL_REQUIRED', {
    message:
      `Reading \`${scopes.length}\` scopes outside of what \`${scope}\` inherits is ` +
      `\`${tier}\` for \`${principal}\`: it waits as \`${proposal_uuid}\`.`,
    fix:
      'Let another principal approve it, then pass its uuid as `approval`; or leave ' +
      '`include_scopes` out.',
    where: { field: 'include_scopes' },
    meta: { tier, action: 'cross_scope', proposal: proposal_uuid },
  });
}
