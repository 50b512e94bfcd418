/** A batch that waits: nothing of it is lost, and the next call goes on with it. */
import type { CaptureReceipt } from '../model/capture.ts';
import type { Instant } from '../model/ids.ts';

/** Why nothing is captured for now. */
export interface Waiting {
  readonly code: 'CAPTURE.BUDGET_SPENT' | 'CAPTURE.BUSY' | 'CAPTURE.REVIEWS_WAIT';
  readonly until: Instant;
}

export class CaptureWaits extends Error {
  override readonly name = 'CaptureWaits';
  readonly waiting: Waiting;
  /** Of what is written before it: the rest has a receipt of its own. null = nothing is. */
  readonly receipt: CaptureReceipt | null;

  constructor(waiting: Waiting, receipt: CaptureReceipt | null = null) {
    super(waiting.code);
    this.waiting = waiting;
    this.receipt = receipt;
  }
}
