/**
 * The port of facts: memory by page, the origin of each version, and what is like a text. What the
 * caller reads is part of every request; a source in another scope is not there.
 */

import type { FactRow, Metadata } from '../../model/block.ts';
import type {
  AnyFact,
  FactFilter,
  FactKey,
  FactOrigin,
  FactState,
} from '../../model/fact-record.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import type { ReadableScopes } from '../../model/permission.ts';

export interface FactsAsked {
  /** The scopes whose facts are listed: a subset of `readable`. */
  readonly scopes: ReadableScopes;
  /** What the caller reads, sources included. */
  readonly readable: ReadableScopes;
  /** This one, or versions of this root. */
  readonly version?: Uuid;
  readonly root?: Uuid;
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
  readonly readable: ReadableScopes;
}

export interface AlikeText {
  readonly text: string;
  /** In the space that is asked; null = by words alone. */
  readonly vector: readonly number[] | null;
  /** Facts of a subject whose metadata has this, whatever they say; null = none. */
  readonly slot: { readonly subject: string; readonly has: Metadata } | null;
}
export interface AlikeAsked {
  readonly scope: Uuid;
  readonly head: number;
  readonly valid_at: Instant;
  /** null = no text has a vector. */
  readonly space: string | null;
  /** Cosine under which a fact is not near, whatever its words. */
  readonly least: number;
  /** The best by words, and as many of the nearest, of each text. */
  readonly limit: number;
  /** The latest of a slot. */
  readonly most_slots: number;
  readonly texts: readonly AlikeText[];
  readonly signal?: AbortSignal;
}
export interface AlikeFact {
  readonly row: FactRow;
  /** null = farther than `least`, or without a vector. */
  readonly dense: number | null;
  /** null = not among the best by words. */
  readonly lexical: number | null;
}

export interface FactsPort {
  listFacts(tenant: TenantId, asked: FactsAsked): Promise<FactsFound>;
  /**
   * Of facts, values and blocks, by version; those that are not there, or not readable, are left
   * out.
   */
  factOrigins(tenant: TenantId, asked: OriginsAsked): Promise<ReadonlyMap<Uuid, FactOrigin>>;
  /**
   * What one scope knows that is like each of the texts, in their order; of a text in no order.
   * One pass over the scope for all of them.
   */
  factsAlike(tenant: TenantId, asked: AlikeAsked): Promise<readonly (readonly AlikeFact[])[]>;
}
