/**
 * The second, internal interface, of the one connector that is the authority: what is not context.
 * The engine needs it of `connectors/pgvector`, and of `connectors/reference` so that the whole pipeline can run on the oracle.
 */
import type { AnyRow, BlockRow, Table } from '../model/block.ts';
import type { CompositionReceipt } from '../model/composition.ts';
import type { Instant, TenantId, Uuid } from '../model/ids.ts';
import type { Writer } from '../model/operation.ts';
import type { HeldScopes, StoredRights } from '../model/permission.ts';
import type { Position } from '../model/validity.ts';
import type { Connection, UsageState } from './contract.ts';

export type { StoredRights } from '../model/permission.ts';

export interface ClosureEntry {
  readonly scope: BlockRow;
  readonly depth: number;
  readonly head: number;
  readonly usage_head: number;
}

export interface ResolveRequest {
  readonly tenant: TenantId;
  readonly scope: Uuid;
  readonly principals: readonly string[];
  /** Knowledge by time: heads as they stood then. Absent = now. */
  readonly recorded_as_of?: Instant;
  readonly max_depth: number;
  readonly max_scopes: number;
}
/** One round trip. Authority edges (`inherits`) are judged as of now. */
export interface ResolvedScope {
  /** Breadth first along `inherits` by (ordinal, uuid); the first is the scope asked for. Empty = no such scope for the tenant. */
  readonly closure: readonly ClosureEntry[];
  /** Whether a limit cut the walk. */
  readonly isCut: boolean;
  readonly rights: Readonly<Record<string, StoredRights>>;
  readonly policy_epoch: number;
}

export interface PendingEmbedding {
  readonly tenant: TenantId;
  readonly scope_uuid: Uuid;
  readonly table: Extract<Table, 'blocks' | 'memory_open_set' | 'subtree_summaries'>;
  readonly uuid: Uuid;
  readonly content: string;
}
export interface EmbeddingRow extends Omit<PendingEmbedding, 'content'> {
  readonly ordinal: number;
  readonly origin: 'content' | 'question' | 'window';
  readonly values: readonly number[];
}

export interface UsageEvent {
  readonly scope_uuid: Uuid;
  readonly root_uuid: Uuid;
  readonly composition_id: Uuid;
  readonly kind: 'used' | 'cited' | 'confirmed' | 'corrected' | 'unused';
  readonly at: Instant;
  /** When the row began: its first review is then of a memory as old as the row is. */
  readonly born_at?: Instant;
}
/** Given the state before (null = never), the state after. Pure; the connector calls it under the scope's lock, in event order. */
export type FoldUsage = (before: UsageState | null, event: UsageEvent) => UsageState;

export interface AuditEntry {
  readonly principal: string;
  readonly action: string;
  readonly scope_uuid: Uuid | null;
  readonly decision: 'denied' | 'allowed';
  readonly tier: string;
  readonly detail: string;
  readonly at: Instant;
}

export interface Artifact {
  readonly digest: string;
  readonly kind: 'manifest' | 'file' | 'collection';
  readonly content: string;
}

export interface UsageRecord {
  readonly events: readonly UsageEvent[];
  readonly fold: FoldUsage;
  readonly recorded_at: Instant;
}

export interface Authority extends Connection {
  resolveScope(request: ResolveRequest): Promise<ResolvedScope>;
  /** Scope blocks of the tenant that are held, visible now, by (valid_from, uuid). */
  listScopes(tenant: TenantId, held: HeldScopes, now: Instant): Promise<readonly { readonly scope: BlockRow; readonly head: number }[]>;
  /** Puts the rows of an exported scope back as they stood, sequence numbers included. Only into a scope that the tenant does not have: `WRITE.INVALID` otherwise. All or nothing; journaled as one operation per row. */
  restoreScope(request: {
    readonly tenant: TenantId;
    readonly scope: Uuid;
    readonly head: number;
    readonly rows: readonly AnyRow[];
    readonly writer: Writer;
    readonly recorded_at: Instant;
  }): Promise<void>;
  /** The heads now; in memory where the engine holds the database exclusively. Missing scopes are left out. */
  heads(
    tenant: TenantId,
    scopes: readonly Uuid[],
  ): Promise<{ readonly position: Position; readonly usage_position: Position; readonly policy_epoch: number }>;
  /** Makes the table of an embedding space if it is not there. */
  ensureSpace(space: { readonly provider: string; readonly model: string; readonly dimensions: number }): Promise<void>;
  /** Rows whose vector of this space is missing, oldest first. */
  pendingEmbeddings(tenant: TenantId, space: string, limit: number): Promise<readonly PendingEmbedding[]>;
  storeEmbeddings(space: string, rows: readonly EmbeddingRow[]): Promise<void>;
  saveReceipts(tenant: TenantId, receipts: readonly CompositionReceipt[]): Promise<void>;
  /** Only where the scope is held. */
  loadReceipt(tenant: TenantId, compositionId: Uuid, scopes: HeldScopes): Promise<CompositionReceipt | null>;
  /** The latest of a manifest, by its name, of scopes that are held; newest first, ties by id. */
  listReceipts(
    tenant: TenantId,
    asked: { readonly manifest: string; readonly limit: number },
    scopes: HeldScopes,
  ): Promise<readonly CompositionReceipt[]>;
  /** Bytes by digest: manifests and the files they name. Writing the same digest again is free. */
  saveArtifact(tenant: TenantId, artifact: Artifact): Promise<void>;
  loadArtifact(tenant: TenantId, digest: string): Promise<string | null>;
  recordUsage(tenant: TenantId, usage: UsageRecord): Promise<Position>;
  audit(tenant: TenantId, entries: readonly AuditEntry[]): Promise<void>;
}
