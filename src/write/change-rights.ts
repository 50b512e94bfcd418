/** Rights of principals change by the tier of `grants`: at once, or as a proposal. */
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { Instant } from '../model/ids.ts';
import { type Grant, PERMISSION_KEYS, strictest, TIERS } from '../model/permission.ts';
import type { Proposal, RightsChange } from '../model/proposal.ts';
import type { PermissionDoor } from '../permission/door.ts';
import { defaultTier } from '../permission/judge-profile.ts';

export interface ChangingRights {
  readonly authority: Pick<Authority, 'changeRights'>;
  readonly permission: PermissionDoor;
  readonly grant: Grant;
  readonly now: Instant;
  readonly writer: string;
}

/** The proposal that waits, or null: it is changed. Who changes rights holds the whole tenant. */
export async function changeRights(
  change: RightsChange,
  { authority, permission, grant, now, writer }: ChangingRights,
): Promise<Proposal | null> {
  const entrance = { door: 'principals', field: 'permission_profile' };
  const tier = grant.scopes.all ? tierOf(change, grant) : 'excluded';
  if (tier === 'excluded')
    return permission.deny(grant, { tier, key: 'grants', scope: null }, entrance);
  if (tier !== 'T1')
    return permission.propose(grant, {
      kind: 'rights',
      key: 'grants',
      tier: 'T3',
      scopes: [],
      writer,
      change,
    });
  if (isWider(change, grant)) {
    await permission.tell(grant, { detail: change.principal, tier, key: 'grants' }, entrance);
    throw new ContextEngineError('PERMISSION.RIGHTS_REFUSED', {
      message: `\`${change.principal}\` would hold more than \`${grant.principal}\`, who gives it.`,
      fix: 'Give at most the tiers that you hold; one that is not named is the default.',
      where: { field: 'tiers' },
    });
  }
  await authority.changeRights(grant.tenant, change, {
    principal: grant.principal,
    on_behalf_of: grant.onBehalfOf,
    scope_uuid: null,
    at: now,
  });
  return null;
}

/**
 * Nobody but the owner of a folder changes what they themselves hold, by themselves or on whose
 * behalf another acts; an agent changes nothing alone.
 */
function tierOf(change: RightsChange, grant: Grant) {
  const isOwnRight = change.principal === grant.principal || change.principal === grant.onBehalfOf;
  return strictest(
    (isOwnRight && !grant.isOwner) || grant.kind === 'agent' ? 'T3' : 'T1',
    grant.tiers.grants,
  );
}

const isWider = (change: RightsChange, grant: Grant): boolean =>
  change.action === 'set' &&
  PERMISSION_KEYS.some((key) => {
    const given = change.tiers[key] ?? defaultTier(key, change.kind);
    return TIERS.indexOf(given) < TIERS.indexOf(grant.tiers[key]);
  });
