/**
 * Stage 5: ADD, UPDATE, DELETE or NOOP. A statement in a slot takes the place of the one before it:
 * subject, slot and time are compared, never the likeness of words. Typed values are placed by
 * their key in the ledger, so each is an ADD.
 */
import { SLOT, SLOT_VALUE } from '../model/fact-slot.ts';
import { addsNothing } from './compare/likeness.ts';
import { saysAlready } from './compare/says-already.ts';
import { wordsOf } from './sentences/sentence.ts';
import type { Slot } from './slots/slot.ts';
import { isUnnamed } from './slots/unnamed.ts';
import type { Candidate, FactCandidate, KnownFact } from './state.ts';
import { isSameValue } from './times/day-spelling.ts';

export { SLOT, SLOT_VALUE };

export type Judgement =
  | { readonly operation: 'ADD'; readonly why: string }
  | {
      readonly operation: 'UPDATE';
      readonly of: KnownFact;
      readonly cause: 'change' | 'correction';
      readonly why: string;
    }
  | { readonly operation: 'DELETE'; readonly of: KnownFact; readonly why: string }
  | { readonly operation: 'NOOP'; readonly of: KnownFact; readonly why: string };

/**
 * `I live in Rome` on the 17th, `we moved to Oslo last weekend` on the 21st: Rome was told late.
 * What says that it changed is not older than what it changes; it holds from when it was told.
 */
export function notBefore(candidate: FactCandidate, judgement: Judgement): FactCandidate {
  const { told_at, valid_from, turn } = candidate;
  const isEnd = judgement.operation === 'DELETE';
  // What ends before it was told would not have been at all.
  const told = isEnd ? turn.occurred_at : told_at;
  const isOlder =
    (isEnd || (judgement.operation === 'UPDATE' && judgement.cause === 'change')) &&
    told !== undefined &&
    valid_from < judgement.of.valid_from &&
    judgement.of.valid_from < told;
  return isOlder ? { ...candidate, valid_from: told } : candidate;
}

/** `twin`: the known fact that says the same, by stage 4. */
export function judgeCandidate(
  candidate: Candidate,
  known: readonly KnownFact[],
  twin: KnownFact | null,
): Judgement {
  const judgement = judgeSlot(candidate, known);
  // A slot that was left and is taken again is news, whatever its words are like.
  return twin !== null && judgement.operation === 'ADD'
    ? { operation: 'NOOP', of: twin, why: 'known' }
    : judgement;
}

/** `Basel, not Bern`, after `I'm moving to Bern`: the statement that it speaks of, by its words. */
export const correctedOf = (
  { corrects, subject }: FactCandidate,
  known: readonly KnownFact[],
): KnownFact | undefined =>
  typeof corrects?.content === 'string'
    ? known.find((fact) => fact.content === corrects.content && fact.subject === subject)
    : undefined;

function judgeSlot(candidate: Candidate, known: readonly KnownFact[]): Judgement {
  const corrected = candidate.kind === 'fact' ? correctedOf(candidate, known) : undefined;
  if (corrected)
    return { operation: 'UPDATE', of: corrected, cause: 'correction', why: 'corrected' };
  if (candidate.kind === 'typed' || candidate.slot === null)
    return { operation: 'ADD', why: 'new' };
  const { slot, isCorrection } = candidate;
  const of = heldBy(candidate, slot, known);
  if (slot.isEnd) {
    const isSame = of !== undefined && saysValue(of, slot.value);
    return isSame ? { operation: 'DELETE', of, why: 'ended' } : { operation: 'ADD', why: 'new' };
  }
  if (of === undefined) return { operation: 'ADD', why: 'new' };
  if (slot.isBeside && !isCorrection && of.metadata[SLOT_VALUE] !== slot.value)
    return { operation: 'ADD', why: 'beside' };
  const isEarlier = candidate.valid_from < of.valid_from;
  const isSame = isSameValue(of.metadata[SLOT_VALUE], slot.value);
  const isKnown = isSame && saysAlready(candidate, of) && !isWithOther(candidate, of);
  if (isKnown && !isEarlier) return { operation: 'NOOP', of, why: 'said_already' };
  const isOtherwise = candidate.correctsWhen || (isEarlier && isOtherStart(candidate, of));
  const isCorrecting = isCorrection || (isSame && isOtherwise);
  const cause = isCorrecting ? 'correction' : 'change';
  return { operation: 'UPDATE', of, cause, why: 'same_slot' };
}

