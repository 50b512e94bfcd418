/** The port of the audit: what was refused, and what needed more than T1. */
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';

export interface AuditEntry {
  readonly principal: string;
  readonly action: string;
  readonly scope_uuid: Uuid | null;
  readonly decision: 'denied' | 'allowed';
  readonly tier: string;
  readonly detail: string;
  readonly at: Instant;
}

export interface AuditPort {
  audit(tenant: TenantId, entries: readonly AuditEntry[]): Promise<void>;
}
