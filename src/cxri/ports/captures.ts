/**
 * The port of captures: what a consumer made of each batch of a scope. A plan is kept before it is
 * carried out, so that whoever goes on after a crash, or meets another worker, carries out the same
 * one.
 */
import type { CaptureReceipt } from '../../model/capture.ts';
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import type { HeldScopes } from '../../model/permission.ts';
import type { CaptureConsumer } from './capture-progress.ts';

export interface PlannedCapture extends CaptureConsumer {
  readonly capture_uuid: Uuid;
  readonly from_seq: number;
  readonly to_seq: number;
  /** What is going to be written, as JSON: holds words of turns until the capture is finished. */
  readonly plan: unknown;
  readonly planned_at: Instant;
}
export interface FinishedCapture extends CaptureConsumer {
  readonly from_seq: number;
  readonly receipt: CaptureReceipt;
}
/** What is left of a plan that could not be carried out to its end. */
export interface SplitCapture extends FinishedCapture {
  /** As it was read: where it is another by now, nothing is split. */
  readonly plan: unknown;
  readonly rest: Pick<PlannedCapture, 'capture_uuid' | 'plan'>;
}
/** Where a listing goes on. */
export type CaptureKey = Pick<CaptureReceipt, 'captured_at' | 'from_seq' | 'capture_uuid'>;
export interface CaptureListing {
  readonly scope_uuid: Uuid;
  readonly limit: number;
  /** The last receipt of the page before; absent = from the latest on. */
  readonly after?: CaptureKey;
}

export interface CapturesPort {
  /**
   * The plan that begins where the progress ends: this one, or the one that was kept before it.
   * null = the progress is elsewhere by now.
   */
  planCapture(tenant: TenantId, capture: PlannedCapture): Promise<PlannedCapture | null>;
  /** The plan that was kept and not carried out to its end. */
  openCapture(tenant: TenantId, asked: CaptureConsumer): Promise<PlannedCapture | null>;
  /**
   * Keeps the receipt in the place of the plan and moves the progress, together. The first receipt
   * stays: it is the answer of whoever finishes later.
   */
  finishCapture(tenant: TenantId, finished: FinishedCapture): Promise<CaptureReceipt>;
  /**
   * Keeps the receipt of what is written, and the rest as an open plan of its own, in the place of
   * the plan: the progress stays. false = the plan is finished or another one by now.
   */
  splitCapture(tenant: TenantId, split: SplitCapture): Promise<boolean>;
  /** Of a scope that is held: by `captured_at`, `from_seq` and `capture_uuid`, the latest first. */
  listCaptures(
    tenant: TenantId,
    asked: CaptureListing,
    scopes: HeldScopes,
  ): Promise<readonly CaptureReceipt[]>;
}
