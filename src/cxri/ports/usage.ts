/** The port of usage: outcomes of compositions, folded in order. */
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

export interface UsagePort {
  /**
   * An event of a composition, root and kind that is there already is passed over: a retry counts
   * once.
   */
  recordUsage(tenant: TenantId, usage: UsageRecord): Promise<Position>;
}
