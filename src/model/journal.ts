/**
 * The journal of a scope: one entry for each operation, and what of a scope travels in an export.
 */
import type { AnyRow, OperationKind, Table } from './block.ts';
import type { Instant, Uuid } from './ids.ts';
import type { Outcome, Receipt } from './operation.ts';

/**
 * `CASCADE`: rows were withdrawn because a source in another scope was. `RESTORE`: a row of an
 * imported scope whose export had no journal (format 1): one entry for each row.
 */
export const JOURNAL_OPERATIONS = [
  'ADD',
  'UPDATE',
  'DELETE',
  'NOOP',
  'CASCADE',
  'RESTORE',
] as const;

export interface JournalRecord {
  readonly seq: number;
  /** Entries of one seq differ in it: only `RESTORE` has several. */
  readonly ordinal: number;
  /** Of a duplicate: the operation that it repeats. */
  readonly operation_id: Uuid;
  readonly operation: OperationKind | 'CASCADE' | 'RESTORE';
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
  readonly recorded_at: Instant;
}

/** A scope at one position: nothing of it is later than `head`. */
export interface ScopeHistory {
  readonly scope: Uuid;
  readonly head: number;
  /** By (seq, ordinal). */
  readonly journal: readonly JournalRecord[];
  readonly rows: readonly AnyRow[];
}
