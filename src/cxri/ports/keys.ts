/** The port of a tenant's digest key, and of names that outlived what they named. */
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { ForgottenNames } from '../../model/keyed-digests.ts';

/** Ids of rows, and idempotency keys of one scope. */
export interface NamesOfScope {
  readonly scope: Uuid;
  readonly uuids: readonly Uuid[];
  readonly keys: readonly string[];
}

export interface KeysPort {
  /**
   * 64 hexadecimal digits, made when first asked for. Erasing all of a tenant destroys it; the next
   * call then makes another one.
   */
  digestKey(tenant: TenantId): Promise<string>;
  /**
   * Whether the scope was made before ids were keyed. Only such a scope is found under an id that
   * anyone can compute: whoever makes one today under that id does not take a key's place.
   */
  isEarlierScope(tenant: TenantId, scope: Uuid): Promise<boolean>;
  /**
   * Those of the names whose row was forgotten: an id that stays taken, a key whose write again
   * stores nothing.
   */
  forgottenNames(tenant: TenantId, names: NamesOfScope): Promise<ForgottenNames>;
}
