/** The guard of shared vectors: digests are keyed ones, and what is found was asked for. */
import { assertThat } from '../../codes/errors.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { SharedVectorsPort } from '../ports/shared-vectors.ts';

export const guardSharedVectors = (port: SharedVectorsPort): SharedVectorsPort => ({
  sharedVectors: async (tenant, asked, signal) => {
    checkTenant(tenant);
    checkRequest('shared_vectors', asked);
    const found = await port.sharedVectors(tenant, asked, signal);
    const digests = new Set(asked.digests);
    assertThat(
      found.vectors.every(({ digest }) => digests.delete(digest)),
      'a shared vector that was asked for is found once',
    );
    return found;
  },
  shareVectors: async (tenant, given) => {
    checkTenant(tenant);
    checkRequest('shared_vectors_given', given);
    return port.shareVectors(tenant, given);
  },
  dropSharedVectors: async (tenant) => {
    checkTenant(tenant);
    return port.dropSharedVectors(tenant);
  },
  addEmbeddingUse: async (tenant, use) => {
    checkTenant(tenant);
    checkRequest('embedding_use', use);
    return port.addEmbeddingUse(tenant, use);
  },
  embeddingUse: async (tenant, from_day) => {
    checkTenant(tenant);
    checkRequest('embedding_use_from', { from_day });
    return port.embeddingUse(tenant, from_day);
  },
});
