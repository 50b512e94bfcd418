/** The port of the audit: entries are appended to the chain of their tenant, and read by number. */
import type { AuditEntry, AuditHead, AuditRecord } from '../../model/audit.ts';
import type { TenantId } from '../../model/ids.ts';

export interface AuditRequest {
  readonly tenant: TenantId;
  /** The number after which the page begins; 0 = from the first. */
  readonly after: number;
  readonly limit: number;
}

export interface AuditPort {
  /** Appends in order, all or none. At most 1,000. */
  audit(tenant: TenantId, entries: readonly AuditEntry[]): Promise<void>;
  /** By number. */
  readAudit(request: AuditRequest): Promise<readonly AuditRecord[]>;
  /**
   * `AUDIT_START` where nothing was audited. Kept apart from the entries: a cut end is seen by it.
   */
  auditHead(tenant: TenantId): Promise<AuditHead>;
}
