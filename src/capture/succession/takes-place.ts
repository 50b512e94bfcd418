/**
 * Whether a statement takes the place of one that no slot ties it to: `the gym charges me 55 now`
 * after `my gym membership costs me 48 euros`. A logistic regression of what two statements share;
 * its weights are printed by `scripts/train-succession.mjs`.
 */
import { isCaptured, SLOT } from '../../model/fact-slot.ts';
import type { FactCandidate, KnownFact } from '../state.ts';
import { type Reading, readingOf } from './reading.ts';

/** What of a pair is weighed, in this order. */
export const SIGNALS = [
  'shared',
  'rarest shared topic',
  'shared topics',
  'old name',
  'old measure',
  'same unit',
  'other value',
  'now',
  'change',
  'end',
  'other people',
  'topic',
  'topic and change',
  'old name and end',
  'names in both',
  'length',
  'before dated',
  'dated',
  'before liking',
  'liking',
] as const;

const WEIGHTS: Readonly<Record<(typeof SIGNALS)[number], number>> = {
  shared: 9.05,
  'rarest shared topic': 1.38,
  'shared topics': 2.35,
  'old name': 0.15,
  'old measure': 1.01,
  'same unit': 1.49,
  'other value': -0.4,
  now: 1.84,
  change: 1.31,
  end: -1.36,
  'other people': -0.33,
  topic: -2.98,
  'topic and change': 2.83,
  'old name and end': 2.95,
  'names in both': 2.13,
  length: -14.4,
  'before dated': -1.82,
  dated: -0.09,
  'before liking': -2.78,
  liking: -1.09,
};
const BIAS = -3.41;

/**
 * 0..1: from where a statement takes a place. Of a set of talks that was not learned from, 30 of 32
 * at .1 are right, of 46. What has a slot is seldom taken by a statement that names none.
 */
const LEAST = 0.1;
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
): KnownFact | null {
  if (!hasPlace(candidate) || ADDED.test(candidate.content)) return null;
  const said = readingOf(candidate);
  let best: KnownFact | null = null;
  let most = 0;
  for (const fact of known) {
    if (!isCaptured(fact) || fact.subject !== candidate.subject || !hasPlace(fact)) continue;
    if (readingOf(fact).kin !== said.kin) continue;
    const chance = chanceOf(signalsOf(said, readingOf(fact)));
    const least = fact.metadata[SLOT] === undefined ? LEAST : LEAST_IN_SLOT;
    if (chance < least || chance <= most) continue;
    most = chance;
    best = fact;
  }
  return best;
}

const chanceOf = (signals: readonly number[]): number =>
  1 /
  (1 +
    Math.exp(-SIGNALS.reduce((sum, name, at) => sum + WEIGHTS[name] * (signals[at] ?? 0), BIAS)));

/** Of a pair, each 0..1. */
export function signalsOf(said: Reading, before: Reading): readonly number[] {
  const shared = [...said.stems.keys()].filter((stem) => before.stems.has(stem));
  const isOldName = [...before.names].some((name) => said.names.has(name));
  const names = new Set([...said.names].filter((name) => before.names.has(name)));
  const topics = shared.filter((stem) => !names.has(stem) && !GENERAL.has(stem));
  const rarity = (stems: readonly string[]): readonly number[] =>
    stems.map((stem) => said.stems.get(stem) ?? 0);
  const size = Math.sqrt(total(said.stems.values()) * total(before.stems.values())) || 1;
  const topic = total(rarity(topics)) / size;
  const isOther = [...said.names, ...said.measures].some(
    (value) => !before.names.has(value) && !before.measures.has(value),
  );
  const isChange = Number(said.isChange);
  return [
    total(rarity(shared)) / size,
    Math.max(0, ...rarity(topics)),
    Math.min(topics.length, MOST_TOPICS) / MOST_TOPICS,
    Number(isOldName),
    Number([...before.measures].some((measure) => said.measures.has(measure))),
    Number([...before.units].some((unit) => said.units.has(unit))),
    Number(isOther),
    Number(said.isNow),
    isChange,
    Number(said.isEnd),
    Number(said.people !== before.people),
    topic,
    isChange * topic,
    Number(isOldName && said.isEnd),
    Number(said.names.size > 0 && before.names.size > 0),
    Math.min(said.stems.size, MOST_STEMS) / MOST_STEMS,
    Number(before.isDated),
    Number(said.isDated),
    Number(before.isLiking),
    Number(said.isLiking),
  ];
}
const MOST_TOPICS = 3;
const MOST_STEMS = 20;

const total = (values: Iterable<number>): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

/** Stems of words that are said of anything. */
const GENERAL: ReadonlySet<string> = new Set(
  'ha have get got go went come came take took make made put use work run start move chang switch give gave keep call day week month year time thing new old now today still becaus sinc until way bit lot one two three pay cost'.split(
    ' ',
  ),
);
