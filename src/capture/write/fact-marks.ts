/** What a captured fact is marked with: who captured it, and its slot. */
import type { FactContent } from '../../model/block.ts';
import { CAPTURED_BY, SLOT, SLOT_BESIDE, SLOT_VALUE } from '../../model/fact-slot.ts';
import type { Judgement } from '../5-judge.ts';
import type { FactCandidate } from '../state.ts';

export const metadataOf = (
  { slot }: FactCandidate,
  { consumer, judgement }: { readonly consumer: string; readonly judgement: Judgement },
): FactContent['metadata'] => ({
  [CAPTURED_BY]: consumer,
  ...(slot !== null && !slot.isEnd && { [SLOT]: slot.name, [SLOT_VALUE]: slot.value }),
  ...(slot !== null && standsBeside(slot, judgement) && { [SLOT_BESIDE]: true }),
});

/** What is corrected stands beside others as before. */
const standsBeside = (
  { isBeside, isEnd }: NonNullable<FactCandidate['slot']>,
  judgement: Judgement,
): boolean =>
  !isEnd &&
  (isBeside === true ||
    (judgement.operation === 'UPDATE' &&
      judgement.cause === 'correction' &&
      judgement.of.metadata[SLOT_BESIDE] === true));
