/**
 * The port of facts: memory by page, and the origin of each version. What the caller reads is part
 * of every request; a source in another scope is not there.
 */
import type {
  AnyFact,
  FactFilter,
  FactKey,
  FactOrigin,
  FactState,
} from '../../model/fact-record.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';

export interface FactsAsked {
  /** The scopes whose facts are listed: a subset of `readable`. */
  readonly scopes: readonly Uuid[];
  /** What the caller reads, sources included. */
  readonly readable: readonly Uuid[];
  readonly state: FactState;
  /** The instant of `current` and `past`. */
  readonly at: Instant;
  readonly filter: FactFilter;
  readonly limit: number;
  readonly after: FactKey | null;
}
export interface FactsFound {
  /** The latest to begin first, ties by uuid, the greatest first. */
  readonly facts: readonly AnyFact[];
  /** Of all pages. */
  readonly total: number;
  readonly hasMore: boolean;
}
export interface OriginsAsked {
  readonly uuids: readonly Uuid[];
  readonly readable: readonly Uuid[];
}

export interface FactsPort {
  listFacts(tenant: TenantId, asked: FactsAsked): Promise<FactsFound>;
  /**
   * Of facts, values and blocks, by version; those that are not there, or not readable, are left
   * out.
   */
  factOrigins(tenant: TenantId, asked: OriginsAsked): Promise<ReadonlyMap<Uuid, FactOrigin>>;
}
