/** Receipts of compositions, and artifacts by digest: append-only, each in its tenant. */
import type { CompositionReceipt } from '../../../src/model/composition.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import type { HeldScopes } from '../../../src/model/permission.ts';
import { callInTenant, inTenant } from '../driver/session.ts';
import type { Database } from '../driver/sql.ts';
import { asText } from '../rows.ts';

/**
 * A composition id that is there already stays as it was. What was forgotten meanwhile is left out
 * by the sealed function.
 */
export async function saveReceipts(
  database: Database,
  tenant: TenantId,
  receipts: readonly CompositionReceipt[],
): Promise<void> {
  if (receipts.length === 0) return;
  const rows = receipts.map((receipt) => ({
    composition_id: receipt.composition_id,
    scope_uuid: receipt.scope_uuid,
    created_at: receipt.created_at,
    receipt,
  }));
  await callInTenant(
    database,
    { tenant, scopes: '*' },
    { call: 'context_ops.save_receipts($1, $3::jsonb)', params: [JSON.stringify(rows)] },
  );
}

export async function loadReceipt(
  database: Database,
  tenant: TenantId,
  asked: { readonly id: Uuid; readonly scopes: HeldScopes },
): Promise<CompositionReceipt | null> {
  const scopes = asked.scopes.all ? '*' : [...asked.scopes.uuids];
  const [row] = await inTenant(database, { tenant, scopes }, (tx) =>
    tx.query(
      'select receipt from context_ops.receipts where tenant_id = $1 and composition_id = $2',
      [tenant, asked.id],
    ),
  );
  // stored by saveReceipts, read back unchanged
  return row ? (row['receipt'] as CompositionReceipt) : null;
}

/**
 * Reads every receipt of the tenant: for a look back by a person, not for the path of a request.
 */
export async function listReceipts(
  database: Database,
  tenant: TenantId,
  asked: {
    readonly manifest: string | null;
    readonly limit: number;
    readonly scopes: HeldScopes;
  },
): Promise<readonly CompositionReceipt[]> {
  const scopes = asked.scopes.all ? '*' : [...asked.scopes.uuids];
  const rows = await inTenant(database, { tenant, scopes }, (tx) =>
    tx.query(
      `select c.receipt from context_ops.receipts c
       where c.tenant_id = $1 and ($2::text is null
         or c.receipt->'manifest'->>'name' = $2 and not c.receipt ? 'is_masked')
       order by c.created_at desc, c.composition_id limit $3`,
      [tenant, asked.manifest, asked.limit],
    ),
  );
  // stored by saveReceipts, read back unchanged
  return rows.map((row) => row['receipt'] as CompositionReceipt);
}

export async function saveArtifact(
  database: Database,
  tenant: TenantId,
  artifact: { readonly digest: string; readonly kind: string; readonly content: string },
): Promise<void> {
  await inTenant(database, { tenant, scopes: [] }, (tx) =>
    tx.query(
      `insert into context_ops.artifacts (tenant_id, digest, kind, content)
       select $1, $2, $3, $4 where not exists (select from context_ops.redacted d
         where d.tenant_id = $1 and d.copy = 'artifacts'
           and d.uuid = (select context_ops.artifact_name($1, $2)))
       on conflict do nothing`,
      [tenant, artifact.digest, artifact.kind, artifact.content],
    ),
  );
}

export async function loadArtifact(
  database: Database,
  tenant: TenantId,
  digest: string,
): Promise<string | null> {
  const [row] = await inTenant(database, { tenant, scopes: [] }, (tx) =>
    tx.query('select content from context_ops.artifacts where tenant_id = $1 and digest = $2', [
      tenant,
      digest,
    ]),
  );
  return row ? asText(row['content']) : null;
}
