/** Importance as use speaks of it. Pure. */
import type { OutcomeRecord } from '../cxri/ports/usage.ts';

/** Of outcomes: a fact that was corrected was no use, one that was passed over little. */
const WORTH: Readonly<Record<OutcomeRecord['kind'], number>> = {
  used: 1,
  cited: 1,
  confirmed: 1,
  corrected: 0,
  unused: 0.2,
};
/** So many outcomes weigh as much as what the writer stated. Chosen, not measured. */
const STATED_WEIGHT = 4;

export interface UseOfRoot {
  /** Outcomes by which it was of use. */
  readonly uses: number;
  /** Of all outcomes. */
  readonly outcomes: number;
  readonly worth: number;
}
export const UNUSED: UseOfRoot = { uses: 0, outcomes: 0, worth: 0 };

export const withOutcome = (before: UseOfRoot, kind: OutcomeRecord['kind']): UseOfRoot => ({
  uses: before.uses + (WORTH[kind] === 1 ? 1 : 0),
  outcomes: before.outcomes + 1,
  worth: before.worth + WORTH[kind],
});

/**
 * Between what was stated and what outcomes say, the more of them the nearer to these. 0..1; a use
 * never lowers it, and without outcomes it is what was stated (test/property/upkeep.test.ts).
 */
export function estimateImportance(stated: number, { outcomes, worth }: UseOfRoot): number {
  const known = Math.min(1, Math.max(0, stated));
  return (STATED_WEIGHT * known + worth) / (STATED_WEIGHT + outcomes);
}

/** Without a floor: what nobody touches ends at nothing. */
export const fadedImportance = (
  estimate: number,
  { idleDays, halfLifeDays }: { readonly idleDays: number; readonly halfLifeDays: number },
): number => estimate * 0.5 ** (Math.max(0, idleDays) / halfLifeDays);
