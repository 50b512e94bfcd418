/**
 * Scores of different formulas made comparable, so that items of different layers can bid for the
 * same tokens.
 */
import type { Formula } from '../model/manifest.ts';
import { isSignalName, SIGNALS, type SignalName, type Signals } from '../model/signals/index.ts';

/**
 * More corners than this are not tried (2^12 evaluations take about a millisecond): the signals
 * beyond stay at their best-known end, 1.
 */
const MOST_SIGNALS = 12;

/**
 * The greatest score that the formula gives over items whose signals stand at either end of their
 * range; exact for formulas that rise or fall steadily in each signal, as all presets do. `given`
 * holds lambda and beta.
 */
export function maximumOf(formula: Formula, given: Signals): number {
  const free = formula.names.filter(isFree).slice(0, MOST_SIGNALS);
  const values: Partial<Record<SignalName, number>> = {};
  // What a counting signal adds above its beginning is clipped, not scaled for.
  for (const name of formula.names)
    if (isSignalName(name))
      values[name] = given[name] ?? SIGNALS[name].range[SIGNALS[name].isCounted ? 0 : 1];
  let greatest = Number.NEGATIVE_INFINITY;
  for (let corner = 0; corner < 2 ** free.length; corner += 1) {
    free.forEach((name, bit) => {
      values[name] = SIGNALS[name].range[(corner >> bit) & 1 ? 1 : 0];
    });
    const score = formula.evaluate(values);
    if (Number.isFinite(score) && score > greatest) greatest = score;
  }
  return greatest;
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
