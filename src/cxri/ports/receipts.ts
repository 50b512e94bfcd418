/** The port of compositions: their receipts, and the bytes that a receipt names by digest. */
import type { CompositionReceipt } from '../../model/composition.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';
import type { HeldScopes } from '../../model/permission.ts';

export interface Artifact {
  readonly digest: string;
  readonly kind: 'manifest' | 'file' | 'collection';
  readonly content: string;
}

export interface ReceiptsPort {
  saveReceipts(tenant: TenantId, receipts: readonly CompositionReceipt[]): Promise<void>;
  /** Only where the scope is held. */
  loadReceipt(
    tenant: TenantId,
    compositionId: Uuid,
    scopes: HeldScopes,
  ): Promise<CompositionReceipt | null>;
  /**
   * The latest, of scopes that are held; newest first, ties by id. Of a manifest, by its name:
   * those that can be composed again; null = of any, whatever of their request was forgotten.
   */
  listReceipts(
    tenant: TenantId,
    asked: { readonly manifest: string | null; readonly limit: number },
    scopes: HeldScopes,
  ): Promise<readonly CompositionReceipt[]>;
  /** Bytes by digest: manifests and the files they name. Writing the same digest again is free. */
  saveArtifact(tenant: TenantId, artifact: Artifact): Promise<void>;
  loadArtifact(tenant: TenantId, digest: string): Promise<string | null>;
}
