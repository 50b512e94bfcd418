/**
 * The port of the shared level of the embedding cache: vectors by keyed digests of their texts, and
 * what the levels saved. Whatever is forgotten takes all vectors of the tenant along.
 */
import type { Instant, TenantId } from '../../model/ids.ts';

export interface SharedVector {
  /** HMAC-SHA-256 under the tenant's key, 64 hexadecimal digits. */
  readonly digest: string;
  /** Single precision. */
  readonly values: readonly number[];
}
export interface SharedVectorsAsked {
  readonly space: string;
  readonly digests: readonly string[];
}
export interface SharedVectorsFound {
  /** The policy epoch: what is forgotten moves it. */
  readonly epoch: number;
  readonly vectors: readonly SharedVector[];
}
export interface SharedVectorsGiven {
  readonly space: string;
  /** At which their texts were read. Where it moved since, nothing is stored. */
  readonly epoch: number;
  readonly vectors: readonly SharedVector[];
  readonly at: Instant;
  /** Some of those made before go. */
  readonly kept_since: Instant;
}

/** Texts by the level that answered them. */
export interface EmbeddingCounts {
  readonly process: number;
  readonly shared: number;
  readonly provider: number;
  /** Characters that no provider was asked for. */
  readonly saved_chars: number;
}
export interface EmbeddingUse extends EmbeddingCounts {
  /** In UTC, `2026-05-01`. */
  readonly day: string;
  readonly space: string;
}

export interface SharedVectorsPort {
  sharedVectors(
    tenant: TenantId,
    asked: SharedVectorsAsked,
    signal?: AbortSignal,
  ): Promise<SharedVectorsFound>;
  shareVectors(tenant: TenantId, given: SharedVectorsGiven): Promise<void>;
  dropSharedVectors(tenant: TenantId): Promise<void>;
  /** Added to what there is of the day and space. */
  addEmbeddingUse(tenant: TenantId, use: EmbeddingUse): Promise<void>;
  /** From a day on, by day and space. */
  embeddingUse(tenant: TenantId, from_day: string): Promise<readonly EmbeddingUse[]>;
}
