/** The surface of captures as types: their receipts, and the work that waits. */
import type { CandidateSpan, CaptureReceipt } from '../../model/capture.ts';
import type { Instant, Uuid } from '../../model/ids.ts';

export interface CaptureFailure {
  /** A code of the table of codes; of a write that another one came before, `conflict`. */
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}
/** A candidate that failed: its words stand in the turn. */
export type FailedCandidate = CandidateSpan & CaptureFailure;

/**
 * The receipt of a batch as it is to the caller: of what stands in a scope that they do not read,
 * the outcome, the class and the place in the turn alone.
 */
export interface CaptureRecord extends CaptureReceipt {
  readonly failures: readonly FailedCandidate[];
}
export interface CaptureListing {
  /** Whose turns were captured. */
  readonly scope: string;
  /** At most 1,000, 100 by default. */
  readonly limit?: number;
  /** The `cursor` of the page before. */
  readonly after?: string;
}
export interface CapturePage {
  /** The latest first. */
  readonly captures: readonly CaptureRecord[];
  /** null = this is the last page. */
  readonly cursor: string | null;
}

/** Work off the path of a call that is not done. */
export interface WaitingJob {
  readonly kind: 'capture';
  /** Whose turns are captured. */
  readonly scope_block_uuid: Uuid;
  /** `due`: the next worker takes it. `waits`: not before `not_before`. */
  readonly state: 'due' | 'waits' | 'running';
  /** Tries so far, the one under way included. */
  readonly attempts: number;
  /** When it is tried, or tried again. */
  readonly not_before: Instant;
  /** What the last try ended with; null = none has failed. */
  readonly failure: CaptureFailure | null;
}
export interface JobListing {
  /** Default: all that the caller reads. */
  readonly scope?: string;
  /** At most 1,000, 100 by default. */
  readonly limit?: number;
}

/** How far a scope is captured. */
export interface CaptureProgress {
  readonly scope_block_uuid: Uuid;
  /** The extractor that this engine captures with, and its version. */
  readonly extractor: string;
  /** Its manifest says `writing.capture: true`: each append asks for a capture. */
  readonly is_automatic: boolean;
  /** Turns that this extractor has not captured; counted up to 999. */
  readonly turns: number;
  /** There are more of them than were counted. */
  readonly is_more: boolean;
  /** null = nothing is asked for. */
  readonly job: WaitingJob | null;
}
