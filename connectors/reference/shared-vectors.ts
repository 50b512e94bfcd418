/** Shared vectors, in maps of their tenant. */
import type { EmbeddingUse, SharedVectorsPort } from '../../src/cxri/ports/shared-vectors.ts';
import { type Store, tenantOf } from './store.ts';

const keyOf = (space: string, digest: string): string => JSON.stringify([space, digest]);

export const sharedVectorsPort = (store: Store): SharedVectorsPort => ({
  sharedVectors: async (tenant, { space, digests }) => {
    const held = store.tenants.get(tenant);
    return {
      epoch: held?.epoch ?? 0,
      vectors: [...new Set(digests)].flatMap((digest) => {
        const found = held?.sharedVectors.get(keyOf(space, digest));
        return found ? [{ digest, values: found.values }] : [];
      }),
    };
  },
  shareVectors: async (tenant, { space, epoch, vectors, at, kept_since: keptSince }) => {
    const { epoch: now, sharedVectors } = tenantOf(store, tenant);
    if (now === epoch)
      for (const { digest, values } of vectors) {
        const key = keyOf(space, digest);
        const kept = { digest, values: values.map(Math.fround), madeAt: at };
        if (!sharedVectors.has(key)) sharedVectors.set(key, kept);
      }
    for (const [key, { madeAt }] of sharedVectors)
      if (madeAt < keptSince) sharedVectors.delete(key);
  },
  dropSharedVectors: async (tenant) => store.tenants.get(tenant)?.sharedVectors.clear(),
  addEmbeddingUse: async (tenant, use) => {
    const { embeddingUse } = tenantOf(store, tenant);
    const key = JSON.stringify([use.day, use.space]);
    const known = embeddingUse.get(key);
    embeddingUse.set(key, known ? sumOf(known, use) : use);
  },
  embeddingUse: async (tenant, from) =>
    [...(store.tenants.get(tenant)?.embeddingUse.values() ?? [])]
      .filter(({ day }) => day >= from)
      .sort((a, b) => (a.day + a.space < b.day + b.space ? -1 : 1)),
});

const sumOf = (one: EmbeddingUse, other: EmbeddingUse): EmbeddingUse => ({
  ...one,
  process: one.process + other.process,
  shared: one.shared + other.shared,
  provider: one.provider + other.provider,
  saved_chars: one.saved_chars + other.saved_chars,
});
