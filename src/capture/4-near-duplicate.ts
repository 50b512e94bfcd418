/**
 * Stage 4: what says the same as a fact that is known. Likeness alone is not enough: see
 * `likeness.ts`.
 */
import { agree, isSignedAlike, readingOf, saysNoMore } from './compare/likeness.ts';
import type { Candidate, KnownFact } from './state.ts';

export interface Likely {
  readonly fact: KnownFact;
  /** Cosine in the space of the embedder; null = no vector. */
  readonly cosine: number | null;
}

/** The known fact that says it already; null = it is news. */
export function nearDuplicate(
  candidate: Candidate,
  likely: readonly Likely[],
  threshold: number,
): KnownFact | null {
  if (candidate.kind === 'typed') return null;
  const said = readingOf(candidate);
  const found = likely.find(
    ({ fact, cosine }) =>
      (readingOf(fact).plain === said.plain && isSignedAlike(readingOf(fact), said)) ||
      (cosine !== null &&
        cosine >= threshold &&
        (fact.subject === null || fact.subject === candidate.subject) &&
        agree(readingOf(fact), said) &&
        saysNoMore(candidate, fact)),
  );
  return found?.fact ?? null;
}
