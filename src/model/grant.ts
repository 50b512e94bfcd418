/** From a claimed profile to what it is worth. Pure; the engine's `authority` decides what claim and stored rights go in. */
import { ContextEngineError } from '../errors.ts';
import type { Uuid } from './ids.ts';
import { parseTenant, parseUuid, shown } from './ids.ts';
import type { Grant, HeldScopes, PermissionKey, PermissionProfile, StoredRights, Tier, TierTable } from './permission.ts';
import { PERMISSION_KEYS, strictest, TIERS } from './permission.ts';

const invalid = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('PERMISSION.INVALID_PROFILE', { message, fix, where: { field: 'permission_profile' } });

/** A profile of unknown origin, checked field by field. Throws `PERMISSION.PROFILE_MISSING` or `PERMISSION.INVALID_PROFILE`. */
export function parseProfile(value: unknown): PermissionProfile {
  if (value === undefined || value === null) {
    throw new ContextEngineError('PERMISSION.PROFILE_MISSING', {
      message: 'The call has no permission profile.',
      fix: 'Pass `permission_profile: { principal, tenant, kind, scopes }`; on the command line `--profile FILE`.',
    });
  }
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalid(`The permission profile is \`${shown(value)}\`.`, 'Pass an object with principal, tenant, kind and scopes.');
  const claim = value as Readonly<Record<string, unknown>>;
  const unknownKey = Object.keys(claim).find((key) => !['principal', 'tenant', 'kind', 'tiers', 'scopes', 'on_behalf_of'].includes(key));
  if (unknownKey !== undefined)
    throw invalid(
      `The permission profile has the unknown key \`${shown(unknownKey)}\`.`,
      'Use principal, tenant, kind, tiers, scopes and on_behalf_of.',
    );
  const { principal, kind } = claim;
  if (typeof principal !== 'string' || principal.length === 0 || principal.length > 200)
    throw invalid(`\`principal\` is \`${shown(principal)}\`.`, 'Name the principal in 1 to 200 characters.');
  if (kind !== 'human' && kind !== 'agent' && kind !== 'service')
    throw invalid(`\`kind\` is \`${shown(kind)}\`.`, 'Use `human`, `agent` or `service`.');
  const tenant = parseTenant(claim['tenant']);
  const profile: PermissionProfile = { principal, kind, tenant, scopes: parseScopes(claim['scopes']), tiers: parseTiers(claim['tiers']) };
  if (claim['on_behalf_of'] === undefined) return profile;
  return { ...profile, on_behalf_of: parseProfile(claim['on_behalf_of']) };
}

function parseScopes(value: unknown): PermissionProfile['scopes'] {
  if (value === '*') return value;
  if (!Array.isArray(value))
    throw invalid(`\`scopes\` is \`${shown(value)}\`.`, "List the scope uuids that the principal holds, or `'*'` for all of the tenant.");
  return value.map((scope) => parseUuid(scope, 'permission_profile.scopes'));
}

function parseTiers(value: unknown): Partial<TierTable> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null)
    throw invalid(`\`tiers\` is \`${shown(value)}\`.`, `Give a tier for any of ${PERMISSION_KEYS.join(', ')}.`);
  for (const [key, tier] of Object.entries(value)) {
    if (!PERMISSION_KEYS.some((known) => known === key))
      throw invalid(`\`tiers\` has the unknown key \`${shown(key)}\`.`, `Use ${PERMISSION_KEYS.join(', ')}.`);
    if (!TIERS.some((known) => known === tier)) throw invalid(`\`tiers.${key}\` is \`${shown(tier)}\`.`, `Use ${TIERS.join(', ')}.`);
  }
  return value;
}

/** Agents propose derived memory (T2), people and services that hold T1 state it; the last four and cross-scope wait for a second principal. */
const defaultTier = (key: PermissionKey, kind: PermissionProfile['kind']): Tier => {
  if (key === 'reads') return 'T1';
  if (key === 'writes') return kind === 'agent' ? 'T2' : 'T1';
  return 'T3';
};

const heldOf = (scopes: PermissionProfile['scopes']): HeldScopes =>
  scopes === '*' ? { all: true, uuids: new Set() } : { all: false, uuids: new Set(scopes as readonly Uuid[]) };

