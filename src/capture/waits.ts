/** A batch that waits: nothing of it is lost, and the next call goes on with it. */
import type { CandidateReceipt } from '../model/capture.ts';
import type { Instant } from '../model/ids.ts';

/** Why nothing is captured for now. */
export interface Waiting {
  readonly code: 'CAPTURE.BUDGET_SPENT' | 'CAPTURE.BUSY' | 'CAPTURE.REVIEWS_WAIT';
  readonly until: Instant;
}

export class CaptureWaits extends Error {
  override readonly name = 'CaptureWaits';
  readonly waiting: Waiting;
  /** What of the batch is there already: its receipt comes when it goes on. */
  readonly written: readonly CandidateReceipt[];

  constructor(waiting: Waiting, written: readonly CandidateReceipt[] = []) {
    super(waiting.code);
    this.waiting = waiting;
    this.written = written;
  }
}
