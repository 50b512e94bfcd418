/**
 * The port of rights: what is stored of principals. Each change ends cached compositions of the
 * tenant.
 */
import type { AuditEntry } from '../../model/audit.ts';
import type { TenantId } from '../../model/ids.ts';
import type { PermissionProfile, StoredRights } from '../../model/permission.ts';
import type { RightsChange } from '../../model/proposal.ts';

export interface StoredPrincipal extends StoredRights {
  readonly principal: string;
  readonly kind: PermissionProfile['kind'];
  readonly keys: readonly { readonly key_id: string; readonly is_revoked: boolean }[];
}

export interface RightsPort {
  /**
   * Changes a right without a second principal, its audit entry with it. `PERMISSION.DENIED` where
   * the store keeps that to whoever owns it.
   */
  changeRights(
    tenant: TenantId,
    change: RightsChange,
    by: Pick<AuditEntry, 'principal' | 'on_behalf_of' | 'scope_uuid' | 'at'>,
  ): Promise<void>;
  /** Of those of the principals of whom something is stored, as it is now. One round trip. */
  readRights(
    tenant: TenantId,
    principals: readonly string[],
  ): Promise<Readonly<Record<string, StoredRights>>>;
  /** By name. */
  listPrincipals(tenant: TenantId): Promise<readonly StoredPrincipal[]>;
}
