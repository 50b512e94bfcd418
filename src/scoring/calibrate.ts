/**
 * Scores of different formulas made comparable, so that items of different layers can bid for the
 * same tokens.
 */
import type { Formula } from '../model/manifest.ts';
import { isSignalName, SIGNALS, type SignalName, type Signals } from '../model/signals/index.ts';

/** Ends that are tried again once others have moved: a factor can turn what a signal does. */
const MOST_PASSES = 4;

/**
 * The greatest score that the formula gives over items whose signals stand at either end of their
 * range, found one signal at a time; exact for formulas that rise or fall steadily in each signal,
 * whatever the others are, as all presets do. `given` holds lambda and beta.
 */
export function maximumOf(formula: Formula, given: Signals): number {
  const values: Partial<Record<SignalName, number>> = {};
  // What a counting signal adds above its beginning is clipped, not scaled for.
  for (const name of formula.names)
    if (isSignalName(name))
      values[name] = given[name] ?? SIGNALS[name].range[SIGNALS[name].isCounted ? 0 : 1];
  const scoreWith = (change: Signals): number => {
    const score = formula.evaluate({ ...values, ...change });
    return Number.isFinite(score) ? score : Number.NEGATIVE_INFINITY;
  };
  const free = formula.names.filter(isFree);
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const before = scoreWith({});
    for (const name of free) {
      const [low, high] = SIGNALS[name].range;
      values[name] = scoreWith({ [name]: low }) > scoreWith({ [name]: high }) ? low : high;
    }
    if (scoreWith({}) === before) break;
  }
  return scoreWith({});
}

/** Of the formulas of loaded manifests, by lambda and beta. */
const known = new WeakMap<Formula, Map<string, number>>();

function knownMaximum(formula: Formula, given: Signals): number {
  const maxima = known.get(formula) ?? new Map<string, number>();
  known.set(formula, maxima);
  const key = JSON.stringify(given);
  const maximum = maxima.get(key) ?? maximumOf(formula, given);
  maxima.set(key, maximum);
  return maximum;
}

/**
 * Makes the function score -> bid, 0..1, never falling. A formula that can score nothing above 0
 * bids with the score itself, clipped.
 */
export function calibrate(formula: Formula, given: Signals): (score: number) => number {
  const maximum = knownMaximum(formula, given);
  const scale = maximum > 0 ? maximum : 1;
  return (score) => (score > 0 ? Math.min(1, score / scale) : 0);
}

const isFree = (name: string): name is SignalName =>
  isSignalName(name) && !SIGNALS[name].isCounted && !SIGNALS[name].isParameter;
