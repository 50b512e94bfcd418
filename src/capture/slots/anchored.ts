/** Statements that name only a value, or a thing but not whose: what is known tells the rest. */
import { SLOT, SLOT_VALUE, slotInstead } from '../5-judge.ts';
import { toStatement } from '../sentences/statement.ts';
import type { FactCandidate, KnownFact } from '../state.ts';
import { isHabit } from './habits.ts';
import { isUnnamed, UNNAMED } from './unnamed.ts';

/**
 * As it is said of the slot that is known; null = without one it claims nothing. What takes the
 * place of a value that nobody knows stays as it was said.
 */
export function anchored(
  candidate: FactCandidate,
  known: readonly KnownFact[],
): FactCandidate | null {
  const { slot, subject } = candidate;
  const content = candidate.whole ?? candidate.content;
  const plain = candidate.isElseNone ? null : { ...candidate, content, slot: null };
  if (slot?.isOfKnown) return isKnown(candidate, known) ? candidate : plain;
  if (!slot?.instead) return candidate;
  const found = slotInstead(candidate, known);
  if (slot.isEnd) {
    if (found === null || (LASTING.test(found.name) && !isLeftForGood(found.name, content)))
      return plain;
    const value = String(found.of.metadata[SLOT_VALUE]);
    return { ...candidate, slot: { name: found.name, value, isEnd: true, isChange: true } };
  }
  if (found === null && (candidate.isElseNone || candidate.corrects)) return null;
  if (found === null && candidate.isCorrection) return corrected(candidate, known);
  if (found === null)
    return slot.name === '' ? withSlot(candidate, unnamed(slot.value)) : candidate;
  // What was known of it has no name: it has that of this statement, or none again.
  if (isUnnamed(found.name))
    return slot.name === '' ? withSlot(candidate, unnamed(slot.value)) : candidate;
  return {
    ...candidate,
    content: told(subject, found.name, slot.instead.said),
    slot: { name: found.name, value: slot.value, isEnd: false },
    // What it corrects was never so.
    ...(candidate.corrects && { valid_from: found.of.valid_from }),
  };
}

/** `I meant C`, after `we went from A to B`: of the slot that B has taken since. */
function corrected(candidate: FactCandidate, known: readonly KnownFact[]): FactCandidate {
  const { slot, subject, valid_from } = candidate;
  const of = known.find(
    (fact) =>
      fact.subject === subject &&
      fact.valid_from === valid_from &&
      typeof fact.metadata[SLOT] === 'string',
  );
  if (!slot?.instead || !of) return slot?.name === '' ? { ...candidate, slot: null } : candidate;
  const name = String(of.metadata[SLOT]);
  return {
    ...candidate,
    content: told(subject, name, slot.instead.said),
    slot: { name, value: slot.value, isEnd: false },
  };
}
const told = (subject: string, name: string, value: string): string =>
  isHabit(name)
    ? toStatement(`I ${name.slice(2)} ${value}.`, subject, false)
    : `${subject}${subject.endsWith('s') ? "'" : "'s"} ${name} is ${value}.`;

/** `We went from A to B`, of what nobody said: what takes the place of B is of the same. */
const unnamed = (value: string): string => `${UNNAMED}${value}`;
const withSlot = (candidate: FactCandidate, name: string): FactCandidate => ({
  ...candidate,
  slot: candidate.slot && { ...candidate.slot, name },
});

/** `I left Rome`, `I finished Dune`: one lives there still, and likes it best. */
const LASTING =
  /^(?:home|address|name|nickname|username|email|phone|birthday|language)$|^(?:favorite|preferred) /;

/** `I left Lund for good`: one lives there no more. */
const isLeftForGood = (name: string, content: string): boolean =>
  (name === 'home' || name === 'address') &&
  /\b(?:left|moved (?:away|out)) .{2,40} (?:for good|forever|for ever)[.!]*$/iu.test(content);

/** A number takes the place of a number, a name of a name. */
function isKnown({ slot, subject }: FactCandidate, known: readonly KnownFact[]): boolean {
  const own = known.filter((fact) => fact.subject === subject);
  return own.some(({ metadata }) => {
    const [name, value] = [metadata[SLOT], metadata[SLOT_VALUE]];
    if (typeof name !== 'string' || typeof value !== 'string' || !slot) return false;
    const isSame = name === slot.name || name.endsWith(` ${slot.name}`);
    return isSame && /\d/.test(value) === /\d/.test(slot.value);
  });
}
