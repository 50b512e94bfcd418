/**
 * From a claimed profile to what it is worth. Pure; the engine's `authority` decides what claim and
 * stored rights go in.
 */
import { ContextEngineError } from '../codes/errors.ts';
import { checkInput } from '../inputs/check-input.ts';
import type { Uuid } from '../model/ids.ts';
import { parseTenant, parseUuid } from '../model/ids.ts';
import type {
  Grant,
  HeldScopes,
  PermissionKey,
  PermissionProfile,
  StoredRights,
  Tier,
  TierTable,
} from '../model/permission.ts';
import { PERMISSION_KEYS, strictest, TIERS } from '../model/permission.ts';

/**
 * A copy of a profile of unknown origin, checked field by field.
 * Throws `PERMISSION.PROFILE_MISSING` or `PERMISSION.INVALID_PROFILE`.
 */
export function parseProfile(value: unknown): PermissionProfile {
  if (value === undefined || value === null) {
    throw new ContextEngineError('PERMISSION.PROFILE_MISSING', {
      message: 'The call has no permission profile.',
      fix:
        'Pass `permission_profile: { principal, tenant, kind, scopes }`; on the command line ' +
        '`--profile FILE`.',
    });
  }
  checkInput('profile', value);
  // It has the fields of a profile, each of its type, and no other.
  const { on_behalf_of: behalf, ...claim } = value as PermissionProfile;
  return { ...copied(claim), ...(behalf !== undefined && { on_behalf_of: copied(behalf) }) };
}

const copied = (claim: Omit<PermissionProfile, 'on_behalf_of'>) => {
  const { principal, kind, scopes, tiers } = claim;
  return {
    principal,
    kind,
    tenant: parseTenant(claim.tenant),
    scopes: scopes === '*' ? scopes : scopes.map((scope) => parseUuid(scope, 'scopes')),
    tiers: { ...tiers },
  } as const;
};

/**
 * Agents propose derived memory (T2), people and services that hold T1 state it; the last four and
 * cross-scope wait for a second principal.
 */
export const defaultTier = (key: PermissionKey, kind: PermissionProfile['kind']): Tier => {
  if (key === 'reads') return 'T1';
  if (key === 'writes') return kind === 'agent' ? 'T2' : 'T1';
  return 'T3';
};

const heldOf = (scopes: PermissionProfile['scopes']): HeldScopes =>
  scopes === '*'
    ? { all: true, uuids: new Set() }
    : { all: false, uuids: new Set(scopes as readonly Uuid[]) };

const intersect = (a: HeldScopes, b: HeldScopes): HeldScopes => {
  if (a.all) return b;
  if (b.all) return a;
  return { all: false, uuids: new Set([...a.uuids].filter((uuid) => b.uuids.has(uuid))) };
};

/** Effective rights of a profile on its own: claim ∩ stored, strictest tier of both. */
function ownRights(
  profile: Omit<PermissionProfile, 'on_behalf_of'>,
  stored: StoredRights | undefined,
  owner: string | null,
): OwnRights {
  if (stored?.isDisabled)
    throw denied(
      `The principal \`${profile.principal}\` is disabled.`,
      'Enable the principal or use another one.',
    );
  if (stored && stored.kind !== profile.kind)
    throw denied(
      `The principal \`${profile.principal}\` is stored as \`${stored.kind}\`, the profile ` +
        `claims \`${profile.kind}\`.`,
      'Send the profile with the kind that is stored.',
    );
  const isOwner = !stored && profile.kind === 'human' && profile.principal === owner;
  const tierOf = (key: PermissionKey): Tier => {
    const claimed = profile.tiers?.[key];
    const known = stored?.tiers[key];
    const byDefault = isOwner ? 'T1' : defaultTier(key, profile.kind);
    // What needs a second principal is lowered by what is stored alone: a claim only restricts it.
    return CLAIMABLE.has(key)
      ? strictest(claimed ?? byDefault, known ?? 'T1')
      : strictest(claimed ?? 'T1', known ?? byDefault);
  };
  const tiers = Object.fromEntries(PERMISSION_KEYS.map((key) => [key, tierOf(key)])) as Record<
    PermissionKey,
    Tier
  >;
  const claimed = heldOf(profile.scopes);
  return { tiers, scopes: stored ? intersect(claimed, stored.scopes) : claimed, isOwner };
}

