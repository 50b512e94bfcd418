/** The receipt of a batch: every candidate in exactly one outcome. */
import {
  type CandidateReceipt,
  type CaptureReceipt,
  DECLINE_REASONS,
  type DeclineReason,
  noCounts,
} from '../model/capture.ts';

export function receiptOf(
  candidates: readonly CandidateReceipt[],
  of: Omit<CaptureReceipt, 'counts' | 'counted' | 'declined' | 'candidates'>,
): CaptureReceipt {
  const counts = noCounts();
  const declined: Partial<Record<DeclineReason, number>> = {};
  for (const { outcome, reason } of candidates) {
    counts[outcome] += 1;
    const why =
      outcome === 'declined' ? DECLINE_REASONS.find((each) => each === reason) : undefined;
    if (why !== undefined) declined[why] = (declined[why] ?? 0) + 1;
  }
  return {
    ...of,
    counts,
    counted: candidates.length,
    declined,
    candidates: candidates.filter(({ outcome }) => outcome !== 'declined'),
  };
}
