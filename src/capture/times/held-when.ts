/** When a statement holds, where it names another time than that of its turn. */
import type { MemoryClass } from '../../model/capture.ts';
import type { Sentence } from '../sentences/sentence.ts';
import { isOfPart, isSeasonal } from '../slots/restricted.ts';
import { type SaidSlot, slotOf } from '../slots/slot.ts';
import { type Bound, boundIn } from './bounds.ts';
import { type Day, dayToCome, isLongPast, pastDay } from './dates.ts';

/** `In summer I live in Oslo`, `I quit Acme in 1990`: it says nothing of what holds today. */
export const isOfAnotherTime = (sentence: Sentence, slot: SaidSlot, today: Day): boolean =>
  isSeasonal(slot.name, sentence) || (slot.isEnd && isLongPast(sentence.text, today));

/** The day that it names, before its turn or to come; null = it holds from its turn on. */
export function dayHeldFrom(text: string, slot: SaidSlot, today: Day): Day | null {
  const beside = besideValue(text, slot);
  return pastDay(beside, today) ?? (isDay(slot.name) ? null : dayToCome(beside, today));
}
const isDay = (slot: string): boolean => / (?:day|deadline)$|^(?:birthday|deadline)$/.test(slot);

/** A day that is the value is no day of the change. */
const besideValue = (text: string, { start, end }: SaidSlot): string =>
  `${text.slice(0, start)}…${text.slice(end)}`;

/** What has no slot, of a part or of another time: nothing gives way to it. */
export function standsBeside(sentence: Sentence, today: Day): boolean {
  const slot = slotOf(sentence);
  return (
    isOfPart(sentence) ||
    (slot !== null && isOfAnotherTime(sentence, slot, today)) ||
    isLongPast(sentence.text, today) ||
    dayToCome(sentence.text, today) !== null
  );
}

/** From when and until when a piece holds, by what it says itself; null = it names no end. */
export const heldBetween = (
  text: string,
  { memory, today }: { readonly memory: MemoryClass; readonly today: Day },
): Bound | null => {
  const bound = ENDS.has(memory) ? boundIn(text, today) : null;
  return memory === 'fact' && bound?.isEvent === false ? null : bound;
};
const ENDS: ReadonlySet<MemoryClass> = new Set<MemoryClass>(['state', 'rule', 'fact']);
