/** What a write says, and what it gets back. */
import type { Cause, ContentOf, OperationKind, Provenance, Table } from './block.ts';
import type { Redaction } from './erasure.ts';
import type { Instant, Uuid } from './ids.ts';
import type { Position } from './validity.ts';

interface OperationBase {
  /**
   * The scope whose head orders this operation. For the ADD of a scope block: the new scope itself.
   */
  readonly scope: Uuid;
  /**
   * The same key with the same payload is a duplicate; with another payload an error. Unique per
   * (tenant, scope).
   */
  readonly idempotency_key?: string;
  /**
   * The times are the clock's, not the caller's: a retry under the same key, which reads the clock
   * anew, is the same payload.
   */
  readonly is_time_defaulted?: true;
  /** Why, in the caller's words; kept in the journal. */
  readonly reason?: string;
}

/**
 * The blocks of a scope that were recorded from one sequence number to another, but for the scope
 * itself. `seen_seq`: the head at which they were read; the write is refused where one of them was
 * retired since. Default: the head at the write.
 */
export interface SourceRange {
  readonly scope: Uuid;
  readonly from_seq: number;
  readonly to_seq: number;
  readonly seen_seq?: number;
}
export type Source = Uuid | SourceRange;
export const isRange = (source: Source): source is SourceRange => typeof source === 'object';

/**
 * Sources of a derived row: versions and ranges. Each becomes a `derived_from` link in the same
 * transaction.
 */
type Sources = { readonly sources?: readonly Source[] };

/**
 * A fact that takes its place among the facts of its scope with the same slot of the same subject
 * (`fact-slot.ts`). `one`: of one value at a time. `many`: beside other values, once each.
 * `yields`: to another value that holds from the same instant on; what is proposed does. `told_at`:
 * when it was told, where it speaks of a day before; what was said again since that day and before
 * it was told held until then.
 */
export interface InSlot {
  readonly in_slot?: 'one' | 'many';
  readonly yields?: true;
  readonly told_at?: Instant;
}

export type AddOperation<T extends Table = Table> = {
  [K in T]: OperationBase &
    Sources &
    InSlot & {
      readonly operation: 'ADD';
      readonly table: K;
      /** Given by the caller, so that a retry writes the same id. */
      readonly uuid: Uuid;
      readonly content: ContentOf[K];
      readonly valid_from: Instant;
      /** A TTL. */
      readonly valid_until?: Instant;
    };
}[T];

/**
 * `change`: from `valid_from` on it is otherwise (closes and adds). `correction`: it was never so
 * (retires and appends over the same interval).
 */
export type UpdateOperation<T extends Table = Table> = {
  [K in T]: OperationBase &
    Sources &
    InSlot & {
      readonly operation: 'UPDATE';
      readonly table: K;
      readonly root_uuid: Uuid;
      /** Of the new version. */
      readonly uuid: Uuid;
      readonly content: ContentOf[K];
      readonly cause: Extract<Cause, 'change' | 'correction' | 'merge'>;
      /**
       * When the change took effect; for a correction, any instant inside the interval that is
       * corrected.
       */
      readonly valid_from: Instant;
      readonly valid_until?: Instant;
      /**
       * Compare-and-swap: the version this was decided against. Another current version gives
       * receipt `conflict`.
       */
      readonly expected_version?: Uuid;
    };
}[T];

/** `change`: closes at `valid_from`. Any other cause retires every believed version of the root. */
export interface DeleteOperation extends OperationBase {
  readonly operation: 'DELETE';
  readonly table: Table;
  readonly root_uuid: Uuid;
  readonly cause: Extract<Cause, 'change' | 'correction' | 'prune'>;
  readonly valid_from: Instant;
  readonly expected_version?: Uuid;
}

/** Journaled, touches nothing. */
export interface NoopOperation extends OperationBase {
  readonly operation: 'NOOP';
  readonly reason: string;
}

/**
 * Takes back an operation of the scope: what it brought is retired, what it closed or retired comes
 * back, with all that was withdrawn because of it. Refused where others build on it; a duplicate
 * where it is taken back already.
 */
