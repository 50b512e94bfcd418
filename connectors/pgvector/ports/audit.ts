/**
 * The audit: sealed functions append to the chain of a tenant, and its entries are read by number.
 */
import type { AuditRequest } from '../../../src/cxri/ports/audit.ts';
import {
  AUDIT_START,
  type AuditEntry,
  type AuditHead,
  type AuditRecord,
} from '../../../src/model/audit.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import { inTenant } from '../driver/session.ts';
import type { Database, SqlSession } from '../driver/sql.ts';
import { toReadError } from '../refusals.ts';
import { asText, toTime } from '../rows.ts';

/** One round trip, one commit. */
export async function appendAudit(
  database: Database,
  tenant: TenantId,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await database
    .query('select context.audit($1, $2::jsonb)', [tenant, JSON.stringify(entries)])
    .catch((error: unknown) => {
      throw toReadError(error);
    });
}

/**
 * In the transaction of what it records: no audit, no action. Last, for the lock that it takes.
 */
export const insertAudit = async (
  tx: SqlSession,
  tenant: TenantId,
  entries: readonly AuditEntry[],
): Promise<void> => {
  if (entries.length > 0)
    await tx.query('select context_ops.append_audit($1, $2::jsonb)', [
      tenant,
      JSON.stringify(entries),
    ]);
};

export async function readAudit(
  database: Database,
  { tenant, after, limit }: AuditRequest,
): Promise<readonly AuditRecord[]> {
  const rows = await inTenant(database, { tenant, scopes: [] }, (tx) =>
    tx.query(
      `select seq, at, principal, on_behalf_of, action, scope_uuid, decision, tier, detail,
        previous, digest,
         written_at from context_ops.audit where tenant_id = $1 and seq > $2 order by seq limit $3`,
      [tenant, after, limit],
    ),
  );
  // The casts name what the columns' types and checks hold.
  return rows.map((row) => ({
    seq: Number(row['seq']),
    at: toTime(row['at']),
    principal: asText(row['principal']),
    on_behalf_of: row['on_behalf_of'] as string | null,
    action: asText(row['action']),
    scope_uuid: row['scope_uuid'] as Uuid | null,
    decision: row['decision'] as AuditRecord['decision'],
    tier: asText(row['tier']),
    detail: asText(row['detail']),
    previous: asText(row['previous']),
    digest: asText(row['digest']),
    written_at: row['written_at'] === null ? null : toTime(row['written_at']),
  }));
}

export async function auditHead(database: Database, tenant: TenantId): Promise<AuditHead> {
  const [row] = await inTenant(database, { tenant, scopes: [] }, (tx) =>
    tx.query('select seq, digest from context_ops.audit_chains where tenant_id = $1', [tenant]),
  );
  return row ? { seq: Number(row['seq']), digest: asText(row['digest']) } : AUDIT_START;
}
