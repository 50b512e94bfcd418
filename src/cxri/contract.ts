/**
 * The Context Runtime Interface: six operations. `connect` gives a connection with the other five;
 * it is closed by `await using` or `connection[Symbol.asyncDispose]()`. Isolation (tenant, scopes,
 * visibility) is part of every request and a hard pre-filter of every answer.
 */
/// <reference lib="esnext.disposable" preserve="true" />

import type { ErrorCode } from '../codes/code-table.ts';
import type { AuditEntry } from '../model/audit.ts';
import type { AnyRow, Table } from '../model/block.ts';
import type { Health } from '../model/health.ts';
import type { Instant, TenantId, Uuid } from '../model/ids.ts';
import type { Operation, WriteDecision, WriteResult, Writer } from '../model/operation.ts';
import type { Position } from '../model/validity.ts';
import type { Lexicon } from '../text/bm25.ts';

export type { Lexicon } from '../text/bm25.ts';

export const CAPABILITIES = [
  'vector',
  'text',
  'hybrid',
  'structured',
  'blobs',
  'changes',
  'write',
  'atomic',
  'idempotent',
  'prefilter',
  'temporal',
  'ordered_changes',
  'read_your_writes',
  'erase',
] as const;
export type Capability = (typeof CAPABILITIES)[number];
export type Capabilities = Readonly<Record<Capability, boolean>>;

export interface ConnectOptions {
  readonly signal?: AbortSignal;
}
export interface Connector {
  readonly name: string;
  connect(options?: ConnectOptions): Promise<Connection>;
}

export type Scalar = string | number | boolean | null;
/**
 * Fields are columns of the table; `metadata.x` reaches into the metadata object of blocks and
 * facts.
 */
export type Filter =
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter }
  | { readonly field: string; readonly eq: Scalar }
  | { readonly field: string; readonly in: readonly Scalar[] }
  | {
      readonly field: string;
      readonly gt?: string | number;
      readonly gte?: string | number;
      readonly lt?: string | number;
      readonly lte?: string | number;
    }
  /** Array columns (`tags`): has all of these. */
  | { readonly field: string; readonly contains: readonly string[] }
  /** `metadata`: JSON containment. */
  | { readonly field: string; readonly has: Readonly<Record<string, unknown>> };

export interface QueryVector {
  /** `provider/model/dimensions`. Another space than the stored one is an error. */
  readonly space: string;
  readonly values: readonly number[];
}

interface PartBase {
  /** Answered under this id. */
  readonly id: string;
  readonly table: Table;
  readonly filter?: Filter;
  /** Scopes of the position that this part may see; absent = all of them. */
  readonly scopes?: readonly Uuid[];
  /** 1..1000. */
  readonly limit: number;
}
/**
 * By relevance; text and vector each optional, at least one. Returns the union of the top `limit`
 * of each leg, with the signals of both where the row has them, and what stands beside them in
 * their conversations.
 */
export interface SearchPart extends PartBase {
  readonly mode: 'search';
  readonly text?: string;
  readonly vector?: QueryVector;
  /**
   * Blocks only, 0..4, default 0: up to so many rows before and after each row found, as further
   * hits. A conversation is the rows of one scope, `block_type` and `parent_uuid` that the part may
   * see (visible, its filter), by (`occurred_at`, `recorded_seq`, `uuid`).
   */
  readonly neighbours?: number;
}
/**
 * Ordered by a column, ties by uuid in the same direction. Blocks by `occurred_at` tie on
 * `recorded_seq` first.
 */
export interface ListPart extends PartBase {
  readonly mode: 'list';
  readonly order: { readonly by: string; readonly direction: 'asc' | 'desc' };
  /**
   * Absent: the scopes are one list. Present: all rows of a nearer scope (the scopes stand in the
   * order of the position) come before those of an outer one. Rows are chosen before the limit
   * cuts.
   */
  readonly nearest?: NearestChoice;
}
/** Columns are those that a list may be ordered by. */
export interface NearestChoice {
  /** Of rows of one scope that agree in these columns only the first in order. */
  readonly once?: readonly string[];
  /**
   * A row that agrees in these columns with a row of a nearer scope is shadowed: it comes after
   * all rows that are not.
   */
  readonly shadow?: readonly string[];
}
/**
 * Given versions, in the order given: those that the part may see, with the signals that a search
 * would give them. Whoever found them elsewhere learns here what of it may be shown.
 */
export interface KeysPart extends PartBase, Pick<SearchPart, 'text' | 'vector'> {
  readonly mode: 'keys';
  readonly uuids: readonly Uuid[];
}
export type QueryPart =
  | ListPart
  | SearchPart
  | KeysPart
  /**
   * Rows that links of a type point at (`from` = any scope root of the position or the given
   * roots), in (scope order, ordinal) order.
   */
  | (PartBase & {
      readonly mode: 'linked';
      readonly link_type: 'pinned';
      readonly from?: readonly Uuid[];
    });

export interface QueryRequest {
  readonly tenant: TenantId;
  /** Scopes and their heads. Nothing outside it is seen. */
  readonly position: Position;
  readonly valid_at: Instant;
  readonly parts: readonly QueryPart[];
  readonly deadline_ms?: number;
  readonly signal?: AbortSignal;
  /** Folded outcomes of the hits' roots by this usage position; absent = none wanted. */
  readonly usage_position?: Position;
}

