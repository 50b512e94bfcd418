/** A manifest's formula over an item's signals. */
import type { Formula } from '../model/manifest.ts';
import type { Signals } from '../model/signals/index.ts';

export interface Score {
  /** Finite, always. */
  readonly score: number;
  /**
   * False where the formula gave no finite number (a division by 0, say): the score is then 0 and
   * the item is dropped as `non_finite_score`.
   */
  readonly isFinite: boolean;
}

export function scoreOf(formula: Formula, signals: Signals): Score {
  const value = formula.evaluate(signals);
  if (!Number.isFinite(value)) return { score: 0, isFinite: false };
  /** -0 would print as 0 in a receipt and compare as another number in a replay. */
  return { score: value === 0 ? 0 : value, isFinite: true };
}
