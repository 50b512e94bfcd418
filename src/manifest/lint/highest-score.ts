/**
 * How high a formula can score, found by trying: formulas are closures, and nearly all rise or fall
 * evenly in each of their names.
 */
import type { Formula } from '../../model/manifest.ts';
import { isSignalName, SIGNALS, type SignalName, type Signals } from '../../model/signals/index.ts';

/**
 * Ends and middles of all combinations of so many names: 729 trials. With more, one name after the
 * other.
 */
const MOST_COMBINED = 6;
/** Rounds over all names; a sum of products is at its top after the second. */
const ROUNDS = 3;

export interface ScoreSearch {
  /** Values that do not vary. */
  readonly fixed: Signals;
  /** A score from which on no higher one is looked for. */
  readonly enough: number;
}

/**
 * The highest finite score over the ranges of all other signals, or one that is enough; 0 where
 * nothing scores.
 */
export function highestScore(formula: Formula, { fixed, enough }: ScoreSearch): number {
  const free = formula.names.filter(isSignalName).filter((name) => fixed[name] === undefined);
  const atTop = scoreAt(formula, { ...fixed, ...allAt(free, 2) });
  if (atTop > 0 && atTop >= enough) return atTop;
  if (free.length <= MOST_COMBINED)
    return Math.max(
      0,
      ...combinations(free).map((values) => scoreAt(formula, { ...fixed, ...values })),
    );
  return Math.max(
    0,
    ...[0, 1, 2].map((step) => climb(formula, free, { ...fixed, ...allAt(free, step) })),
  );
}

function scoreAt(formula: Formula, values: Signals): number {
  const score = formula.evaluate(values);
  return Number.isFinite(score) ? score : 0;
}

/** The low end, the middle or the high end of a signal's range. */
function valueAt(name: SignalName, step: number): number {
  const [low, high] = SIGNALS[name].range;
  return low + ((high - low) * step) / 2;
}

const allAt = (names: readonly SignalName[], step: number): Signals =>
  Object.fromEntries(names.map((name) => [name, valueAt(name, step)]));

const combinations = (names: readonly SignalName[]): readonly Signals[] =>
  names.reduce<readonly Signals[]>(
    (found, name) =>
      found.flatMap((values) =>
        [0, 1, 2].map((step) => ({ ...values, [name]: valueAt(name, step) })),
      ),
    [{}],
  );

/** From one point upwards, the best value of each name in turn. */
function climb(formula: Formula, names: readonly SignalName[], start: Signals): number {
  let best = { values: start, score: scoreAt(formula, start) };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      for (const step of [0, 1, 2]) {
        const values = { ...best.values, [name]: valueAt(name, step) };
        const score = scoreAt(formula, values);
        if (score > best.score) best = { values, score };
      }
    }
  }
  return best.score;
}
