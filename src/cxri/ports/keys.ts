/** The port of a tenant's digest key, and of names that outlived what they named. */
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { ForgottenNames } from '../../model/keyed-digests.ts';

/** Ids of rows, and idempotency keys of one scope. */
export interface NamesOfScope {
  readonly scope: Uuid;
  readonly uuids: readonly Uuid[];
  readonly keys: readonly string[];
}

/** A scope that was made, whatever became of it. */
export interface MadeScope {
  readonly scope: Uuid;
  /** false: it was forgotten, erased or deleted. */
  readonly is_standing: boolean;
  /** It was made before ids were keyed. */
  readonly is_earlier: boolean;
}

export interface KeysPort {
  /**
   * 64 hexadecimal digits, made when first asked for. Erasing all of a tenant destroys it; the next
   * call then makes another one.
   */
  digestKey(tenant: TenantId): Promise<string>;
  /**
   * Those of the scopes that were ever made in the tenant, whoever holds them. Only one that
   * `is_earlier` is found under an id that anyone can compute: whoever makes one today under that
   * id does not take a key's place.
   */
  madeScopes(tenant: TenantId, scopes: readonly Uuid[]): Promise<readonly MadeScope[]>;
  /**
   * Those of the names whose row was forgotten: an id that stays taken, a key whose write again
   * stores nothing.
   */
  forgottenNames(tenant: TenantId, names: NamesOfScope): Promise<ForgottenNames>;
}
