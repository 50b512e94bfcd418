/**
 * What a statement is about: the topics that it may be of (a fee, a boss, where one lives), by a
 * softmax over its words and their vectors, and the direction of its vector. Two statements of one
 * topic may share no word: `Marek treats my back`, `I see Sanna for the physio now`.
 */

import { wordVector } from '../../inference/word-embedder.ts';
import { loadWordTable, type WordTable } from '../../inference/word-table.ts';
import { bucketOf } from '../classifier/bucket.ts';
import { wordsSeen } from '../classifier/words.ts';
import type { Said } from '../compare/likeness.ts';
import { readModel, type SuccessionModel, TOPIC_BUCKETS } from './model.ts';
import { WRITTEN_DAYS } from './reading.ts';
import type { Topic } from './signals.ts';

export type Stated = Said & { readonly subject: string | null };

/** Knows statements by their topics. */
export interface Topics {
  readonly model: SuccessionModel;
  of(said: Stated): Topic;
}

let shared: Promise<Topics> | undefined;

/** Reads weights and word vectors at the first call. */
export function loadTopics(): Promise<Topics> {
  shared ??= loadWordTable()
    .then((words) => topicsBy(readModel(new URL('./weights/', import.meta.url)), words))
    .catch((error: unknown) => {
      shared = undefined;
      throw error;
    });
  return shared;
}

export function topicsBy(model: SuccessionModel, words: WordTable): Topics {
  const known = new WeakMap<Said, Topic>();
  return {
    model,
    of(said) {
      const before = known.get(said);
      if (before) return before;
      const vector = vectorOf(said, words);
      const topic = { shares: sharesOf(bucketsOf(said), vector, model), vector };
      known.set(said, topic);
      return topic;
    },
  };
}

/** A vector has length 1: so much weighs one of its numbers beside a word. */
export const VECTOR_WEIGHT = 2;

/** Each once, unordered; the name of the subject is one word. */
export function bucketsOf({ content, subject }: Stated): readonly number[] {
  const own = ownWords(subject);
  const found = new Set<number>();
  const add = (feature: string): void => void found.add(bucketOf(feature, TOPIC_BUCKETS));
  let before = '^';
  let shapeBefore = '';
  for (const { stem, shape } of wordsSeen(content.replaceAll(WRITTEN_DAYS, ''))) {
    const word = own.has(stem) ? '@' : stem;
    add(`stem ${word}`);
    add(`pair ${before} ${word}`);
    add(`shape ${shape}`);
    if (word.length > BEGINNING) add(`begins ${word.slice(0, BEGINNING)}`);
    if (shapeBefore !== '') add(`shapes ${shapeBefore} ${own.has(stem) ? '@' : shape}`);
    before = word;
    shapeBefore = own.has(stem) ? '@' : shape;
  }
  return [...found];
}
const BEGINNING = 5;

/** Without the subject, whose name says nothing of the topic. */
export function vectorOf({ content, subject }: Stated, words: WordTable): readonly number[] {
  const own = ownWords(subject);
  const said = content
    .replaceAll(WRITTEN_DAYS, '')
    .split(' ')
    .filter((word) => !own.has(word.toLowerCase().replace(/'s$|[.,]$/, '')));
  return wordVector(said.join(' ').slice(0, MOST_UNITS), words);
}
/** As far as the words of its buckets are read. */
const MOST_UNITS = 1000;

const ownWords = (subject: string | null): ReadonlySet<string> =>
  new Set((subject ?? '').toLowerCase().split(/[^\p{L}\p{N}]+/u));

/** Softmax of the sums of the rows of the buckets, the bias and the vector. */
function sharesOf(
  buckets: readonly number[],
  vector: readonly number[],
  { topics, table, steps }: SuccessionModel,
): readonly number[] {
  const width = topics.length;
  const sums = new Float64Array(width);
  const addRow = (row: number, by: number): void => {
    for (let of = 0; of < width; of += 1)
      sums[of] = (sums[of] ?? 0) + (table[row * width + of] ?? 0) * by;
  };
  const share = steps.words / Math.sqrt(buckets.length + 1);
  for (const bucket of buckets) addRow(bucket, share);
  addRow(TOPIC_BUCKETS, steps.words);
  for (const [at, number] of vector.entries())
    addRow(TOPIC_BUCKETS + 1 + at, number * VECTOR_WEIGHT * steps.vector);
  const most = Math.max(...sums);
  const shares = Array.from(sums, (sum) => Math.exp(sum - most));
  const total = shares.reduce((all, each) => all + each, 0);
  return shares.map((each) => each / total);
}
