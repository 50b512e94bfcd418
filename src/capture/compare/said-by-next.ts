/**
 * Clauses that the next one of the sentence makes needless, where what they speak of is known:
 * `I used to live in Rome, now I live in Oslo`, as the second ends Rome too, and `Carla moved to
 * Spain, our new babysitter is Jodie`, as the first says why, and its name is the old answer.
 */
import { SLOT, SLOT_VALUE } from '../../model/fact-slot.ts';
import { wordsOf } from '../sentences/sentence.ts';
import type { Candidate, FactCandidate, KnownFact, PlacedCandidate } from '../state.ts';
import type { KnownFacts } from './known-facts.ts';

/** `next`: what is planned behind it. */
export function isSaidByNext(
  candidate: Candidate,
  next: PlacedCandidate | undefined,
  known: KnownFacts,
): boolean {
  const fresh = next?.candidate;
  if (candidate.kind !== 'fact' || fresh?.kind !== 'fact' || !next) return false;
  const { slot } = fresh;
  if (slot === null || slot.isEnd || slot.isBeside || slot.instead) return false;
  if (!isSameBreath(candidate, fresh)) return false;
  if (candidate.slot?.isEnd && candidate.slot.name === slot.name)
    return known.of(fresh, next.target).known.some((fact) => isHeld(fact, candidate));
  if (candidate.slot !== null || candidate.isDirect) return false;
  const words = wordsOf(candidate.content);
  return known.of(fresh, next.target).known.some((fact) => isOld(fact, { fresh, words }));
}

const isOld = (
  { subject, metadata }: KnownFact,
  { fresh, words }: { readonly fresh: FactCandidate; readonly words: readonly string[] },
): boolean => {
  const [name, value] = [metadata[SLOT], metadata[SLOT_VALUE]];
  if (subject !== fresh.subject || name !== fresh.slot?.name || typeof value !== 'string')
    return false;
  const old = value.split(' ');
  return value !== fresh.slot?.value && old.every((word, at) => words[at] === word);
};

const isHeld = ({ subject, metadata }: KnownFact, { subject: of, slot }: FactCandidate): boolean =>
  subject === of && metadata[SLOT] === slot?.name && metadata[SLOT_VALUE] === slot?.value;

/** Two clauses of one sentence. */
const isSameBreath = (one: FactCandidate, other: FactCandidate): boolean =>
  one.source_uuid === other.source_uuid &&
  one.end <= other.start &&
  !/[.!?\n]/.test(one.turn.content.slice(one.end, other.start)) &&
  /^[,;\s]/.test(one.turn.content.slice(one.end, other.start));