export interface UndoOperation extends OperationBase {
  readonly operation: 'UNDO';
  /** The `operation_id` of its receipt. */
  readonly target: Uuid;
  /**
   * Compare-and-swap: the versions that were to be retired and to come back when this was decided,
   * sorted. Others give receipt `conflict`.
   */
  readonly expected?: readonly Uuid[];
}

export type Operation =
  | AddOperation
  | UpdateOperation
  | DeleteOperation
  | NoopOperation
  | UndoOperation;

/** An operation that names its table: all but a NOOP and an UNDO. */
export const isOfTable = (
  operation: Operation,
): operation is AddOperation | UpdateOperation | DeleteOperation =>
  operation.operation !== 'NOOP' && operation.operation !== 'UNDO';

/** An operation that brings a version. */
export const isBringing = (operation: Operation): operation is AddOperation | UpdateOperation =>
  operation.operation === 'ADD' || operation.operation === 'UPDATE';

/** That it begins, goes on with or ends; null of one that has none. */
export const rootOf = (operation: Operation): Uuid | null =>
  'root_uuid' in operation ? operation.root_uuid : 'uuid' in operation ? operation.uuid : null;

/** With what the engine sets in its provenance; an operation without one stays as it is. */
export function stampedWith(
  operation: Operation,
  stamp: (said: Provenance) => Provenance,
): Operation {
  if (!isBringing(operation) || operation.table === 'context_links') return operation;
  const provenance = stamp(operation.content.provenance ?? {});
  // The pair of table and content stays a pair: only what every such content has is set.
  return { ...operation, content: { ...operation.content, provenance } } as Operation;
}

export const OUTCOMES = [
  'stored',
  'superseded',
  'duplicate',
  'quarantined',
  'rejected',
  'conflict',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * One per operation, in the order given. `quarantined` = it waits in a proposal, `seq` is 0 and
 * nothing is written. `superseded` = stored, and an earlier version gave way to it. NOOP and
 * applied DELETE and UNDO are `stored`.
 */
export interface Receipt {
  readonly operation_id: Uuid;
  readonly operation: OperationKind;
  readonly table: Table | null;
  readonly outcome: Outcome;
  readonly scope: Uuid;
  /**
   * The version written (or, for a duplicate, written then); null for NOOP, DELETE, UNDO, rejected,
   * conflict.
   */
  readonly uuid: Uuid | null;
  readonly root_uuid: Uuid | null;
  readonly seq: number;
  readonly embedding: 'none' | 'pending' | 'done';
  readonly reason?: string;
}

export function countsOf(receipts: readonly Receipt[]): WriteResult['counts'] {
  const count = (outcome: Outcome): number =>
    receipts.filter((receipt) => receipt.outcome === outcome).length;
  return {
    stored: count('stored'),
    superseded: count('superseded'),
    duplicate: count('duplicate'),
    quarantined: count('quarantined'),
    rejected: count('rejected'),
    conflict: count('conflict'),
  };
}

/** Invariant: the counts sum to the number of operations (src/conformance/laws/receipts.ts). */
export interface WriteResult {
  readonly receipts: readonly Receipt[];
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Of the scopes written, after the commit: pass it as `after` to read your own writes. */
  readonly position: Position;
  /** Of a write that waits: another principal reviews (T2) or approves (T3) it as a whole. */
  readonly proposal?: {
    readonly proposal_uuid: Uuid;
    readonly tier: 'T2' | 'T3';
    /** What an approver signs. */
    readonly digest: string;
    readonly expires_at: Instant;
  };
  /** Of the undo of a `forget`: what came back. There are no receipts then. */
  readonly brought_back?: Redaction;
}

/** Who writes, for the journal. */
export interface Writer {
  readonly principal: string;
  readonly on_behalf_of: string | null;
  readonly writer: string;
}

/** What was decided about one operation, for the journal. */
export interface WriteDecision {
  /** The tier that the operation was written by. */
  readonly decision: string;
  /** The manifest that decided it; null = no manifest serves the type of its scope. */
  readonly manifest_digest: string | null;
}

/** Of a request without decisions: of tools and tests, which write beside the engine. */
export const UNDECIDED: WriteDecision = { decision: 'T1', manifest_digest: null };
