/**
 * Whether a statement takes the place of one that no slot ties it to: `the gym charges me 55 now`
 * after `my gym membership costs me 48 euros`. A logistic regression of what two statements share
 * and of their topics, learned from talks of invented people (`scripts/train-succession.mjs`).
 */
import { isCaptured, isOfCapture, SLOT } from '../../model/fact-slot.ts';
import { stemOf } from '../../text/terms.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { changedThing, isNoChange } from '../slots/no-change.ts';
import type { FactCandidate, KnownFact } from '../state.ts';
import { isApart } from './apart.ts';
import { isConditionOf } from './condition.ts';
import { GAIN_STEMS, type Reading, readingOf } from './reading.ts';
import { isGeneral, SIGNALS, signalsOf, type Weighed } from './signals.ts';
import type { Stated, Topics } from './topics.ts';

/**
 * 0..1: from where a statement takes a place. Of 2,740 of the talks that it learned from, 2,081 are
 * found at .4 and 200 are wrong; of a talk that it did not, 31 of 51 and 1: measured before it had
 * to say that something is otherwise. Where it names what was and says that it is over or
 * otherwise, less is enough; what has a slot is seldom taken by a statement that names none.
 */
const LEAST = 0.4;
const LEAST_NAMED = 0.1;
const LEAST_IN_SLOT = 0.6;

/** Stands beside what it is added to. */
const ADDED =
  /\b(?:as well|also|in addition|on top of|besides|another|additional|extra|spare)\b|\btoo(?=[.,;!]|$)/i;
/** Tells one thing from others of its kind. */
const OTHER = /\b(?:other|second|third|younger|older|elder|eldest|youngest|former|late|ex)\b/gi;
/** Of these a person has several at once. */
const MANY =
  /\b(?:allerg\w+|intoler\w*|medic\w*|pills?|tablets?|insulin|inhaler|mg|dogs?|cats?|pets?|parrots?|rabbits?|hors(?:es?)?|kids?|child(?:ren)?|sons?|daughters?|brothers?|sisters?|siblings?|friends?|hobb(?:y|ies|i)|languag\w*|speaks?|fluent|instruments?|degrees?|diplomas?|meetings?|condition|diagnos\w*|lessons?|class(?:es)?|courses?)\b/i;

/** Their stems, which name no one of several either. */
const MANY_STEMS: ReadonlySet<string> = new Set(
  'allergic allergy allergies intolerant intolerance medication medicine inhaler horse child children sibling hobby hobbies language speak degree diploma meeting condition diagnosis diagnosed lesson class course'
    .split(' ')
    .map(stemOf),
);

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
  // Two states side by side are no contradiction: a statement that ends one says so.
  if (!saysOtherwise(said.reading)) return null;
  const isPurchase = isPurchased(candidate) && !said.reading.isOver;
  if (isPurchase && isGainAlone(said.reading)) return null;
  const plain = ` ${wordsOf(candidate.content).join(' ')} `;
  if (isNoChange(plain)) return null;
  const thing = changedThing(plain)?.split(' ') ?? null;
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
    const before = readingOf(fact);
    // `No longer eats sugar` after `no longer eats meat`: each ends what it names, and stands.
    if (said.reading.isOver && before.isOver) continue;
    // `Switched the font from A to B` says nothing of the use of A.
    if (thing && !wordsOf(fact.content).some((word) => thing.includes(word))) continue;
    if (isOtherThing(said.reading, before) || isOneMore(candidate, fact)) continue;
    if (isApart(candidate, fact) || isConditionOf(candidate, fact)) continue;
    if (isPurchase && isPurchased(fact)) continue;
    if (isGainAlone(said.reading) && !isOfSameThing(said.reading, before)) continue;
    const signals = signalsOf(said, weighed(fact, topics), earlier.length - at);
    const chance = chanceOf(signals, topics);
    const least = fact.metadata[SLOT] === undefined ? leastOf(said.reading, before) : LEAST_IN_SLOT;
    if (chance < least || chance <= most) continue;
    most = chance;
    best = fact;
  }
  return best;
}

/** One purchase ends no other, and nothing that one has: `I bought a flat in Ulm`. */
const isPurchased = ({ content }: Pick<KnownFact, 'content'>): boolean => PURCHASED.test(content);
const PURCHASED =
  /\b(?:bought|purchased|ordered|got (?:an?|some|another|two|three|four|five|six|\d+) )/i;

const isGainAlone = ({ isGain, isNow, isOver }: Reading): boolean => isGain && !isNow && !isOver;
/** `I bought a canoe` after `I bought a tent`: they share no more than that. */
const isOfSameThing = ({ stems, names }: Reading, before: Reading): boolean =>
  [...stems].some(
    ([stem]) => before.stems.has(stem) && !GAIN_STEMS.has(stem) && !isGeneral(stem),
  ) || [...before.names].some((name) => names.has(name));

const saysOtherwise = ({ isNow, isChange, isOver }: Reading): boolean =>
  isNow || isChange || isOver;

/**
 * `I now have an allergy to cats` after `I have an allergy to penicillin`, `my other dog is Bella`:
 * of what one has several of, the same one must be named.
 */
export function isOneMore(
  said: Pick<KnownFact, 'content' | 'subject'>,
  before: Pick<KnownFact, 'content' | 'subject'>,
): boolean {
  const told = new Set(othersIn(before.content));
  if (othersIn(said.content).some((word) => !told.has(word))) return true;
  if (!MANY.test(before.content) && !MANY.test(said.content)) return false;
  const [of, was] = [readingOf(said), readingOf(before)];
  const ones = [...was.stems].filter(
    ([stem, rarity]) =>
      !MANY.test(stem) && !MANY_STEMS.has(stem) && (rarity >= RARE || was.names.has(stem)),
  );
  const named = ones.filter(([stem]) => of.stems.has(stem));
  // `No longer allergic to nuts` says nothing of the penicillin that was named with them.
  return named.length === 0 || (LISTED.test(before.content) && named.length < ones.length);
}
const LISTED = /\b(?:allergic|intolerant) to [^.]*(?:,| and | or )/i;
/** Of a word that says which one is meant: `metformin` is 1, `weighs` .83. */
const RARE = 0.9;
const othersIn = (content: string): readonly string[] =>
  (content.match(OTHER) ?? []).map((word) => word.toLowerCase());

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
