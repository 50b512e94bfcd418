/**
 * Tiers, profiles, grants. `permission_profile` is a claim; only the permission stage turns it into
 * a {@link Grant}.
 */
import type { Instant, TenantId, Uuid } from './ids.ts';

/** T1 autonomous < T2 soft approval < T3 strong approval < excluded. */
export const TIERS = ['T1', 'T2', 'T3', 'excluded'] as const;
export type Tier = (typeof TIERS)[number];
export const PERMISSION_KEYS = [
  'reads',
  'writes',
  'cross_scope',
  'deletes',
  'grants',
  'redactions',
  'approvals',
] as const;
export type PermissionKey = (typeof PERMISSION_KEYS)[number];
export type TierTable = Readonly<Record<PermissionKey, Tier>>;

/** What a caller claims to be. */
export interface PermissionProfile {
  readonly principal: string;
  readonly tenant: string;
  readonly kind: 'human' | 'agent' | 'service';
  /**
   * Missing keys take the defaults: reads T1, writes T1 for a human or service and T2 for an agent,
   * all else T3. Below T3 those come from what is stored for the principal alone; a claim restricts
   * them.
   */
  readonly tiers?: Readonly<Partial<Record<PermissionKey, Tier>>>;
  /** The scopes held, or `'*'` for all of the tenant. */
  readonly scopes: readonly string[] | '*';
  /** The profile an agent acts for; the agent's rights must be a strict subset of it. */
  readonly on_behalf_of?: Omit<PermissionProfile, 'on_behalf_of'>;
}

export interface HeldScopes {
  readonly all: boolean;
  readonly uuids: ReadonlySet<Uuid>;
}

/** Scopes that stand at an instant, however many, but those of some types. */
export interface AllScopes {
  readonly but_types: readonly string[];
  readonly at: Instant;
}
/** What may be read: the scopes that are named, or all but those of some types. */
export type ReadableScopes = readonly Uuid[] | AllScopes;

export const isAllScopes = (scopes: ReadableScopes): scopes is AllScopes => 'but_types' in scopes;

/**
 * What is stored of a principal; absent = nothing is, and the claim stands alone. A disabled
 * principal holds nothing.
 */
export interface StoredRights {
  readonly kind: PermissionProfile['kind'];
  readonly tiers: Partial<TierTable>;
  readonly scopes: HeldScopes;
  readonly isDisabled: boolean;
}

/** A profile after the authority has judged it: the only thing that later stages accept. */
export interface Grant {
  readonly tenant: TenantId;
  readonly principal: string;
  readonly kind: PermissionProfile['kind'];
  readonly onBehalfOf: string | null;
  readonly tiers: TierTable;
  readonly scopes: HeldScopes;
  /** The human of an embedded folder, of whom nothing else is stored. */
  readonly isOwner: boolean;
  /** Enters the cache key: equal digests see the same. */
  readonly digest: string;
}

/** What a strictest-wins merge gives. */
export const strictest = (...tiers: readonly Tier[]): Tier =>
  tiers.reduce<Tier>(
    (worst, tier) => (TIERS.indexOf(tier) > TIERS.indexOf(worst) ? tier : worst),
    'T1',
  );

export const holds = (grant: Pick<Grant, 'scopes'>, scope: Uuid): boolean =>
  grant.scopes.all || grant.scopes.uuids.has(scope);
