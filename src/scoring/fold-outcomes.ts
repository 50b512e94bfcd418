/**
 * Outcomes of one root, folded into the state that `R`, `U`, `frequency` and `recency` are computed
 * from. Pure.
 */
import type { Instant } from '../model/ids.ts';
import {
  initialState,
  isReviewed,
  type MemoryState,
  type ReviewGrade,
  reviewed,
} from './retrievability.ts';
import { observe, UNOBSERVED, type UtilityState } from './utility.ts';

/**
 * As `UsageState` of the connector contract, which this folder may not import;
 * test/unit/scoring-fold.test.ts holds the two together.
 */
export type FoldedUsage = MemoryState &
  UtilityState & {
    /** Outcomes so far. Being served and ignored is not one. */
    readonly count: number;
    /** Of the last outcome. */
    readonly touched_at: Instant;
  };

export type OutcomeKind = 'used' | 'cited' | 'confirmed' | 'corrected' | 'unused';
export interface OutcomeEvent {
  readonly kind: OutcomeKind;
  readonly at: Instant;
  /**
   * When the row was written, where the caller knows: the first review then starts from a memory as
   * old as it is.
   */
  readonly born_at?: Instant;
}

interface OutcomeMeaning {
  /** null = no review. */
  readonly review: ReviewGrade | null;
  readonly utility: number;
  readonly noise: number;
}

/**
 * Grades of DESIGN section 6; values and noises of the utility filter as proposed in the notes on
 * MemArchitect (default noise 0.10).
 */
const MEANING: Readonly<Record<OutcomeKind, OutcomeMeaning>> = {
  used: { review: 'good', utility: 1, noise: 0.1 },
  cited: { review: 'good', utility: 1, noise: 0.1 },
  confirmed: { review: 'easy', utility: 1, noise: 0.02 },
  corrected: { review: 'again', utility: 0, noise: 0.05 },
  unused: { review: null, utility: 0.2, noise: 0.3 },
};

/**
 * The state after one more outcome; `before` null = there was none. Events are folded as they
 * arrive; a late one is taken as simultaneous with the last. Invariant: `unused` leaves review,
 * count and touch alone (test/property/scoring.test.ts).
 */
export function foldUsage(before: FoldedUsage | null, event: OutcomeEvent): FoldedUsage {
  const { review, utility, noise } = MEANING[event.kind];
  const isOutcome = review !== null;
  const touched =
    before === null || (isOutcome && (before.count === 0 || event.at > before.touched_at))
      ? event.at
      : before.touched_at;
  return {
    ...(review === null ? asBefore(before, event) : afterReview(before, event, review)),
    ...observe(before ?? UNOBSERVED, { value: utility, noise, at: event.at }),
    count: (before?.count ?? 0) + (isOutcome ? 1 : 0),
    touched_at: touched,
  };
}

/**
 * Stability 0 says that no review has been: `R` then counts from the row's own birth, which not
 * every caller of the fold knows.
 */
const asBefore = (before: FoldedUsage | null, event: OutcomeEvent): MemoryState =>
  before === null
    ? { stability: 0, difficulty: 0, reviewed_at: event.at }
    : {
        stability: before.stability,
        difficulty: before.difficulty,
        reviewed_at: before.reviewed_at,
      };

/** Of a row whose birth is unknown the first outcome is the first review. */
function afterReview(
  before: FoldedUsage | null,
  event: OutcomeEvent,
  grade: ReviewGrade,
): MemoryState {
  if (isReviewed(before)) return reviewed(before, grade, event.at);
  return event.born_at === undefined
    ? initialState(event.at, grade)
    : reviewed(initialState(event.born_at), grade, event.at);
}
