/** The port of vectors: the spaces that are there, rows without a vector, and vectors for them. */
import type { Table } from '../../model/block.ts';
import type { TenantId, Uuid } from '../../model/ids.ts';

export interface PendingEmbedding {
  readonly tenant: TenantId;
  readonly scope_uuid: Uuid;
  readonly table: Extract<Table, 'blocks' | 'memory_open_set' | 'subtree_summaries'>;
  readonly uuid: Uuid;
  /** What is searched of the row: src/text/search-text.ts. */
  readonly text: string;
}
export interface EmbeddingRow extends Omit<PendingEmbedding, 'text'> {
  readonly ordinal: number;
  readonly origin: 'content' | 'question' | 'window';
  readonly values: readonly number[];
}

export type StoredVector = Pick<EmbeddingRow, 'uuid' | 'ordinal' | 'origin' | 'values'>;

export interface VectorsPort {
  /** Makes the table of an embedding space if it is not there. */
  ensureSpace(space: {
    readonly provider: string;
    readonly model: string;
    readonly dimensions: number;
  }): Promise<void>;
  /** Rows whose vector of this space is missing, oldest first. */
  pendingEmbeddings(
    tenant: TenantId,
    space: string,
    limit: number,
  ): Promise<readonly PendingEmbedding[]>;
  storeEmbeddings(space: string, rows: readonly EmbeddingRow[]): Promise<void>;
  /** The vectors of a space that these versions have; one without any is left out. */
  readEmbeddings(
    tenant: TenantId,
    space: string,
    uuids: readonly Uuid[],
  ): Promise<readonly StoredVector[]>;
  /**
   * Makes the words of up to `limit` rows (and of those written with the last of them) again, which
   * were written under older rules of words; gives how many rows there were. 0 = nothing is left.
   */
  rebuildWords(tenant: TenantId, limit: number): Promise<number>;
}
