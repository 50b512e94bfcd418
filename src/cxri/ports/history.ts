/** The port of whole scopes: what an export reads beside the rows, and what an import puts back. */
import type { AuditEntry } from '../../model/audit.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import type { JournalRecord, ScopeHistory } from '../../model/journal.ts';
import type { HeldScopes } from '../../model/permission.ts';
import type { UndoPlan } from '../../model/undo.ts';
import type { OutcomeRecord } from './usage.ts';

export interface JournalRequest {
  readonly tenant: TenantId;
  readonly scope: Uuid;
  readonly after: { readonly seq: number; readonly ordinal: number };
  readonly head: number;
  readonly limit: number;
}
export interface RestoredScope {
  readonly history: ScopeHistory;
  readonly outcomes: readonly OutcomeRecord[];
  readonly audit: AuditEntry;
}
export interface RestoreRequest extends RestoredScope {
  readonly tenant: TenantId;
  /** Scopes that come with it: links of each may lead to any of them. */
  readonly beside?: readonly RestoredScope[];
  /** Of who imports. */
  readonly held: HeldScopes;
  readonly recorded_at: Instant;
}
/** All that one request restores. */
export const restoredBy = ({
  history,
  outcomes,
  audit,
  beside = [],
}: RestoreRequest): readonly RestoredScope[] => [{ history, outcomes, audit }, ...beside];

export interface JournaledOperation
  extends Pick<JournalRecord, 'operation_id' | 'operation' | 'outcome' | 'root_uuid'> {
  readonly scope: Uuid;
}

export interface HistoryPort {
  /** The journal of a scope, by (seq, ordinal), after an entry and up to a head. */
  readJournal(request: JournalRequest): Promise<readonly JournalRecord[]>;
  /**
   * What taking an operation back would do now. Null where none of that id changed anything, or
   * where its scope is not held.
   */
  readUndo(tenant: TenantId, operation: Uuid, held: HeldScopes): Promise<UndoPlan | null>;
  /** What the journal says of an operation, whatever came of it; null where it is not held. */
  operationNamed(
    tenant: TenantId,
    operation: Uuid,
    held: HeldScopes,
  ): Promise<JournaledOperation | null>;
  /**
   * Puts an exported scope back as it stood, with those beside it: rows, journal and outcomes. All
   * or nothing, the audit entries with them. `WRITE.INVALID` where the tenant has a scope or one of
   * the ids; what links lead to outside of them must be there and held.
   */
  restoreScope(request: RestoreRequest): Promise<void>;
}
