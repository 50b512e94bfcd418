/** When a statement holds, where it names another time than that of its turn. */
import type { MemoryClass } from '../../model/capture.ts';
import type { Instant } from '../../model/ids.ts';
import { isHabit, isMoved } from '../gate/passing-form.ts';
import type { Sentence } from '../sentences/sentence.ts';
import { isOfPart, isSeasonal } from '../slots/restricted.ts';
import { type SaidSlot, slotOf } from '../slots/slot.ts';
import { type Bound, boundIn } from './bounds.ts';
import { DAY_MS, type Day, dayToCome, isLongPast, lastDay, pastDay, timesIn } from './dates.ts';
import { monthToCome } from './month-to-come.ts';

/** `In summer I live in Oslo`, `I quit Acme in 1990`: it says nothing of what holds today. */
export const isOfAnotherTime = (sentence: Sentence, slot: SaidSlot, today: Day): boolean =>
  isSeasonal(slot.name, sentence) || (slot.isEnd && isLongPast(sentence.text, today));

/** The day that it names, before its turn or to come; null = it holds from its turn on. */
export function dayHeldFrom(text: string, slot: SaidSlot, today: Day): Day | null {
  if (dayOfEvent(text, slot, today) !== null) return null;
  const beside = besideValue(text, slot);
  return pastDay(beside, today) ?? (isDay(slot.name) ? null : startToCome(beside, today));
}

/**
 * The day of a thing that has its hour, or that comes once: `my train is at 9:40 tomorrow` is known
 * from now on and over then, `my lease starts on 1 June` begins then. null = it names none.
 */
function dayOfEvent(text: string, slot: SaidSlot, today: Day): Day | null {
  const plain = text.toLowerCase().replaceAll('’', "'");
  const thing = OF_THING.exec(plain)?.[0];
  if (thing === undefined || isMoved(plain) || isHabit(plain)) return null;
  if (BEGINNING.test(plain.slice(thing.length))) return null;
  const bound = boundIn(text, today);
  if (bound?.isEvent) return bound.to;
  if (!isClock(text, slot)) return null;
  const times = timesIn(besideValue(text, slot), today).filter(({ from, to }) => from === to);
  const day = dayToCome(besideValue(text, slot), today) ?? today;
  return times.some(({ from, isRelative }) => from === day && (day > today || isRelative))
    ? day
    : null;
}
const OF_THING =
  /^(?:(?:and|so|but|also),? )?(?:my|our|the) [^,.;:!?]{1,60}? (?:is|are|starts? at|begins? at|leaves? at|departs? at)(?= )/;
const BEGINNING =
  /\b(?:from|since|starting|beginning|effective|as of|onwards?|changes?|becomes?|turns?|new|now|again)\b/;
/** `At 10`, `2pm`: an hour, and no number of a thing. */
const isClock = (text: string, { start, end, said }: SaidSlot): boolean =>
  CLOCK.test(said.toLowerCase()) &&
  (/\b(?:at|@) ?$/i.test(text.slice(0, start)) || /[:.]\d|m\b|clock|noon|night/i.test(said)) &&
  !/^ ?(?:%|percent|[$€£]|euros?|dollars?|pounds?|francs?|degrees?)/i.test(text.slice(end));
const CLOCK =
  /^(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?| ?o'?clock)?|noon|midday|midnight|(?:half|quarter) (?:past|to) \p{L}+)$/u;

/** The last day of a statement, where it has one; of a state without an end one is taken. */
export function lastDayHeld(text: string, { slot, bound, memory }: Held, today: Day): Day | null {
  const named = bound?.to ?? (slot === null ? null : dayOfEvent(text, slot, today));
  return named ?? (memory === 'state' ? lastDay(text, today) : null);
}
interface Held {
  readonly slot: SaidSlot | null;
  readonly bound: Bound | null;
  readonly memory: MemoryClass;
}
const isDay = (slot: string): boolean => / (?:day|deadline)$|^(?:birthday|deadline)$/.test(slot);

const startToCome = (text: string, today: Day): Day | null =>
  dayToCome(text, today) ?? monthToCome(text, today);

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
    startToCome(sentence.text, today) !== null
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

/** What changed longer ago is told as what was. */
export const isLately = (from: Instant, told: Instant): boolean =>
  from < told && Date.parse(told) - Date.parse(from) <= LATELY_DAYS * DAY_MS;
const LATELY_DAYS = 45;
