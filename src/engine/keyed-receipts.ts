/** Receipts as they are kept: what they hold of the composed text is a keyed digest of it. */
import type { Authority } from '../cxri/authority.ts';
import { keyedDigest } from '../cxri/keyed-digest.ts';

type Saving = Pick<Authority, 'saveArtifact' | 'saveReceipts' | 'saveServed'>;

/**
 * Of the text the receipt has its SHA-256 until it is saved: a composition waits for no key.
 * Receipts wait for each other, so the key is read once for many.
 */
export const withKeyedReceipts = (authority: Saving & Pick<Authority, 'digestKey'>): Saving => ({
  saveArtifact: (tenant, artifact) => authority.saveArtifact(tenant, artifact),
  saveServed: (tenant, marks, since) => authority.saveServed(tenant, marks, since),
  saveReceipts: async (tenant, receipts) => {
    const key = await authority.digestKey(tenant);
    await authority.saveReceipts(
      tenant,
      receipts.map((receipt) => ({
        ...receipt,
        text_sha256: keyedDigest(key, receipt.text_sha256),
      })),
    );
  },
});
