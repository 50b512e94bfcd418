/**
 * `R`: how likely a memory is still current in mind. FSRS-6 arithmetic by ts-fsrs on fractional
 * days; this is the only file that imports it.
 */
import { type FSRS, forgetting_curve, fsrs, type Grade, Rating } from 'ts-fsrs';
import { type Instant, toEpochMs } from '../model/ids.ts';

/** Stability in days (after which R is 0.9) and difficulty 1..10. Stability 0 = never reviewed. */
export interface MemoryState {
  readonly stability: number;
  readonly difficulty: number;
  readonly reviewed_at: Instant;
}
export type ReviewGrade = 'again' | 'good' | 'easy';

/** w20 of the FSRS-6 defaults. 0.5 is the FSRS-4.5/5 curve, about twice as harsh at 90 days. */
const DEFAULT_DECAY = 0.1542;

const GRADES = {
  again: Rating.Again,
  good: Rating.Good,
  easy: Rating.Easy,
} as const satisfies Record<ReviewGrade, Grade>;
const DAY_MS = 86_400_000;
/** Bounds of ts-fsrs: it throws on a state below them. */
const LEAST_STABILITY = 0.001;
const LEAST_DIFFICULTY = 1;

/**
 * Short-term steps are off: they are about flash cards, and with them a second outcome of the same
 * instant would change stability. A function, so that importing this file runs nothing.
 */
let scheduler: FSRS | undefined;
const reviewer = (): FSRS => (scheduler ??= fsrs({ enable_short_term: false, enable_fuzz: false }));

/** Whole and fractional days between two instants; a clock that was set back counts as no time. */
export const elapsedDays = (from: Instant, to: Instant): number =>
  Math.max(0, (toEpochMs(to) - toEpochMs(from)) / DAY_MS);

export const isReviewed = (state: MemoryState | null): state is MemoryState =>
  state !== null && state.stability >= LEAST_STABILITY && state.difficulty >= LEAST_DIFFICULTY;

/** Most rows were never reviewed, so this is asked for each candidate of each composition. */
const firstStates = new Map<ReviewGrade, Omit<MemoryState, 'reviewed_at'>>();

/** What a row is before its first review: as if it had been graded when it was written. */
export function initialState(at: Instant, grade: ReviewGrade = 'good'): MemoryState {
  const first = firstStates.get(grade) ?? reviewer().next_state(null, 0, GRADES[grade]);
  firstStates.set(grade, first);
  return { stability: first.stability, difficulty: first.difficulty, reviewed_at: at };
}

/**
 * The state after a review. A review dated before the last one counts as simultaneous with it:
 * reviews never move back in time.
 */
export function reviewed(state: MemoryState, grade: ReviewGrade, at: Instant): MemoryState {
  const { stability, difficulty } = reviewer().next_state(
    state,
    elapsedDays(state.reviewed_at, at),
    GRADES[grade],
  );
  return { stability, difficulty, reviewed_at: at > state.reviewed_at ? at : state.reviewed_at };
}

export interface RetrievabilityTimes {
  /** When the row was written: the review of rows that have none. */
  readonly bornAt: Instant;
  readonly now: Instant;
  /** 0.1..0.8. */
  readonly decay?: number;
}

/** `R` at `now`, 0..1: (1 + factor*t/S)^-decay, where factor makes R(S) = 0.9. */
export function retrievability(
  state: MemoryState | null,
  { bornAt, now, decay = DEFAULT_DECAY }: RetrievabilityTimes,
): number {
  const { stability, reviewed_at } = isReviewed(state) ? state : initialState(bornAt);
  return forgetting_curve(decay, elapsedDays(reviewed_at, now), stability);
}
