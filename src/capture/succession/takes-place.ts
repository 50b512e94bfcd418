/**
 * Whether a statement takes the place of one that no slot ties it to: `the gym charges me 55 now`
 * after `my gym membership costs me 48 euros`. A logistic regression of what two statements share
 * and of their topics, learned from talks of invented people (`scripts/train-succession.mjs`).
 */
import { isCaptured, isOfCapture, SLOT } from '../../model/fact-slot.ts';
import type { FactCandidate, KnownFact } from '../state.ts';
import { type Reading, readingOf } from './reading.ts';
import { isGeneral, SIGNALS, signalsOf, type Weighed } from './signals.ts';
import type { Stated, Topics } from './topics.ts';

/**
 * 0..1: from where a statement takes a place. Of 2,740 of the talks that it learned from, 2,081 are
 * found at .4 and 200 are wrong; of a talk that it did not, 31 of 51 and 1. Where it names what was
 * and says that it is over or otherwise, less is enough; what has a slot is seldom taken by a
 * statement that names none.
 */
const LEAST = 0.4;
const LEAST_NAMED = 0.1;
const LEAST_IN_SLOT = 0.6;

/** Stands beside what it is added to. */
const ADDED = /\b(?:as well|also|in addition|on top of|besides)\b|\btoo(?=[.,;!]|$)/i;

const CLASSES: ReadonlySet<string | null> = new Set(['fact', 'preference', 'lookup', 'state']);

/** Whether it can take a place or give way: not what happened, and no liking, which has others. */
export function hasPlace(said: Pick<KnownFact, 'content' | 'subject' | 'class'>): boolean {
  if (!CLASSES.has(said.class)) return false;
  const { isDeed, isLiking } = readingOf(said);
  return !isDeed && !(said.class === 'preference' && isLiking);
}

/** The one of the known facts whose place it takes; null = it is news beside them. */
export function predecessorOf(
  candidate: FactCandidate,
  known: readonly KnownFact[],
  topics: Topics,
): KnownFact | null {
  if (!hasPlace(candidate) || ADDED.test(candidate.content)) return null;
  const said = weighed(candidate, topics);
  // What a reviewer approved gives way to what a reviewer is going to see.
  const mayEnd = candidate.isDirect ? isCaptured : isOfCapture;
  const earlier = known
    .filter(
      (fact) =>
        mayEnd(fact) &&
        fact.subject === candidate.subject &&
        hasPlace(fact) &&
        readingOf(fact).kin === said.reading.kin,
    )
    .toSorted((a, b) => (a.valid_from < b.valid_from ? -1 : a.valid_from > b.valid_from ? 1 : 0));
  let best: KnownFact | null = null;
  let most = 0;
  for (const [at, fact] of earlier.entries()) {
    if (isOtherThing(said.reading, readingOf(fact))) continue;
    const signals = signalsOf(said, weighed(fact, topics), earlier.length - at);
    const chance = chanceOf(signals, topics);
    const least =
      fact.metadata[SLOT] === undefined ? leastOf(said.reading, readingOf(fact)) : LEAST_IN_SLOT;
    if (chance < least || chance <= most) continue;
    most = chance;
    best = fact;
  }
  return best;
}

const leastOf = ({ names, isEnd, isChange }: Reading, before: Reading): number =>
  (isEnd || isChange) && [...before.names].some((name) => names.has(name)) ? LEAST_NAMED : LEAST;

/**
 * `Our staging database is Postgres 17` beside `our production database is Postgres 15`: in the
 * same frame each names a thing of its own and a value.
 */
export function isOtherThing(said: Reading, before: Reading): boolean {
  if (said.frame === '' || said.frame !== before.frame) return false;
  const isApart = (a: Reading, b: Reading): boolean =>
    [...a.stems.keys()].some(
      (stem) => !a.names.has(stem) && !b.stems.has(stem) && !isGeneral(stem),
    );
  return isApart(said, before) && isApart(before, said) && hasValue(said) && hasValue(before);
}
const hasValue = ({ names, measures }: Reading): boolean => names.size + measures.size > 0;

const weighed = (said: Stated, topics: Topics): Weighed => ({
  reading: readingOf(said),
  topic: topics.of(said),
});

const chanceOf = (signals: readonly number[], { model: { weights, bias } }: Topics): number =>
  1 /
  (1 +
    Math.exp(
      -SIGNALS.reduce((sum, name, at) => sum + (weights[name] ?? 0) * (signals[at] ?? 0), bias),
    ));
