/** The port of erasure: what is forgotten is out of sight at once, and erased later. */
import type {
  BringBackRequest,
  CopyCounts,
  EraseRequest,
  ErasureCertificate,
  ForgetRequest,
  Redaction,
  RedactionQuery,
  ReturnedVersion,
} from '../../model/erasure.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';

export interface ErasurePort {
  /**
   * Takes what the target names out of sight, with all that was derived from it, the audit entry
   * with it. From then on no path serves, counts or hints at it, those of past positions included.
   * Gives what it reached. `PERMISSION.DENIED` where the store keeps that to others.
   */
  forget(request: ForgetRequest): Promise<CopyCounts>;
  /** Newest first; those that are due, the longest due first. */
  listRedactions(tenant: TenantId, asked: RedactionQuery): Promise<readonly Redaction[]>;
  /**
   * Erases what a redaction took out of sight, with the certificate and the audit entry: all of it
   * or nothing. Again, it gives the certificate of then.
   */
  erase(request: EraseRequest): Promise<ErasureCertificate>;
  /**
   * Brings back what a redaction took out of sight: rows, their words, and copies beside them as
   * they were; vectors are made again. All of it or nothing: `WRITE.BUILT_ON` where the place of a
   * row was taken since, `WRITE.SOURCE_GONE` where a source was lost since, `WRITE.REFUSED` where
   * it is erased or its grace period is over, `WRITE.NOT_FOUND` where it is not there, or reached
   * a scope that is not held. What another redaction names as well stays out of sight. Again, it
   * gives the redaction as it is.
   */
  bringBack(request: BringBackRequest): Promise<Redaction>;
  /** Versions that came back after a policy epoch, by uuid. */
  readReturned(
    tenant: TenantId,
    asked: { readonly epoch: number; readonly after: Uuid | null; readonly limit: number },
  ): Promise<readonly ReturnedVersion[]>;
}
