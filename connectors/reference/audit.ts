/** The audit: an array for each tenant, chained as it is appended to. */
import type { AuditRequest } from '../../src/cxri/ports/audit.ts';
import {
  AUDIT_START,
  type AuditEntry,
  type AuditHead,
  type AuditRecord,
  auditText,
} from '../../src/model/audit.ts';
import type { TenantId } from '../../src/model/ids.ts';
import { sha256 } from './ids.ts';
import type { Store, TenantState } from './store.ts';

export function appendAudit(tenant: TenantState, entries: readonly AuditEntry[]): void {
  for (const entry of entries) {
    const { seq: last, digest: previous } = tenant.audit.at(-1) ?? AUDIT_START;
    const at = { seq: last + 1, previous };
    const digest = sha256(auditText(tenant.tenant, at, { ...entry, written_at: null }));
    tenant.audit.push({ ...entry, ...at, digest, written_at: null });
  }
}

export const readAudit = (
  store: Store,
  { tenant, after, limit }: AuditRequest,
): readonly AuditRecord[] => store.tenants.get(tenant)?.audit.slice(after, after + limit) ?? [];

export function auditHead(store: Store, tenant: TenantId): AuditHead {
  const { seq, digest } = store.tenants.get(tenant)?.audit.at(-1) ?? AUDIT_START;
  return { seq, digest };
}
