/**
 * The shared level of the embedding cache, wherever it is: vectors by keyed digests of their texts,
 * each tenant by itself.
 */
import type { TenantId } from './ids.ts';

export interface LevelVector {
  readonly digest: string;
  readonly values: readonly number[];
}

export interface SharedLevel {
  /** `epoch` moves with whatever is forgotten: it is passed to {@link SharedLevel.share}. */
  find(
    tenant: TenantId,
    asked: { readonly space: string; readonly digests: readonly string[] },
    signal?: AbortSignal,
  ): Promise<{ readonly epoch: number; readonly vectors: readonly LevelVector[] }>;
  /** Nothing where the epoch moved. */
  share(
    tenant: TenantId,
    given: {
      readonly space: string;
      readonly epoch: number;
      readonly vectors: readonly LevelVector[];
    },
  ): Promise<void>;
  /** All of the tenant: something was forgotten. */
  drop(tenant: TenantId): Promise<void>;
  close(): Promise<void>;
}

/** A table of the database, nowhere, or a Redis. */
export type EmbeddingCacheChoice = 'database' | 'off' | `redis://${string}` | `rediss://${string}`;
