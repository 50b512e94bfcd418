/** The guard of certificates: one is of the redaction asked for, and signed by its tenant's key. */
import { assertThat } from '../../codes/errors.ts';
import { isSigned } from '../certificate.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { CertificatesPort } from '../ports/certificates.ts';

export const guardCertificates = (port: CertificatesPort): CertificatesPort => ({
  loadCertificate: async (tenant, redaction) => {
    checkRequest('redaction', { tenant, redaction });
    const certificate = await port.loadCertificate(tenant, redaction);
    assertThat(
      certificate === null ||
        (certificate.tenant === tenant && certificate.redaction === redaction),
      'a certificate is of the tenant and the redaction that were asked for',
    );
    assertThat(certificate === null || isSigned(certificate), 'a certificate is signed');
    return certificate;
  },
  signingKey: async (tenant) => {
    checkTenant(tenant);
    const key = await port.signingKey(tenant);
    assertThat(key === null || /^[0-9a-f]{64}$/.test(key), 'a key is 64 hexadecimal digits');
    return key;
  },
  scanCopies: async (tenant, texts) => {
    checkTenant(tenant);
    const scan = await port.scanCopies(tenant, texts);
    assertThat(
      scan.found.every(({ rows }) => Number.isSafeInteger(rows) && rows > 0),
      'a copy that was found stands in a row',
    );
    return scan;
  },
});
