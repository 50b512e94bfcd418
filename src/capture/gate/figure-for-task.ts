/**
 * A figure under a label with no verb (`Cost 12.50`) belongs to what was asked for just before it:
 * whose cost it is, the task says. By itself (`Rent 910 now`) it is of the speaker.
 */
import type { Sentence } from '../sentences/sentence.ts';
import { slotOf } from '../slots/slot.ts';
import type { GatedSegment, Verdict } from './gated.ts';

type Kept = Extract<Verdict, { isKept: true }>;

export function withFigureOfTask(
  verdict: Verdict,
  sentence: Sentence,
  before: GatedSegment | null,
): Verdict {
  if (!verdict.isKept || before === null || !isForTask(before.verdict)) return verdict;
  return isFigure(verdict, sentence) ? { ...verdict, isUnsure: true } : verdict;
}

const isForTask = (verdict: Verdict): boolean =>
  !verdict.isKept && (verdict.reason === 'task' || verdict.reason === 'question');

function isFigure({ class: memory }: Kept, sentence: Sentence): boolean {
  const label = memory === 'fact' ? slotOf(sentence)?.name : undefined;
  if (label === undefined || !sentence.plain.startsWith(` ${label} `)) return false;
  return /^[^\p{L}]{0,3}\d/u.test(sentence.plain.slice(label.length + 2));
}
