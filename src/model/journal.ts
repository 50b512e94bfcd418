/**
 * The journal of a scope: one entry for each operation, and what of a scope travels in an export.
 */
import type { AnyRow, OperationKind, Table } from './block.ts';
import type { Instant, Uuid } from './ids.ts';
import type { Outcome, Receipt } from './operation.ts';

/**
 * `CASCADE`: a row was withdrawn because a source of it was; one entry for each row, in the scope
 * of the row. `RETURN`: a row came back with an UNDO, by an entry of the same kind. `RESTORE`: a
 * row of an imported scope whose export had no journal (format 1): one entry for each row.
 */
export const JOURNAL_OPERATIONS = [
  'ADD',
  'UPDATE',
  'DELETE',
  'NOOP',
  'UNDO',
  'CASCADE',
  'RESTORE',
  'RETURN',
] as const;

export interface JournalRecord {
  readonly seq: number;
  /** Entries of one seq differ in it: only `CASCADE`, `RESTORE`, `RETURN` are not 0. */
  readonly ordinal: number;
  /** Of a duplicate: the operation that it repeats. */
  readonly operation_id: Uuid;
  readonly operation: OperationKind | 'CASCADE' | 'RESTORE' | 'RETURN';
  readonly table: Table | null;
  readonly uuid: Uuid | null;
  readonly root_uuid: Uuid | null;
  readonly outcome: Outcome;
  readonly embedding: Receipt['embedding'];
  readonly reason: string | null;
  readonly principal: string;
  readonly on_behalf_of: string | null;
  readonly writer: string;
  readonly manifest_digest: string | null;
  readonly decision: string;
  /** Where this operation is the first with its key; the digest is of its payload. */
  readonly idempotency_key: string | null;
  readonly payload_digest: string | null;
  /**
   * Of a `CASCADE` or `RETURN`: the operation that caused it; null on those of earlier releases. Of
   * an `UNDO`: the operation that it takes back.
   */
  readonly caused_by: Uuid | null;
  readonly recorded_at: Instant;
  /** Of a duplicate that says again, of a later instant, what a version says. */
  readonly said_again?: SaidAgain;
}

/**
 * A version that holds from `from` on by another statement as well: another value that comes late
 * and speaks of an earlier instant holds up to there. `sources` are those of the statement, and it
 * counts while they stand.
 */
export interface SaidAgain {
  readonly from: Instant;
  readonly sources: readonly Uuid[];
}

/** A scope at one position: nothing of it is later than `head`. */
export interface ScopeHistory {
  readonly scope: Uuid;
  readonly head: number;
  /** By (seq, ordinal). */
  readonly journal: readonly JournalRecord[];
  readonly rows: readonly AnyRow[];
}

/** What an import restored. */
export interface ImportedScope {
  readonly scope_block_uuid: Uuid;
  readonly rows: number;
}
export interface ImportedScopes extends ImportedScope {
  /** Of the exports behind the first. */
  readonly beside: readonly ImportedScope[];
}
