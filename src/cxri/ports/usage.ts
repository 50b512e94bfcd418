/** The port of usage: outcomes of compositions, folded in order and read again. */
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import type { Position } from '../../model/validity.ts';
import type { UsageState } from '../contract.ts';

export interface UsageEvent {
  readonly scope_uuid: Uuid;
  readonly root_uuid: Uuid;
  readonly composition_id: Uuid;
  readonly kind: 'used' | 'cited' | 'confirmed' | 'corrected' | 'unused';
  readonly at: Instant;
  /** When the row began: its first review is then of a memory as old as the row is. */
  readonly born_at?: Instant;
}
/**
 * Given the state before (null = never), the state after. Pure; the connector calls it under the
 * scope's lock, in event order.
 */
export type FoldUsage = (before: UsageState | null, event: UsageEvent) => UsageState;

export interface UsageRecord {
  readonly events: readonly UsageEvent[];
  readonly fold: FoldUsage;
  readonly recorded_at: Instant;
}

/** An outcome as it was folded: `state` is that of its root after it. */
export interface OutcomeRecord {
  /** Counts the outcomes of a scope, from 1. */
  readonly usage_seq: number;
  readonly root_uuid: Uuid;
  readonly composition_id: Uuid;
  readonly kind: UsageEvent['kind'];
  readonly at: Instant;
  readonly state: UsageState;
  readonly recorded_at: Instant;
}
export interface OutcomesRequest {
  readonly tenant: TenantId;
  readonly scope: Uuid;
  readonly after: number;
  readonly head: number;
  readonly limit: number;
}

export interface UsagePort {
  /**
   * An event of a composition, root and kind that is there already is passed over: a retry counts
   * once.
   */
  recordUsage(tenant: TenantId, usage: UsageRecord): Promise<Position>;
  /** The recorded outcomes of a scope, by number, after one and up to another. */
  readOutcomes(request: OutcomesRequest): Promise<readonly OutcomeRecord[]>;
}
