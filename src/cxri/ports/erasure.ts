/** The port of erasure: what is forgotten is out of sight at once, and erased later. */
import type {
  CopyCounts,
  EraseRequest,
  ErasureCertificate,
  ForgetRequest,
  Redaction,
} from '../../model/erasure.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';

export interface ErasurePort {
  /**
   * Takes what the target names out of sight, with all that was derived from it, the audit entry
   * with it. From then on no path serves, counts or hints at it, those of past positions included.
   * Gives what it reached. `PERMISSION.DENIED` where the store keeps that to others.
   */
  forget(request: ForgetRequest): Promise<CopyCounts>;
  /** Newest first; `id` = that one. */
  listRedactions(
    tenant: TenantId,
    asked: { readonly limit: number; readonly id?: Uuid },
  ): Promise<readonly Redaction[]>;
  /**
   * Erases what a redaction took out of sight, with the certificate and the audit entry: all of it
   * or nothing. Again, it gives the certificate of then.
   */
  erase(request: EraseRequest): Promise<ErasureCertificate>;
}
