/** An undo as it would be now: what the permission stage judges, and what refuses it. */
import type { AnyRow } from './block.ts';
import type { Uuid } from './ids.ts';

/** What an undo changes of one root. */
export interface UndoEffect {
  /** The version that comes back, else the one that goes. */
  readonly entry: AnyRow;
  /** Whether the root has a believed version before it and after it. */
  readonly was: boolean;
  readonly is: boolean;
}

/** An operation, and the scope that orders it. */
export interface NamedOperation {
  readonly operation_id: Uuid;
  readonly scope: Uuid;
}

export interface UndoPlan {
  readonly scope: Uuid;
  readonly root_uuid: Uuid;
  /** The operation that took it back already; null = none does. */
  readonly undone_by: Uuid | null;
  readonly effects: readonly UndoEffect[];
  /** The versions that go and those that come back, sorted. */
  readonly touched: readonly Uuid[];
  /** Operations that build on it. */
  readonly built_on: readonly NamedOperation[];
}
