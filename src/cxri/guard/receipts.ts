/** The guard of the receipts port: a receipt reaches only its tenant and who holds its scope. */
import { assertThat } from '../../codes/errors.ts';
import { holds } from '../../model/permission.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { ReceiptsPort } from '../ports/receipts.ts';

export const guardReceipts = (port: ReceiptsPort): ReceiptsPort => ({
  saveReceipts: async (tenant, receipts) => {
    checkTenant(tenant);
    for (const receipt of receipts) checkRequest('composition', receipt, 'receipts');
    return port.saveReceipts(tenant, receipts);
  },
  loadReceipt: async (tenant, compositionId, scopes) => {
    checkTenant(tenant);
    checkRequest('composition', { composition_id: compositionId });
    const receipt = await port.loadReceipt(tenant, compositionId, scopes);
    assertThat(
      receipt === null || receipt.composition_id === compositionId,
      'a receipt is the one that was asked for',
    );
    assertThat(
      receipt === null || holds({ scopes }, receipt.scope_uuid),
      'a receipt is of a scope that is held',
    );
    return receipt;
  },
  listReceipts: async (tenant, asked, scopes) => {
    checkTenant(tenant);
    const receipts = await port.listReceipts(tenant, asked, scopes);
    assertThat(receipts.length <= asked.limit, 'no more receipts are listed than were asked for');
    for (const receipt of receipts) {
      assertThat(
        asked.manifest === null || receipt.manifest.name === asked.manifest,
        'a listed receipt is of the manifest',
      );
      assertThat(holds({ scopes }, receipt.scope_uuid), 'a listed receipt is of a held scope');
    }
    return receipts;
  },
  saveArtifact: async (tenant, artifact) => {
    checkTenant(tenant);
    return port.saveArtifact(tenant, artifact);
  },
  loadArtifact: async (tenant, digest) => {
    checkTenant(tenant);
    return port.loadArtifact(tenant, digest);
  },
});