/** What the embedding process may state of its callers. */
const CLAIMABLE: ReadonlySet<PermissionKey> = new Set(['reads', 'writes']);

interface OwnRights {
  readonly tiers: TierTable;
  readonly scopes: HeldScopes;
  /** The human of an embedded folder, of whom nothing else is stored. */
  readonly isOwner: boolean;
}

const denied = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('PERMISSION.DENIED', { message, fix });

/**
 * What a profile may do. An agent acting for someone gets the strictest of both, and must be a
 * strict subset of them: nothing it holds may be outside, and at least one key must be stricter or
 * one scope fewer.
 */
export function judgeProfile(
  profile: PermissionProfile,
  rights: Readonly<Record<string, StoredRights>>,
  by: { readonly digestOf: (text: string) => string; readonly owner: string | null },
): Grant {
  const storedOf = (principal: string): StoredRights | undefined =>
    Object.hasOwn(rights, principal) ? rights[principal] : undefined;
  const own = ownRights(profile, storedOf(profile.principal), by.owner);
  const behalf = profile.on_behalf_of;
  const outer = behalf && ownRights(behalf, storedOf(behalf.principal), by.owner);
  if (behalf && outer) assertSubset(profile, own, outer);
  const tiers = outer
    ? (Object.fromEntries(
        PERMISSION_KEYS.map((key) => [key, strictest(own.tiers[key], outer.tiers[key])]),
      ) as Record<PermissionKey, Tier>)
    : own.tiers;
  const scopes = outer ? intersect(own.scopes, outer.scopes) : own.scopes;
  const tenant = parseTenant(profile.tenant);
  const shape = [
    tenant,
    profile.principal,
    profile.kind,
    behalf?.principal ?? null,
    PERMISSION_KEYS.map((key) => tiers[key]),
    scopes.all ? '*' : [...scopes.uuids].sort(),
  ];
  return {
    tenant,
    principal: profile.principal,
    kind: profile.kind,
    onBehalfOf: behalf?.principal ?? null,
    tiers,
    scopes,
    isOwner: own.isOwner && !behalf,
    digest: by.digestOf(JSON.stringify(shape)),
  };
}

function assertSubset(
  profile: PermissionProfile,
  own: Pick<OwnRights, 'tiers' | 'scopes'>,
  outer: Pick<OwnRights, 'tiers' | 'scopes'>,
): void {
  if (profile.on_behalf_of?.tenant !== profile.tenant)
    throw denied(
      `\`${profile.principal}\` acts in tenant \`${profile.tenant}\` for a principal of ` +
        `\`${profile.on_behalf_of?.tenant}\`.`,
      'Keep both in one tenant.',
    );
  const wider = PERMISSION_KEYS.find(
    (key) => TIERS.indexOf(own.tiers[key]) < TIERS.indexOf(outer.tiers[key]),
  );
  if (wider)
    throw denied(
      `\`${profile.principal}\` claims \`${wider}: ${own.tiers[wider]}\`, its principal only ` +
        `holds \`${outer.tiers[wider]}\`.`,
      'Give the agent at most the rights of the principal that it acts for.',
    );
  const isScopeOutside =
    !outer.scopes.all &&
    (own.scopes.all || [...own.scopes.uuids].some((uuid) => !outer.scopes.uuids.has(uuid)));
  if (isScopeOutside)
    throw denied(
      `\`${profile.principal}\` claims scopes that its principal does not hold.`,
      'List only scopes of the principal that it acts for.',
    );
  const isStricter = PERMISSION_KEYS.some((key) => own.tiers[key] !== outer.tiers[key]);
  const isFewer =
    outer.scopes.all !== own.scopes.all || own.scopes.uuids.size < outer.scopes.uuids.size;
  if (!isStricter && !isFewer)
    throw denied(
      `\`${profile.principal}\` claims all the rights of its principal.`,
      'Make at least one tier of the agent stricter, or list fewer scopes.',
    );
}
