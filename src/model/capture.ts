/**
 * What capture makes of turns: candidates, and the receipt in which each of them has one outcome.
 */
import type { Instant, Uuid } from './ids.ts';

/** What a memory is, and so where it is written: the keys of `writing.into`. */
export const MEMORY_CLASSES = [
  'preference',
  'fact',
  'rule',
  'lookup',
  'state',
  'procedure',
  'lesson',
  'typed',
] as const;
export type MemoryClass = (typeof MEMORY_CLASSES)[number];

export const CANDIDATE_OUTCOMES = [
  'stored',
  'superseded',
  'duplicate',
  'declined',
  'quarantined',
  'failed',
] as const;
/**
 * `superseded` = stored, and an earlier version gave way to it. `quarantined` = it waits in a
 * proposal.
 */
export type CandidateOutcome = (typeof CANDIDATE_OUTCOMES)[number];

/** Why nothing of a candidate is stored. */
export const DECLINE_REASONS = [
  /** Turns of tools and of the system are never mined. */
  'role',
  'secret',
  'code',
  'diff',
  'trace',
  'output',
  'quoted',
  /** Text that the engine composed, exact or near. */
  'composed',
  'small_talk',
  'question',
  'uncertain',
  'task',
  'status',
  /** Over within hours: `I'm in a meeting until 3`. */
  'momentary',
  /** What happened on a day is kept by the tools of its trade, not by a memory. */
  'artifact',
  'no_claim',
  /** The manifest's negative space, or its speaker asks that it is not kept. */
  'never',
  /** It asks to forget what nothing is known of. */
  'not_known',
  'not_specific',
  'not_about_anyone',
  'not_dated',
  'not_grounded',
  'expired',
  /** Its TTL names a day that no calendar has, or no time at all. */
  'impossible_ttl',
  'unsure',
  'too_many',
  /** No sentence of talk is so long. */
  'too_long',
  /** A correction of a word that several known statements hold. */
  'ambiguous',
  /** A correction came before the review that it would have waited for. */
  'corrected',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

/** A piece of a turn, by its place: the words stay in the turn alone. */
export interface CandidateSpan {
  readonly source_uuid: Uuid;
  /** UTF-16 units of the turn's content. */
  readonly start: number;
  readonly end: number;
}

export interface CandidateReceipt extends CandidateSpan {
  readonly outcome: CandidateOutcome;
  /** Of `declined` a {@link DeclineReason}; of `failed` a code; else what the judge found. */
  readonly reason: string;
  readonly class: MemoryClass | null;
  /** The scope that it is written to. */
  readonly scope_uuid: Uuid | null;
  /** The version and root that it became, or that says it already. */
  readonly uuid: Uuid | null;
  readonly root_uuid: Uuid | null;
  readonly proposal_uuid: Uuid | null;
  /** That wrote it, for `undo`; null = nothing was written of it, or it waits. */
  readonly operation_id: Uuid | null;
}

/** A piece of a turn of which nothing is stored, and why; its words stand in the turn alone. */
export interface DeclinedCandidate extends CandidateSpan {
  readonly reason: DeclineReason;
}

export type CaptureCounts = Readonly<Record<CandidateOutcome, number>>;

/**
 * Of one batch of turns, or of a part of it: one that has to wait for reviews in its middle has a
 * receipt of what is written by then, and another one of what is left. Holds no words of the turns.
 */
export interface CaptureReceipt {
  readonly capture_uuid: Uuid;
  readonly scope_uuid: Uuid;
  /** Extractor and version: what it captured once, it never captures again. */
  readonly consumer: string;
  /** Turns of the scope with `from_seq <= recorded_seq <= to_seq`. */
  readonly from_seq: number;
  readonly to_seq: number;
  /** Those that nothing is left of: over the parts of a batch they sum to its turns. */
  readonly turns: number;
  /** Every candidate in exactly one outcome, of one part alone; they sum to `counted`. */
  readonly counts: CaptureCounts;
  readonly counted: number;
  readonly declined: Readonly<Partial<Record<DeclineReason, number>>>;
  /** All but those declined, in the order in which they were said. */
  readonly candidates: readonly CandidateReceipt[];
  /** Those, by their places: with `candidates` they are `counted`. Older receipts have none. */
  readonly declined_candidates?: readonly DeclinedCandidate[];
  readonly captured_at: Instant;
}

export const noCounts = (): Record<CandidateOutcome, number> => ({
  stored: 0,
  superseded: 0,
  duplicate: 0,
  declined: 0,
  quarantined: 0,
  failed: 0,
});
