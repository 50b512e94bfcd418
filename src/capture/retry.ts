/**
 * What failed is captured once more, in the place that its receipt has for it: pieces of which no
 * answer of a model could be used, what another write came before, what a rule could not read.
 */
import type { CandidateReceipt, CaptureReceipt } from '../model/capture.ts';
import type { CaptureResult } from './capture.ts';
import { captureAgain } from './capture-again.ts';
import { type CaptureCall, type CaptureDependencies, prepareCapture } from './prepare.ts';
import { CaptureWaits } from './waits.ts';

const PAGE = 100;

/** The receipts of which something was tried again, as they are by now, the earliest first. */
export async function retryFailed(
  call: CaptureCall,
  by: CaptureDependencies,
): Promise<CaptureResult> {
  const { scope, timeZone, mostBatches = Number.POSITIVE_INFINITY, signal } = call;
  const prepared = await prepareCapture(call, by);
  const failed = await receiptsWithFailures(prepared, by);
  const receipts: CaptureReceipt[] = [];
  const { warnings } = prepared;
  for (const [receipt, again] of failed) {
    if (receipts.length >= mostBatches) return { receipts, isMore: true, waiting: null, warnings };
    // Those that are left tell a retry from the one before it: nothing is stored twice.
    const because = `retry-${again.length}`;
    const asked = { receipt, again, because, timeZone, ...(signal && { signal }) };
    try {
      receipts.push((await captureAgain(asked, by)).receipt);
    } catch (error) {
      if (!(error instanceof CaptureWaits)) throw error;
      if (error.receipt) receipts.push(error.receipt);
      return { receipts, isMore: true, waiting: error.waiting, warnings };
    }
  }
  return { receipts, isMore: false, waiting: null, warnings };

  async function receiptsWithFailures(
    { grant, of }: Awaited<ReturnType<typeof prepareCapture>>,
    { authority }: CaptureDependencies,
  ) {
    const found: (readonly [CaptureReceipt, readonly CandidateReceipt[]])[] = [];
    let after: CaptureReceipt | undefined;
    for (;;) {
      const asked = { scope_uuid: scope, limit: PAGE, ...(after && { after: keyOf(after) }) };
      const page = await authority.listCaptures(grant.tenant, asked, grant.scopes);
      for (const receipt of page) {
        const again = receipt.candidates.filter(isRetried);
        if (again.length > 0 && receipt.consumer === of.consumer) found.unshift([receipt, again]);
      }
      after = page.at(-1);
      if (page.length < PAGE || !after) return found;
    }
  }
}

/** One that names no piece has nothing that could be read again. */
const isRetried = ({ outcome, start, end }: CandidateReceipt): boolean =>
  outcome === 'failed' && start < end;

const keyOf = ({ captured_at, from_seq, capture_uuid }: CaptureReceipt) => ({
  captured_at,
  from_seq,
  capture_uuid,
});
