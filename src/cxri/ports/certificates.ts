/** The port of certificates: what shows that an erasure was done, and whether copies are left. */
import type { CopyScan, ErasureCertificate } from '../../model/erasure.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';

export interface CertificatesPort {
  /** null = not erased, or no such redaction. */
  loadCertificate(tenant: TenantId, redaction: Uuid): Promise<ErasureCertificate | null>;
  /** The key that signs for the tenant, 64 hexadecimal digits; null = nothing was signed. */
  signingKey(tenant: TenantId): Promise<string | null>;
  /**
   * Reads every column of every table of the tenant that can hold a text, for the texts given and
   * for texts that were erased.
   */
  scanCopies(tenant: TenantId, texts: readonly string[]): Promise<CopyScan>;
}
