/**
 * A copy of rows of the ledger in another engine. It is fed in order per scope, can be made again
 * at any time, and decides nothing: what it finds is judged by the authority before it is shown.
 */
import type { AnyRow } from '../model/block.ts';
import type { TenantId, Uuid } from '../model/ids.ts';
import type { Change, Connection, ConnectOptions } from './contract.ts';

/** How far a scope was fed: after this entry of its journal. */
export interface FeedMark {
  readonly scope: Uuid;
  readonly seq: number;
  readonly ordinal: number;
}
export interface FeedCursor {
  /** What was forgotten up to this policy epoch is gone. */
  readonly policy_epoch: number;
  readonly marks: readonly FeedMark[];
}

/** A version that is believed, as it stands now. */
export interface ProjectedVersion {
  readonly entry: AnyRow;
  /** In the space of the projection; null = it has none yet. */
  readonly vector: readonly number[] | null;
}

/** Some entries of the journal of one scope. Applying it again changes nothing. */
export interface ProjectionBatch {
  readonly tenant: TenantId;
  /** In the place of what has the same uuid. */
  readonly upsert: readonly ProjectedVersion[];
  /** Versions that are believed no more; not all of them need be there. */
  readonly remove: readonly Uuid[];
  /**
   * The entries of the journal that the batch is of, in order: what a subscription is told, once
   * rows and cursor are in place. None where the cursor stays, as its entries are fed again.
   */
  readonly changes: readonly Change[];
  readonly cursor: FeedMark;
}

/** What was forgotten: the bytes go as well, not the rows alone. */
export interface ProjectionErasure {
  readonly tenant: TenantId;
  readonly uuids: readonly Uuid[];
  /** Whole scopes, with how far they were fed. */
  readonly scopes: readonly Uuid[];
  readonly policy_epoch: number;
}

/** What a projection was found as, and left as. */
export interface UpkeepReport {
  readonly rows: number;
  /** Rows that an approximate index does not hold yet. */
  readonly unindexed: number;
  readonly bytes: number;
  /** Why a step was left for another time; absent = nothing was. */
  readonly postponed?: 'disk' | 'time';
}

/** What an upkeep may take. Looked at between steps: one that was begun is finished. */
export interface UpkeepBounds {
  readonly timeoutMs?: number;
  /** Left free on the disk, whatever is written meanwhile. */
  readonly freeBytes?: number;
}

/** Held by one feeder at a time, until it is disposed. */
export interface ProjectionFeed extends AsyncDisposable {
  /**
   * Rows first, the cursor last: a feeder that dies between them applies the batch again. Rejects
   * with `INFERENCE.DIMENSIONS` for a vector of another space, and then nothing is changed.
   */
  apply(batch: ProjectionBatch): Promise<void>;
  /** How far a tenant was fed; of a tenant that never was, epoch 0 and no marks. */
  cursor(tenant: TenantId): Promise<FeedCursor>;
  /** Gives how many versions there were. No file holds one of them afterwards. */
  erase(erasure: ProjectionErasure): Promise<number>;
  /** Builds what is missing of the indexes and drops what no reader needs. */
  upkeep(bounds?: UpkeepBounds): Promise<UpkeepReport>;
}

/** A second copy, empty, that is fed while the first serves; given up without `commit`. */
export interface ProjectionRebuild extends ProjectionFeed {
  /** Takes the place of the copy that serves, in one step. */
  commit(): Promise<void>;
}

export interface ProjectionPort {
  /** `CONNECTOR.LOCKED` while another feeder holds it. */
  feed(): Promise<ProjectionFeed>;
  /** `CONNECTOR.LOCKED` while another rebuild is under way. */
  rebuild(): Promise<ProjectionRebuild>;
  /** As {@link ProjectionFeed.cursor}, of the copy that serves, whoever feeds it. */
  cursor(tenant: TenantId): Promise<FeedCursor>;
}

export interface Projection extends Connection, ProjectionPort {}

export interface ProjectionOptions extends ConnectOptions {
  /** Of the vectors; null = it is searched by words alone. */
  readonly space: { readonly name: string; readonly dimensions: number } | null;
}
export interface ProjectionConnector {
  readonly name: string;
  connect(options: ProjectionOptions): Promise<Projection>;
}

/** What a mount is given in the options or the configuration, and whose rows it holds. */
export interface MountOptions {
  readonly tenant: TenantId;
  readonly [option: string]: unknown;
}
/** What a module exports that a mount names as its connector, as `createMount`. */
export type CreateMount = (
  options: MountOptions,
) => ProjectionConnector | Promise<ProjectionConnector>;
