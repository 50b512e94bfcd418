/** How high a formula can score, found by trying: formulas are closures over a few names, and nearly all rise or fall evenly in each. */
import type { Formula } from '../../model/manifest.ts';
import { SIGNALS, type SignalName, type Signals } from '../../model/signal.ts';

/** Ends and middles of 7 names; more names get their ends, and more than 11 a part of them. */
const MOST_TRIALS = 2200;

const isSignal = (name: string): name is SignalName => Object.hasOwn(SIGNALS, name);

/** The highest finite score over the ranges of all signals but the ones that are fixed; 0 where nothing scores. */
export function highestScore(formula: Formula, fixed: Signals): number {
  const free = formula.names.filter(isSignal).filter((name) => fixed[name] === undefined);
  const steps = 3 ** free.length <= MOST_TRIALS ? 3 : 2;
  const trials = Math.min(steps ** free.length, MOST_TRIALS);
  let highest = 0;
  for (let trial = 0; trial < trials; trial++) {
    const values: Partial<Record<SignalName, number>> = { ...fixed };
    let rest = trial;
    for (const name of free) {
      const [low, high] = SIGNALS[name].range;
      // All at their upper ends comes first: where trials are cut off, what is left out are combinations of many lower ends.
      values[name] = high - ((high - low) * (rest % steps)) / (steps - 1);
      rest = Math.floor(rest / steps);
    }
    const score = formula.evaluate(values);
    if (Number.isFinite(score) && score > highest) highest = score;
  }
  return highest;
}