/**
 * `I moved to Bergen in 2021`, after `I moved to Bergen in 2022`: what was told last holds, not
 * what begins last.
 */
const isOtherStart = (candidate: FactCandidate, of: KnownFact): boolean =>
  candidate.turn.occurred_at >= of.valid_from &&
  !addsNothing(candidate, of) &&
  !addsNothing(of, candidate);

/** `Coffee with milk`, `coffee with sugar`: one value, had with something else. */
function isWithOther({ content }: FactCandidate, known: KnownFact): boolean {
  const [said = '', stored = ''] = [content, known.content].map(
    (text) => WITH.exec(text)?.[0] ?? '',
  );
  return said !== '' && stored !== '' && wordsOf(said).join(' ') !== wordsOf(stored).join(' ');
}
const WITH = /\bwith(?:out)? \p{L}.{0,200}$/iu;

/** Of what was changed by hand, by its words. */
const saysValue = ({ content, metadata }: KnownFact, value: string): boolean =>
  metadata[SLOT_VALUE] === undefined
    ? ` ${wordsOf(content).join(' ')} `.includes(` ${wordsOf(value).join(' ')} `)
    : untitled(metadata[SLOT_VALUE]) === untitled(value);
/** `Dr. Silva` and `Silva` are one. */
const untitled = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/^(?:dr|mr|mrs|ms|miss|prof|professor|doctor) (?=\S)/, '')
    : value;

/** The fact that holds the slot. A correction is of what was said just before, at its time. */
function heldBy(
  { subject, isCorrection, valid_from }: FactCandidate,
  slot: Slot,
  known: readonly KnownFact[],
): KnownFact | undefined {
  const own = known.filter((fact) => fact.subject === subject);
  const same = own.filter((fact) => fact.metadata[SLOT] === slot.name);
  const unnamed = slot.instead && slotInstead({ slot, subject }, own);
  if (unnamed && isUnnamed(unnamed.name)) return unnamed.of;
  const ended = slot.isEnd ? same.find((fact) => saysValue(fact, slot.value)) : undefined;
  if (ended) return ended;
  const meant = isCorrection ? same.find((fact) => fact.valid_from === valid_from) : undefined;
  const exact = meant ?? same[0] ?? likedBefore(slot, own);
  if (exact || !slot.isChange || slot.isEnd) return exact;
  // `My rate went up` after `my day rate is 640`: what changes is what was told of.
  const near = own.filter((fact) => isNearName(slot.name, fact.metadata[SLOT]));
  return near.length === 1 ? near[0] : undefined;
}
/** `I don't like the Marathon any more`, after `I prefer Marathon tyres`. */
function likedBefore({ name, value }: Slot, own: readonly KnownFact[]): KnownFact | undefined {
  if (!name.startsWith(LIKE) || value !== 'no') return undefined;
  const what = name.slice(LIKE.length).split(' ');
  return own.find((fact) => {
    const words = wordsOf(fact.content);
    const isLiked = words.some((word) => LIKES.has(word)) && !words.some((word) => NOT.has(word));
    return fact.class === 'preference' && isLiked && what.every((word) => words.includes(word));
  });
}
const LIKE = 'like ';
const LIKES: ReadonlySet<string> = new Set(
  'prefers likes loves enjoys prefer like love'.split(' '),
);
const NOT: ReadonlySet<string> = new Set("not no never doesn't don't but except over".split(' '));
const isNearName = (name: string, other: unknown): boolean =>
  typeof other === 'string' &&
  // `The tenant's rent` is not one's own.
  name.includes("'") === other.includes("'") &&
  (other.endsWith(` ${name}`) || name.endsWith(` ${other}`));

/**
 * `We switched from A to B`: the slot is that of the fact that holds A. null = none is known to
 * hold it.
 */
export function slotInstead(
  { slot, subject }: Pick<FactCandidate, 'slot' | 'subject'>,
  known: readonly KnownFact[],
): { readonly name: string; readonly of: KnownFact } | null {
  const was = slot?.instead?.was.split(' ') ?? [];
  if (was.length === 0) return null;
  for (const of of known) {
    const [name, value] = [of.metadata[SLOT], of.metadata[SLOT_VALUE]];
    if (of.subject !== subject || typeof name !== 'string' || typeof value !== 'string') continue;
    const words = value.split(' ');
    // `We sold the Renault`, which was told of as a Renault Zoe.
    const [few, many] = words.length < was.length ? [words, was] : [was, words];
    if (!name.startsWith('like ') && few.every((word) => many.includes(word))) return { name, of };
  }
  return null;
}
