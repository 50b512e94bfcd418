/**
 * The port of capture: how far each consumer has read a scope, and what it made of each batch. A
 * plan is kept before it is carried out, so that whoever goes on after a crash, or meets another
 * worker, carries out the same one.
 */
import type { CaptureReceipt } from '../../model/capture.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import type { HeldScopes } from '../../model/permission.ts';

export interface PlannedCapture {
  readonly capture_uuid: Uuid;
  readonly scope_uuid: Uuid;
  readonly consumer: string;
  readonly from_seq: number;
  readonly to_seq: number;
  /** What is going to be written, as JSON: holds words of turns until the capture is finished. */
  readonly plan: unknown;
  readonly planned_at: Instant;
}
export interface FinishedCapture {
  readonly scope_uuid: Uuid;
  readonly consumer: string;
  readonly from_seq: number;
  readonly receipt: CaptureReceipt;
}
export type SkippedCapture = Omit<PlannedCapture, 'capture_uuid' | 'plan' | 'planned_at'> & {
  readonly at: Instant;
};
export interface CaptureListing {
  readonly scope_uuid: Uuid;
  readonly limit: number;
}

export interface CapturesPort {
  /** The last sequence number that the consumer has done with; 0 = it has not begun. */
  captureProgress(
    tenant: TenantId,
    asked: { readonly consumer: string; readonly scope_uuid: Uuid },
  ): Promise<number>;
  /**
   * The plan that begins where the progress ends: this one, or the one that was kept before it.
   * null = the progress is elsewhere by now.
   */
  planCapture(tenant: TenantId, capture: PlannedCapture): Promise<PlannedCapture | null>;
  /** The plan that was kept and not carried out to its end. */
  openCapture(
    tenant: TenantId,
    asked: { readonly consumer: string; readonly scope_uuid: Uuid },
  ): Promise<PlannedCapture | null>;
  /**
   * Keeps the receipt in the place of the plan and moves the progress, together. The first receipt
   * stays: it is the answer of whoever finishes later.
   */
  finishCapture(tenant: TenantId, finished: FinishedCapture): Promise<CaptureReceipt>;
  /** Moves the progress over what holds no turns, where it ends before that and no plan is open. */
  skipCapture(tenant: TenantId, skipped: SkippedCapture): Promise<void>;
  /** Of a scope that is held, the latest first. */
  listCaptures(
    tenant: TenantId,
    asked: CaptureListing,
    scopes: HeldScopes,
  ): Promise<readonly CaptureReceipt[]>;
}
