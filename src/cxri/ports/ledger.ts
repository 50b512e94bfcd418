/** The port of the ledger beside its six operations: scopes, their closure and heads. */
import type { BlockRow } from '../../model/block.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import type { HeldScopes, StoredRights } from '../../model/permission.ts';
import type { Position } from '../../model/validity.ts';

export interface ClosureEntry {
  readonly scope: BlockRow;
  readonly depth: number;
  readonly head: number;
  readonly usage_head: number;
  /** The newest journal time of the scope; null = nothing was written. */
  readonly recorded_at: Instant | null;
}

export interface ResolveRequest {
  readonly tenant: TenantId;
  readonly scope: Uuid;
  readonly principals: readonly string[];
  /** Knowledge by time: heads as they stood then. Absent = now. */
  readonly recorded_as_of?: Instant;
  readonly max_depth: number;
  readonly max_scopes: number;
  readonly signal?: AbortSignal;
}
/** One round trip. Authority edges (`inherits`) are judged as of now. */
export interface ResolvedScope {
  /**
   * Breadth first along `inherits` by (ordinal, uuid); the first is the scope asked for. Empty = no
   * such scope for the tenant.
   */
  readonly closure: readonly ClosureEntry[];
  /** Whether a limit cut the walk. */
  readonly isCut: boolean;
  readonly rights: Readonly<Record<string, StoredRights>>;
  readonly policy_epoch: number;
}

/** What a scope was made under, and what it reads from. */
export interface DescribedScope {
  readonly scope: Uuid;
  /** The idempotency key of the operation that made it; null = none, or it was erased. */
  readonly key: string | null;
  /** Outer scopes by (ordinal, uuid). */
  readonly inherits: readonly Uuid[];
}

export interface LedgerPort {
  resolveScope(request: ResolveRequest): Promise<ResolvedScope>;
  /** Scope blocks of the tenant that are held, visible now, by (valid_from, uuid). */
  listScopes(
    tenant: TenantId,
    held: HeldScopes,
    now: Instant,
  ): Promise<readonly { readonly scope: BlockRow; readonly head: number }[]>;
  /** Scopes of the tenant that were made; others are left out. */
  describeScopes(
    tenant: TenantId,
    scopes: readonly Uuid[],
    now: Instant,
  ): Promise<readonly DescribedScope[]>;
  /**
   * The heads now; in memory where the engine holds the database exclusively. Missing scopes are
   * left out.
   */
  heads(
    tenant: TenantId,
    scopes: readonly Uuid[],
    signal?: AbortSignal,
  ): Promise<{
    readonly position: Position;
    readonly usage_position: Position;
    readonly policy_epoch: number;
  }>;
}
