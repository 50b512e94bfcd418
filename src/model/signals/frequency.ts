/**
 * `frequency`: outcomes so far, on a logarithm, so that the hundredth use says little more than the
 * tenth.
 */
import { defineSignal } from './definition.ts';

/** No seed states it; log2(1+n)*0.1 reaches it at 31 outcomes. */
const FREQUENCY_CAP = 0.5;

/** 0..`cap`. */
export const frequency = (outcomes: number, cap: number = FREQUENCY_CAP): number =>
  Math.max(0, Math.min(0.1 * Math.log2(1 + Math.max(0, outcomes)), cap));

export const frequencySignal = defineSignal({
  name: 'frequency',
  meaning: 'min(0.1*log2(1+n), cap) of outcomes n',
  range: [0, 1],
  isExplained: false,
  of: ({ outcomes, settings }) => frequency(outcomes, settings.frequencyCap),
});
