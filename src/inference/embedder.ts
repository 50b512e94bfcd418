/** The embedder port. A provider turns texts into unit vectors of one space. */
import type { TenantId } from '../model/ids.ts';

export interface EmbeddingSpace {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
}
/** `provider/model/dimensions`: the name a space goes by everywhere. */
export const spaceName = (space: EmbeddingSpace): string =>
  `${space.provider}/${space.model}/${space.dimensions}`;

/**
 * Why a caller that could have waited aborts an `embed`: the provider has had its share of the
 * time.
 */
export class OutOfPatience extends Error {
  override readonly name = 'OutOfPatience';
}

export interface EmbedOptions {
  readonly kind: 'document' | 'query';
  readonly signal?: AbortSignal;
  /** Whose texts they are: without it no level of the cache is shared. Providers never see it. */
  readonly tenant?: TenantId;
}
export interface Embedder {
  readonly space: EmbeddingSpace;
  /** Unit vectors, in order. Throws `INFERENCE.UNAVAILABLE` or `REFUSED`; never short. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly (readonly number[])[]>;
  close(): Promise<void>;
}
