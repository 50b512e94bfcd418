/**
 * The nouns of the ledger.
 *
 * block       one immutable row: a message, a document, a chunk, a chat session, a project
 * version     `uuid` names a version of a row; `root_uuid` names the thing through all its versions
 * scope       a block that owns a subtree; the `scope_block_uuid` of a call
 * closure     the scopes that a composition may read, nearest first
 * head        the sequence number of a scope's last committed write
 * position    `{scope: head}` over a closure
 * close       the world changed (`valid_until`, known since `closed_seq`)
 * retire      we stopped believing this version (`retired_seq`)
 *
 * Rows carry their wire names: they are what the tables hold and what a connector returns.
 */
import type { Instant, TenantId, Uuid } from './ids.ts';

/** The five tables that a row can live in. */
export const TABLES = [
  'blocks',
  'subtree_summaries',
  'memory_open_set',
  'memory_schema_typed',
  'context_links',
] as const;
export type Table = (typeof TABLES)[number];

export type Cause = 'change' | 'correction' | 'merge' | 'cascade' | 'redaction' | 'prune';
export type RowStatus = 'live' | 'quarantined' | 'rejected' | 'suppressed' | 'erased';
export type OperationKind = 'ADD' | 'UPDATE' | 'DELETE' | 'NOOP' | 'UNDO';
/**
 * Where a text came from; lower classes are trusted less. A derived row takes the lowest of its
 * sources.
 */
export type SourceClass = 'axiom' | 'user' | 'document' | 'model' | 'tool' | 'web';

export interface Provenance {
  readonly source_id?: string;
  readonly source_type?: string;
  readonly source_class?: SourceClass;
  readonly confidence?: number;
  /** Of what was captured: the extractor and its version. */
  readonly extractor?: string;
  /**
   * The kind of principal that wrote the version, as the permission stage judged it. Set by the
   * write path; a value of the caller is overwritten. Absent on rows of earlier releases.
   */
  readonly writer_kind?: 'human' | 'agent' | 'service';
  /**
   * The kind of principal that approved the proposal that brought the version. Set with the
   * approval; a value of the caller is dropped.
   */
  readonly approver_kind?: 'human' | 'agent' | 'service';
}
export type Metadata = Readonly<Record<string, unknown>>;

/** What every ledger row carries beside its content. */
export interface Versioned {
  readonly tenant_id: TenantId;
  readonly uuid: Uuid;
  readonly root_uuid: Uuid;
  readonly scope_uuid: Uuid;
  readonly valid_from: Instant;
  readonly valid_until: Instant | null;
  readonly closed_seq: number | null;
  readonly recorded_seq: number;
  readonly retired_seq: number | null;
  readonly superseded_by: Uuid | null;
  readonly cause: Cause | null;
  readonly status: RowStatus;
  readonly operation: OperationKind;
  /**
   * The version that this one has a shorter or restored interval of. It shares the lineage of that
   * version, in both directions.
   */
  readonly recut_of: Uuid | null;
}

/** The names of these, for whoever builds rows or compares their content. */
export const VERSIONED_COLUMNS = [
  'tenant_id',
  'uuid',
  'root_uuid',
  'scope_uuid',
  'valid_from',
  'valid_until',
  'closed_seq',
  'recorded_seq',
  'retired_seq',
  'superseded_by',
  'cause',
  'status',
  'operation',
  'recut_of',
] as const satisfies readonly (keyof Versioned)[];

export interface BlockContent {
  readonly parent_uuid: Uuid | null;
  readonly block_type: string;
  readonly is_scope: boolean;
  /** Of a message: `user`, `assistant`, `system`, `tool`. */
  readonly role: string | null;
  readonly author: string | null;
  readonly occurred_at: Instant;
  readonly title: string | null;
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: Metadata;
  readonly provenance: Provenance;
}
export interface SummaryContent {
  readonly kind: 'rolling' | 'per_doc' | 'lineage';
  readonly content: string;
  /** The last sequence number of the scope that this summary covers. */
  readonly covers_to_seq: number;
  readonly model: string | null;
  readonly cost_usd: number;
  readonly provenance: Provenance;
}
export interface FactContent {
  readonly content: string;
  readonly subject: string | null;
  readonly category: string | null;
  /**
   * `fact`, `preference`, `decision`, `lesson`, `rule`, `procedure`, ... : what the index and
   * procedures layers select by.
   */
  readonly class: string;
  readonly importance: number;
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly metadata: Metadata;
  readonly provenance: Provenance;
}
export type PropertyType = 'text' | 'int' | 'date' | 'bool' | 'option' | 'array';
export interface TypedContent {
  readonly subject: string;
  readonly collection: string;
  readonly property: string;
  readonly type: PropertyType;
  readonly value: unknown;
  readonly cardinality: 'one' | 'many';
  readonly confidence: number;
  readonly provenance: Provenance;
}
export const LINK_TYPES = [
  'pinned',
  'inherits',
  'grants',
  'derived_from',
  'replaces',
  'absorbed_by',
  'co_occurs',
] as const;
export type LinkType = (typeof LINK_TYPES)[number];
/**
 * `from` and `to` are roots; of `derived_from`, both are versions, or `to` is a scope with a range.
 */
export interface LinkContent {
  readonly link_type: LinkType;
  readonly from_uuid: Uuid;
  readonly to_uuid: Uuid;
  readonly ordinal: number;
  readonly weight: number;
  readonly metadata: Metadata;
}

/**
 * A source that is a range: the block versions of the scope `to_uuid` that were recorded from
 * `from_seq` to `to_seq` and were believed at the head `seen_seq`. All null for any other link.
 */
export interface LinkRange {
  readonly from_seq: number | null;
  readonly to_seq: number | null;
  readonly seen_seq: number | null;
}
export const NO_RANGE: LinkRange = { from_seq: null, to_seq: null, seen_seq: null };

export type BlockRow = Versioned & BlockContent;
export type SummaryRow = Versioned & SummaryContent;
export type FactRow = Versioned & FactContent;
export type TypedRow = Versioned & TypedContent;
export type LinkRow = Versioned & LinkContent & LinkRange;

export interface RowOf {
  readonly blocks: BlockRow;
  readonly subtree_summaries: SummaryRow;
  readonly memory_open_set: FactRow;
  readonly memory_schema_typed: TypedRow;
  readonly context_links: LinkRow;
}
export interface ContentOf {
  readonly blocks: BlockContent;
  readonly subtree_summaries: SummaryContent;
  readonly memory_open_set: FactContent;
  readonly memory_schema_typed: TypedContent;
  readonly context_links: LinkContent;
}
export type LedgerRow = RowOf[Table];

/** A row together with the table it is of: what every list that mixes tables holds. */
export type AnyRow = { [T in Table]: { readonly table: T; readonly row: RowOf[T] } }[Table];
