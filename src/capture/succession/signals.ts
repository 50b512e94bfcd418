/** What of a statement and one before it is weighed, to tell whether it takes the other's place. */
import type { Reading } from './reading.ts';

/** In this order. */
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
  'same topic, by its logarithm',
  'same topic',
  'likeliest same topic',
  'same topic and change, by its logarithm',
  'same topic and shared',
  'same topic and unit',
  'same topic and old name',
  'same topic and names',
  'same topic and now',
  'how long before',
  'alike',
  'alike, squared',
  'alike and same topic',
  'alike and change',
] as const;

/** What a statement is about. */
export interface Topic {
  /** 0..1 of each topic of the model, 1 in all. */
  readonly shares: readonly number[];
  /** Of length 1. */
  readonly vector: readonly number[];
}
/** A statement as it is weighed. */
export interface Weighed {
  readonly reading: Reading;
  readonly topic: Topic;
}

/** `later`: how many statements lie between the two, and one. */
export function signalsOf(said: Weighed, before: Weighed, later: number): readonly number[] {
  const words = wordSignals(said.reading, before.reading);
  const same = dot(said.topic.shares, before.topic.shares);
  const log = Math.log(same + LEAST_SHARE);
  const alike = dot(said.topic.vector, before.topic.vector);
  const of = (name: (typeof SIGNALS)[number]): number => words[SIGNALS.indexOf(name)] ?? 0;
  return [
    ...words,
    log,
    same,
    Math.max(
      ...said.topic.shares.map((share, at) => Math.min(share, before.topic.shares[at] ?? 0)),
    ),
    log * of('change'),
    same * of('shared'),
    same * of('same unit'),
    same * of('old name'),
    same * of('names in both'),
    same * of('now'),
    Math.log(1 + later),
    alike,
    alike * alike,
    alike * same,
    alike * of('change'),
  ];
}
const LEAST_SHARE = 1e-3;

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** Of the words, each 0..1. */
function wordSignals(said: Reading, before: Reading): readonly number[] {
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
export const isGeneral = (stem: string): boolean => GENERAL.has(stem);
const GENERAL: ReadonlySet<string> = new Set(
  'ha have get got go went come came take took make made put use work run start move chang switch give gave keep call day week month year time thing new old now today still becaus sinc until way bit lot one two three pay cost'.split(
    ' ',
  ),
);
