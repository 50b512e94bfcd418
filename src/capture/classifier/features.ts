/**
 * What the classifier of the gate knows a text by: runs of one to three shapes, stems alone and in
 * pairs, how it begins, its length and the marks in it, each a bucket of a table, by its hash (the
 * hashing trick of Weinberger et al. 2009), so that no list of words is stored; and the direction
 * of its word vectors, by which words are known that no line taught.
 */
import { wordVector } from '../../inference/word-embedder.ts';
import { ROW_LENGTH, type WordTable } from '../../inference/word-table.ts';
import { bucketOf } from './bucket.ts';
import { READ_UNITS, type SeenWord, wordsSeen } from './words.ts';

export const BUCKETS = 1 << 15;

/** Raise it with every change of what a text is known by: the weights are of one version. */
export const FEATURES_VERSION = 2;

/** Numbers of the direction of a text. */
export const DIRECTIONS = ROW_LENGTH;
/**
 * A direction has length 1: so much weighs one of its numbers beside a bucket. Of lines of people
 * that taught nothing, at a precision of .9: recall .754 without, .813 with 2, .797 with 4.
 */
const DIRECTION_WEIGHT = 2;

export const directionOf = (text: string, words: WordTable): readonly number[] =>
  wordVector(text.slice(0, READ_UNITS), words).map((number) => number * DIRECTION_WEIGHT);

const MARKS: readonly (readonly [name: string, mark: RegExp])[] = [
  ['quote', /["“”]/],
  ['equals', /=/],
  ['brace', /[{}<>|\\]/],
  ['bracket', /[()]/],
  ['colon', /:/],
  ['semicolon', /;/],
  ['dash', / [-–—] /],
  ['arrow', /->/],
  ['comma', /,/],
  ['dots', /\.\.\./],
  ['capitals', /\b[A-Z]{2,}\b/],
  ['backtick', /`/],
  ['two marks', /[^\p{L}\p{N}\s]{2}/u],
  ['lower case', /^[a-z]/],
  ['snake case', /\w_\w/],
  ['camel case', /[a-z][A-Z]/],
];

/** Each once, unordered. */
export function bucketsOf(text: string): readonly number[] {
  const words = wordsSeen(text);
  const found = new Set<number>();
  const add = (feature: string): void => void found.add(bucketOf(feature, BUCKETS));
  const shapes = ['^', ...collapsed(words), endOf(text)];
  for (let length = 1; length <= 3; length += 1)
    for (let at = 0; at + length <= shapes.length; at += 1)
      add(`shape ${shapes.slice(at, at + length).join(' ')}`);
  add(`start ${shapes.slice(0, 4).join(' ')}`);
  let before = '^';
  for (const { stem } of words) {
    add(`stem ${stem}`);
    add(`pair ${before} ${stem}`);
    before = stem;
  }
  add(`length ${LENGTHS.findIndex((most) => words.length <= most)}`);
  if (words.some(({ shape }) => /^#[a-z]/.test(shape))) add('has a value');
  for (const [name, mark] of MARKS) if (mark.test(text)) add(`mark ${name}`);
  add(`letters ${SHARES.findIndex((least) => letterShare(text) > least)}`);
  return [...found];
}

/** Of words, and of letters among the characters. */
const LENGTHS = [3, 6, 10, 15, 23, Number.POSITIVE_INFINITY];
const SHARES = [0.95, 0.9, 0.8, Number.NEGATIVE_INFINITY];

/** Words of open classes in a row are one: how many say the same is chance. */
function collapsed(words: readonly SeenWord[]): readonly string[] {
  const shapes = words.map(({ shape }) => shape);
  return shapes.filter((shape, at) => shape !== '_' || shapes[at - 1] !== '_');
}

const endOf = (text: string): string => (/[?!]\s*$/.exec(text)?.[0] ?? '.').trim();

const letterShare = (text: string): number =>
  text.replaceAll(/[^\p{L}\s]/gu, '').length / Math.max(1, text.length);
