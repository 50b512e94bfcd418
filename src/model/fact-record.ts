/**
 * Memory in hand: a fact or typed value, and what it was made from, by whom and under which
 * approval.
 */
import type { AnyRow, Table } from './block.ts';
import type { Instant, Uuid } from './ids.ts';

export const FACT_TABLES = ['memory_open_set', 'memory_schema_typed'] as const;
export type FactTable = (typeof FACT_TABLES)[number];
export const isFactTable = (table: Table): table is FactTable =>
  FACT_TABLES.some((known) => known === table);
/** One version of a fact or of a typed value. */
export type AnyFact = Extract<AnyRow, { readonly table: FactTable }>;

/**
 * `current`: believed, and true at the instant asked for. `past`: believed, and true before it.
 * `retired`: not believed any more. `all`: these, and what begins later.
 */
export const FACT_STATES = ['current', 'past', 'retired', 'all'] as const;
export type FactState = (typeof FACT_STATES)[number];

/** A version, or the blocks of a scope from one sequence number to another. */
export type FactSource =
  | { readonly uuid: Uuid; readonly scope_uuid: Uuid }
  | { readonly scope_uuid: Uuid; readonly from_seq: number; readonly to_seq: number };

/** Of a version whose interval was cut anew: that of the version it was cut from. */
export interface FactOrigin {
  readonly recorded_at: Instant;
  readonly principal: string;
  readonly on_behalf_of: string | null;
  /** Name and version of the software. */
  readonly writer: string;
  /** That brought it, for `undo`; null = it came with more, as by an import without a journal. */
  readonly operation_id: Uuid | null;
  /** The tier that it was written by. */
  readonly tier: string;
  /** Of what was captured: the extractor and its version, as the write says. */
  readonly extractor: string | null;
  /** Of what waited for a second principal. */
  readonly approval: {
    readonly proposal_uuid: Uuid;
    readonly approved_by: string;
    readonly approved_at: Instant;
  } | null;
  /** Those that the caller reads. */
  readonly sources: readonly FactSource[];
}

export type FactRecord = AnyFact & { readonly origin: FactOrigin };

/** All that are given hold. */
export interface FactFilter {
  readonly subject?: string;
  /** `preference`, `rule`, …; `typed` = typed values alone. */
  readonly class?: string;
  readonly tag?: string;
  readonly collection?: string;
  readonly property?: string;
  /** With its version (`rules/3`) or without. */
  readonly extractor?: string;
  /** A version of a block, or the scope whose blocks are meant. */
  readonly source?: Uuid;
}

/** The last fact of a page: the next page begins after it. */
export interface FactKey {
  readonly valid_from: Instant;
  readonly uuid: Uuid;
}
