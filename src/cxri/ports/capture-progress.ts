/** The port of capture progress: how far each consumer has read a scope. */
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';

/** An extractor and its version, in one scope. */
export interface CaptureConsumer {
  readonly consumer: string;
  readonly scope_uuid: Uuid;
}
export interface SkippedCapture extends CaptureConsumer {
  readonly from_seq: number;
  readonly to_seq: number;
  readonly at: Instant;
}

export interface ScopesOfConsumer {
  readonly consumer: string;
  readonly scopes: readonly Uuid[];
}
export interface ScopeProgress {
  readonly scope_uuid: Uuid;
  readonly done_seq: number;
}

export interface CaptureProgressPort {
  /** The last sequence number that the consumer has finished; 0 = it has not begun. */
  captureProgress(tenant: TenantId, asked: CaptureConsumer): Promise<number>;
  /** The same of many scopes at once; those that it has not begun are not there. */
  progressOfScopes(tenant: TenantId, asked: ScopesOfConsumer): Promise<readonly ScopeProgress[]>;
  /** Moves the progress over what holds no turns, where it ends before that and no plan is open. */
  skipCapture(tenant: TenantId, skipped: SkippedCapture): Promise<void>;
}
