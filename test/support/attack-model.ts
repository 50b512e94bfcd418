/**
 * Who may see and do what, as section 8 of the design says it. It shares no code with the engine:
 * where the design leaves a case to the engine the verdict is `open`, and nothing is held against
 * it.
 */
import type { PermissionProfile } from '../../src/index.ts';

const TIERS = ['T1', 'T2', 'T3', 'excluded'] as const;
type Tier = (typeof TIERS)[number];
const KEYS = [
  'reads',
  'writes',
  'cross_scope',
  'deletes',
  'grants',
  'redactions',
  'approvals',
] as const;
type Key = (typeof KEYS)[number];

/** What of a scope decides who may enter it. */
export interface JudgedScope {
  readonly tenant: string;
  readonly uuid: string;
  /** As its manifest says. */
  readonly reads: Tier;
  readonly writes: Tier;
}

/**
 * `named`: said and not used. `make` makes the scope, where the tenant of the claim has none of its
 * id. `remove` closes an edge, `inherit` lets the scope read from another, `whole` is of the
 * tenant.
 */
export type Right =
  | 'read'
  | 'raw'
  | 'make'
  | 'derived'
  | 'remove'
  | 'inherit'
  | 'import'
  | 'whole'
  | 'named'
  | 'none';
export type Verdict = 'allowed' | 'refused' | 'open';

interface Effective {
  readonly tenant: string;
  readonly kind: PermissionProfile['kind'];
  readonly tiers: Readonly<Record<Key, Tier>>;
  readonly scopes: PermissionProfile['scopes'];
}

const rank = (tier: Tier): number => TIERS.indexOf(tier);
const isT1 = (...tiers: readonly Tier[]): boolean => tiers.every((tier) => tier === 'T1');

function ownOf(profile: Omit<PermissionProfile, 'on_behalf_of'>): Effective {
  const unsaid = (key: Key): Tier => {
    if (key === 'reads') return 'T1';
    if (key === 'writes') return profile.kind === 'agent' ? 'T2' : 'T1';
    return 'T3';
  };
  // What needs a second principal is not lowered by a claim.
  const tierOf = (key: Key): Tier => {
    const said = profile.tiers?.[key] ?? unsaid(key);
    return key === 'reads' || key === 'writes' || rank(said) > rank('T3') ? said : 'T3';
  };
  const tiers = {
    reads: tierOf('reads'),
    writes: tierOf('writes'),
    cross_scope: tierOf('cross_scope'),
    deletes: tierOf('deletes'),
    grants: tierOf('grants'),
    redactions: tierOf('redactions'),
    approvals: tierOf('approvals'),
  };
  return { tenant: profile.tenant, kind: profile.kind, tiers, scopes: profile.scopes };
}

const has = (scopes: PermissionProfile['scopes'], uuid: string): boolean =>
  scopes === '*' || scopes.includes(uuid);

/** null = the claim is worth nothing: who acts for another has strictly less than the other. */
function effectiveOf(profile: PermissionProfile): Effective | null {
  const own = ownOf(profile);
  if (profile.on_behalf_of === undefined) return own;
  const outer = ownOf(profile.on_behalf_of);
  if (outer.tenant !== own.tenant) return null;
  if (KEYS.some((key) => rank(own.tiers[key]) < rank(outer.tiers[key]))) return null;
  const isInside =
    own.scopes === '*' ? outer.scopes === '*' : own.scopes.every((uuid) => has(outer.scopes, uuid));
  if (!isInside) return null;
  const isStricter = KEYS.some((key) => rank(own.tiers[key]) > rank(outer.tiers[key]));
  const isFewer =
    outer.scopes === '*'
      ? own.scopes !== '*'
      : own.scopes !== '*' && new Set(own.scopes).size < new Set(outer.scopes).size;
  return isStricter || isFewer ? own : null;
}

/** Whether the claim covers the id, whatever tenant it is known from; null = an id of nobody's. */
export function claims(profile: PermissionProfile, uuid: string | null): boolean {
  const effective = effectiveOf(profile);
  if (effective === null) return false;
  return effective.scopes === '*' || (uuid !== null && effective.scopes.includes(uuid));
}

/** Whether the profile can know that the scope is there. */
export function isHeld(profile: PermissionProfile, scope: JudgedScope | null): boolean {
  const effective = effectiveOf(profile);
  return (
    scope !== null &&
    effective !== null &&
    effective.tenant === scope.tenant &&
    has(effective.scopes, scope.uuid)
  );
}

/** `scope` null = there is none. */
export function verdictOf(
  profile: PermissionProfile,
  right: Right,
  scope: JudgedScope | null,
): Verdict {
  const effective = effectiveOf(profile);
  if (effective === null) return 'refused';
  const { tiers, kind } = effective;
  if (right === 'none' || right === 'named') return 'open';
  if (right === 'whole') return wholeOf(effective);
  if (right === 'make') return claims(profile, scope?.uuid ?? null) ? 'open' : 'refused';
  if (right === 'import') return importOf(effective, scope);
  if (scope === null || !isHeld(profile, scope)) return 'refused';
  if (right === 'read') return isT1(tiers.reads, scope.reads) ? 'allowed' : 'refused';
  const isReader = isT1(tiers.reads, scope.reads);
  if (right === 'raw') return tiers.writes === 'excluded' || !isReader ? 'open' : 'allowed';
  const isWriter = kind === 'agent' ? isT1(tiers.writes, scope.writes) : isT1(tiers.writes);
  if (!isWriter) return 'refused';
  if (right === 'derived') return isReader ? 'allowed' : 'open';
  if (right === 'inherit') return kind === 'agent' ? 'refused' : 'open';
  return isReader && isT1(tiers.deletes) ? 'allowed' : 'open';
}

/** An import makes a scope that the tenant does not have, of an id that the claim covers. */
function importOf(effective: Effective, scope: JudgedScope | null): Verdict {
  if (scope?.tenant === effective.tenant) return 'refused';
  if (effective.scopes === '*') return wholeOf(effective);
  return scope !== null && effective.scopes.includes(scope.uuid) ? 'open' : 'refused';
}

function wholeOf({ scopes, tiers, kind }: Effective): Verdict {
  if (scopes !== '*') return 'refused';
  return isT1(tiers.reads, tiers.writes) && kind === 'human' ? 'allowed' : 'open';
}

/** Any that is refused refuses the whole. */
export function together(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('refused')) return 'refused';
  return verdicts.includes('open') ? 'open' : 'allowed';
}

/** Who claims the one claims the other instead: a claim alone makes nothing. */
export function renamed(profile: PermissionProfile, from: string, to: string): PermissionProfile {
  const scopesOf = ({ scopes }: Pick<PermissionProfile, 'scopes'>): PermissionProfile['scopes'] =>
    scopes === '*' ? scopes : scopes.map((uuid) => (uuid === from ? to : uuid));
  const { on_behalf_of: outer } = profile;
  return {
    ...profile,
    scopes: scopesOf(profile),
    ...(outer && { on_behalf_of: { ...outer, scopes: scopesOf(outer) } }),
  };
}