const intersect = (a: HeldScopes, b: HeldScopes): HeldScopes => {
  if (a.all) return b;
  if (b.all) return a;
  return { all: false, uuids: new Set([...a.uuids].filter((uuid) => b.uuids.has(uuid))) };
};

/** Effective rights of a profile on its own: claim ∩ stored, strictest tier of both. */
function ownRights(
  profile: Omit<PermissionProfile, 'on_behalf_of'>,
  stored: StoredRights | undefined,
): { tiers: TierTable; scopes: HeldScopes } {
  if (stored?.isDisabled) throw denied(`The principal \`${profile.principal}\` is disabled.`, 'Enable the principal or use another one.');
  if (stored && stored.kind !== profile.kind)
    throw denied(
      `The principal \`${profile.principal}\` is stored as \`${stored.kind}\`, the profile claims \`${profile.kind}\`.`,
      'Send the profile with the kind that is stored.',
    );
  const tiers = Object.fromEntries(
    PERMISSION_KEYS.map((key) => [key, strictest(profile.tiers?.[key] ?? defaultTier(key, profile.kind), stored?.tiers[key] ?? 'T1')]),
  ) as Record<PermissionKey, Tier>;
  const claimed = heldOf(profile.scopes);
  return { tiers, scopes: stored ? intersect(claimed, stored.scopes) : claimed };
}

const denied = (message: string, fix: string): ContextEngineError => new ContextEngineError('PERMISSION.DENIED', { message, fix });

/**
 * What a profile may do. An agent acting for someone gets the strictest of both, and must be a strict subset of them:
 * nothing it holds may be outside, and at least one key must be stricter or one scope fewer.
 */
export function judgeProfile(
  profile: PermissionProfile,
  rights: Readonly<Record<string, StoredRights>>,
  digestOf: (text: string) => string,
): Grant {
  const own = ownRights(profile, rights[profile.principal]);
  const behalf = profile.on_behalf_of;
  const outer = behalf && ownRights(behalf, rights[behalf.principal]);
  if (behalf && outer) assertSubset(profile, own, outer);
  const tiers = outer
    ? (Object.fromEntries(PERMISSION_KEYS.map((key) => [key, strictest(own.tiers[key], outer.tiers[key])])) as Record<PermissionKey, Tier>)
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
    digest: digestOf(JSON.stringify(shape)),
  };
}

function assertSubset(
  profile: PermissionProfile,
  own: { tiers: TierTable; scopes: HeldScopes },
  outer: { tiers: TierTable; scopes: HeldScopes },
): void {
  if (profile.on_behalf_of?.tenant !== profile.tenant)
    throw denied(
      `\`${profile.principal}\` acts in tenant \`${profile.tenant}\` for a principal of \`${profile.on_behalf_of?.tenant}\`.`,
      'Keep both in one tenant.',
    );
  const wider = PERMISSION_KEYS.find((key) => TIERS.indexOf(own.tiers[key]) < TIERS.indexOf(outer.tiers[key]));
  if (wider)
    throw denied(
      `\`${profile.principal}\` claims \`${wider}: ${own.tiers[wider]}\`, its principal only holds \`${outer.tiers[wider]}\`.`,
      'Give the agent at most the rights of the principal that it acts for.',
    );
  const isScopeOutside = !outer.scopes.all && (own.scopes.all || [...own.scopes.uuids].some((uuid) => !outer.scopes.uuids.has(uuid)));
  if (isScopeOutside)
    throw denied(
      `\`${profile.principal}\` claims scopes that its principal does not hold.`,
      'List only scopes of the principal that it acts for.',
    );
  const isStricter = PERMISSION_KEYS.some((key) => own.tiers[key] !== outer.tiers[key]);
  const isFewer = outer.scopes.all !== own.scopes.all || own.scopes.uuids.size < outer.scopes.uuids.size;
  if (!isStricter && !isFewer)
    throw denied(
      `\`${profile.principal}\` claims all the rights of its principal.`,
      'Make at least one tier of the agent stricter, or list fewer scopes.',
    );
}
