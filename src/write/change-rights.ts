/** Rights of principals change by the tier of `grants`: at once, or as a proposal. */
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import type { Instant } from '../model/ids.ts';
import {
  type Grant,
  PERMISSION_KEYS,
  type StoredRights,
  strictest,
  TIERS,
} from '../model/permission.ts';
import type { Proposal, RightsChange } from '../model/proposal.ts';
import type { PermissionDoor } from '../permission/door.ts';
import { defaultTier } from '../permission/judge-profile.ts';

export interface ChangingRights {
  readonly authority: Pick<Authority, 'changeRights' | 'listPrincipals'>;
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
  const refused = { detail: change.principal, tier, key: 'grants' } as const;
  if (isWider(await holdsAfter(change, grant, authority), grant)) {
    await permission.auditRefusal(grant, refused, entrance);
    throw new ContextEngineError('PERMISSION.RIGHTS_REFUSED', {
      message: `\`${change.principal}\` would hold more than \`${grant.principal}\`, who gives it.`,
      fix:
        'Give at most the tiers that you hold; one that is not named is the default. Let one who ' +
        'holds as much enable it, or register its key.',
      where: { field: 'tiers' },
    });
  }
  const { principal, onBehalfOf: on_behalf_of } = grant;
  const by = { principal, on_behalf_of, scope_uuid: null, at: now };
  await authority.changeRights(grant.tenant, change, by).catch(async (error: unknown) => {
    if (error instanceof ContextEngineError && error.code.startsWith('PERMISSION.'))
      await permission.auditRefusal(grant, refused, entrance);
    throw error;
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

type Given = Pick<StoredRights, 'kind' | 'tiers'>;

/**
 * What the principal holds by the change: what it is set to, or what is stored where it is enabled
 * or can approve by a new key. null = it holds nothing by it.
 */
async function holdsAfter(
  change: RightsChange,
  { tenant }: Grant,
  authority: Pick<Authority, 'listPrincipals'>,
): Promise<Given | null> {
  if (change.action === 'set') return change;
  if (change.action !== 'enable' && change.action !== 'add_key') return null;
  const stored = await authority.listPrincipals(tenant);
  return stored.find(({ principal }) => principal === change.principal) ?? null;
}

const isWider = (given: Given | null, grant: Grant): boolean =>
  given !== null &&
  PERMISSION_KEYS.some(
    (key) =>
      TIERS.indexOf(given.tiers[key] ?? defaultTier(key, given.kind)) <
      TIERS.indexOf(grant.tiers[key]),
  );