/**
 * Outcomes of one root, folded. Raw state: `R`, `U`, `frequency` are computed from it with the
 * clock of the composition.
 */
export interface UsageState {
  readonly stability: number;
  readonly difficulty: number;
  readonly reviewed_at: Instant;
  readonly utility: number;
  readonly utility_variance: number;
  readonly utility_at: Instant | null;
  /** Outcomes so far. */
  readonly count: number;
  readonly touched_at: Instant;
}

export type Hit = AnyRow & {
  /**
   * `dense`: cosine −1..1; absent = the row has no vector, or none was asked with. `lexical`: 0..1,
   * BM25 over the most that the query's terms can give, so that numbers of different queries
   * compare; absent = no term of the query is in the row.
   */
  readonly signals: { readonly dense?: number; readonly lexical?: number };
  readonly usage: UsageState | null;
  /**
   * The rows directly before and after it in its conversation; null = there is none. Present where
   * the part asked for neighbours.
   */
  readonly beside?: { readonly previous: Uuid | null; readonly next: Uuid | null };
};
export type PartResult =
  /**
   * `lexicon`: what a search by text was weighed with, where the connector knows it: the texts of
   * the part's table in its scopes as they stand now, all versions, whatever the position.
   */
  | {
      readonly id: string;
      readonly ok: true;
      readonly hits: readonly Hit[];
      readonly lexicon?: Lexicon;
      /**
       * A search by text that did not read all that its words occur in, although a row that it did
       * not read could belong to the best. Absent: the hits are exact.
       */
      readonly is_cut?: true;
      /**
       * Rows of before the last change of the rules of words wait for theirs, and are not found by
       * their words: `rebuildWords` makes them.
       */
      readonly is_rebuilding?: true;
    }
  | {
      readonly id: string;
      readonly ok: false;
      readonly error: { readonly code: ErrorCode; readonly message: string };
    };
export interface QueryResult {
  /** In the order asked. */
  readonly parts: readonly PartResult[];
  /**
   * The next instant after `valid_at` at which the visibility of any row of the position changes by
   * itself; null = none known.
   */
  readonly next_edge: Instant | null;
}

/**
 * `versions`: by uuid, whatever their validity, as long as the scope is among `scopes` and the
 * status is live; missing ones are left out.
 */
export type ReadRequest = {
  readonly tenant: TenantId;
  readonly signal?: AbortSignal;
} & (
  | {
      readonly kind: 'versions';
      readonly scopes: readonly Uuid[] | '*';
      readonly uuids: readonly Uuid[];
    }
  /** All versions of roots, oldest first. */
  | {
      readonly kind: 'history';
      readonly scopes: readonly Uuid[] | '*';
      readonly roots: readonly Uuid[];
    }
  /**
   * A scan in (scope, recorded_seq, uuid) order; `visible` restricts it to a valid time at the
   * position's heads.
   */
  | {
      readonly kind: 'scan';
      readonly table: Table;
      readonly position: Position;
      readonly visible_at?: Instant;
      readonly filter?: Filter;
      readonly limit: number;
      readonly cursor?: string;
    }
);
export interface ReadResult {
  readonly rows: readonly AnyRow[];
  readonly cursor: string | null;
}

export interface WriteRequest {
  readonly tenant: TenantId;
  readonly writer: Writer;
  readonly operations: readonly Operation[];
  /** One for each operation, in order: the journal keeps it. Absent: `UNDECIDED` for all. */
  readonly decisions?: readonly WriteDecision[];
  /**
   * Scopes that the writer may write only because this request makes them. One that was there
   * before is written no further: its operations are all duplicates, or `PERMISSION.DENIED`.
   */
  readonly must_be_new?: readonly Uuid[];
  /**
   * What the ids of further rows are derived from (re-cut intervals, links to sources), so that
   * nobody takes one before. Without it they are derived from scope and number, which can be
   * guessed.
   */
  readonly seed?: Uuid;
  /** Of an authority: appended to the audit in the transaction of the write, or neither is. */
  readonly audit?: readonly AuditEntry[];
  /**
   * The connector's clock reading; journal times never run backwards within a scope whatever it
   * says.
   */
  readonly recorded_at: Instant;
  readonly signal?: AbortSignal;
}

export interface Change {
  readonly scope: Uuid;
  readonly seq: number;
  readonly operation: string;
  readonly table: Table | null;
  readonly uuid: Uuid | null;
  readonly root_uuid: Uuid | null;
}
export interface ChangeFilter {
  readonly tenant: TenantId;
  readonly scopes: readonly Uuid[];
  /** Resume after it; absent = from now on. */
  readonly after?: Position;
}
/**
 * Called at least once per change, in order per scope. The next call waits for its promise. A
 * rejection stops the subscription.
 */
export type ChangeListener = (changes: readonly Change[]) => void | Promise<void>;
export interface Subscription extends AsyncDisposable {
  /** Settles when the subscription ends: resolves after disposal, rejects with what stopped it. */
  readonly ended: Promise<void>;
}

export interface Connection extends AsyncDisposable {
  readonly name: string;
  readonly capabilities: Capabilities;
  query(request: QueryRequest): Promise<QueryResult>;
  read(request: ReadRequest): Promise<ReadResult>;
  /** All operations or none. */
  write(request: WriteRequest): Promise<WriteResult>;
  subscribe(filter: ChangeFilter, listener: ChangeListener): Promise<Subscription>;
  health(): Promise<Health>;
}
