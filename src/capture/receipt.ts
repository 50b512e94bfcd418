/** The receipt of a batch: every candidate in exactly one outcome. */
import {
  CANDIDATE_OUTCOMES,
  type CandidateReceipt,
  type CandidateSpan,
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
    candidates,
  };
}

/** With what became of some of its pieces since, each in its place. */
export function amended(
  receipt: CaptureReceipt,
  made: readonly CandidateReceipt[],
): CaptureReceipt {
  const anew = new Map<string, CandidateReceipt[]>();
  for (const each of made) anew.set(spanName(each), [...(anew.get(spanName(each)) ?? []), each]);
  const taken = new Set<string>();
  const candidates = receipt.candidates.flatMap((each) => {
    const name = spanName(each);
    const own = anew.get(name);
    if (!own) return [each];
    if (taken.has(name)) return [];
    taken.add(name);
    return own;
  });
  const { capture_uuid, scope_uuid, consumer, from_seq, to_seq, turns, captured_at } = receipt;
  const of = { capture_uuid, scope_uuid, consumer, from_seq, to_seq, turns, captured_at };
  const [listed, now] = [receiptOf(receipt.candidates, of), receiptOf(candidates, of)];
  // A receipt of before lists none of those declined: they stay counted.
  const counts = { ...now.counts };
  for (const outcome of CANDIDATE_OUTCOMES)
    counts[outcome] += receipt.counts[outcome] - listed.counts[outcome];
  const declined = { ...now.declined };
  for (const reason of DECLINE_REASONS) {
    const unlisted = (receipt.declined[reason] ?? 0) - (listed.declined[reason] ?? 0);
    if (unlisted > 0) declined[reason] = (declined[reason] ?? 0) + unlisted;
  }
  const counted = now.counted + receipt.counted - listed.counted;
  return { ...now, counts, declined, counted };
}

/** The place of a candidate. */
export const spanName = ({ source_uuid: source, start, end }: CandidateSpan): string =>
  `${source}/${start}-${end}`;
