/**
 * Stage 5: ADD, UPDATE, DELETE or NOOP. A statement in a slot takes the place of the one before it:
 * subject, slot and time are compared, never the likeness of words. Typed values are placed by
 * their key in the ledger, so each is an ADD.
 */
import type { Candidate, KnownFact } from './state.ts';

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

export function judgeCandidate(candidate: Candidate, known: readonly KnownFact[]): Judgement {
  if (candidate.kind === 'typed' || candidate.slot === null)
    return { operation: 'ADD', why: 'new' };
  const { slot, subject, isCorrection } = candidate;
  const of = known.find((fact) => fact.subject === subject && fact.metadata[SLOT] === slot.name);
  if (slot.isEnd) {
    const isSame = of !== undefined && of.metadata[SLOT_VALUE] === slot.value;
    return isSame ? { operation: 'DELETE', of, why: 'ended' } : { operation: 'ADD', why: 'new' };
  }
  if (of === undefined) return { operation: 'ADD', why: 'new' };
  const isEarlier = candidate.valid_from < of.valid_from;
  if (of.metadata[SLOT_VALUE] === slot.value && !isEarlier)
    return { operation: 'NOOP', of, why: 'said_already' };
  const cause = isCorrection ? 'correction' : 'change';
  return { operation: 'UPDATE', of, cause, why: 'same_slot' };
}

/** Where a fact keeps its slot, so that the next statement finds it. */
export const SLOT = 'capture_slot';
export const SLOT_VALUE = 'capture_value';
