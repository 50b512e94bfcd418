/** The receipt of a batch: every candidate in exactly one outcome. */
import {
  CANDIDATE_OUTCOMES,
  type CandidateReceipt,
  type CandidateSpan,
  type CaptureReceipt,
  DECLINE_REASONS,
  type DeclinedCandidate,
  type DeclineReason,
  noCounts,
} from '../model/capture.ts';

export function receiptOf(
  candidates: readonly CandidateReceipt[],
  of: Omit<CaptureReceipt, 'counts' | 'counted' | 'declined' | 'candidates'>,
): CaptureReceipt {
  const counts = noCounts();
  const declined: Partial<Record<DeclineReason, number>> = {};
  const pieces: DeclinedCandidate[] = [];
  for (const { outcome, reason, source_uuid, start, end } of candidates) {
    counts[outcome] += 1;
    const why =
      outcome === 'declined' ? DECLINE_REASONS.find((each) => each === reason) : undefined;
    if (why === undefined) continue;
    declined[why] = (declined[why] ?? 0) + 1;
    pieces.push({ source_uuid, start, end, reason: why });
  }
  return {
    ...of,
    counts,
    counted: candidates.length,
    declined,
    candidates: candidates.filter(({ outcome }) => outcome !== 'declined'),
    declined_candidates: pieces,
  };
}

/** With what became of some of its pieces since, each in its place. */
export function amended(
  receipt: CaptureReceipt,
  made: readonly CandidateReceipt[],
  isReplaced: (each: CandidateReceipt) => boolean,
): CaptureReceipt {
  if (made.length === 0) return receipt;
  const anew = new Map<string, readonly CandidateReceipt[]>();
  for (const each of made) anew.set(spanName(each), [...(anew.get(spanName(each)) ?? []), each]);
  const taken = new Set<string>();
  const candidates = receipt.candidates.flatMap((each) => {
    const name = spanName(each);
    const own = anew.get(name);
    if (!own || !isReplaced(each)) return [each];
    if (taken.has(name)) return [];
    taken.add(name);
    return own;
  });
  const { counts: _c, counted: _n, declined: _d, candidates: _l, ...of } = receipt;
  const [listed, now] = [receiptOf(receipt.candidates, of), receiptOf(candidates, of)];
  const counts = { ...now.counts };
  for (const outcome of CANDIDATE_OUTCOMES)
    counts[outcome] += receipt.counts[outcome] - listed.counts[outcome];
  const declined = { ...receipt.declined };
  for (const reason of DECLINE_REASONS) {
    const more = now.declined[reason] ?? 0;
    if (more > 0) declined[reason] = (declined[reason] ?? 0) + more;
  }
  const pieces = [receipt, now].flatMap(({ declined_candidates: each = [] }) => each);
  const counted = now.counted + receipt.counted - listed.counted;
  return { ...now, counts, declined, declined_candidates: pieces, counted };
}

/** The place of a candidate. */
export const spanName = ({ source_uuid: source, start, end }: CandidateSpan): string =>
  `${source}/${start}-${end}`;
