/**
 * Whether a word at the beginning of a turn, which has a capital whatever it is, is a name: by the
 * names and the comments that it stands near in the word table. `Interesting` is none.
 */
import { wordVector } from '../../inference/word-embedder.ts';
import { wordTableNow } from '../../inference/word-table.ts';
import { isKnownWord } from '../../text/known-words.ts';
import { dot } from './likeness.ts';

const NAMES =
  'paris london germany chicago switzerland vienna sweden texas italy spain tokyo anna john ' +
  'maria james tom sarah peter julia emma david mom google microsoft siemens ibm toyota';
/** What is said of a talk, not in it. */
const TALK =
  'good interesting late question thing time happened busy quick message mistake funny story ' +
  'wrong day call cool idea problem';

function nearness(word: string, words: string): number {
  const vector = wordVector(word, wordTableNow());
  const near = words.split(' ').map((other) => dot(vector, wordVector(other, wordTableNow())));
  const nearest = near.sort((a, b) => b - a).slice(0, NEAREST);
  return nearest.reduce((sum, each) => sum + each, 0) / NEAREST;
}
const NEAREST = 3;

/** A name that stands near to no other is taken for none: then nothing is corrected. */
export function mayName(said: string): boolean {
  const words = said.split(' ');
  if (!words.every((word) => /^\p{Lu}/u.test(word))) return false;
  const [first = ''] = words;
  const word = first.toLowerCase();
  if (!isKnownWord(word)) return true;
  const near = nearness(word, NAMES);
  return near > LEAST_NEAR && near > nearness(word, TALK);
}
const LEAST_NEAR = 0.12;

const PLACES = 'paris london germany chicago switzerland vienna sweden texas italy spain tokyo';
const PEOPLE = 'anna john maria james tom sarah peter julia emma david mike robert';
/** Whom one talks to. */
const LISTENERS: ReadonlySet<string> = new Set(
  'claude chatgpt gpt gemini copilot siri alexa cortana assistant bot buddy dude man mate bro guys folks sir madam'.split(
    ' ',
  ),
);
/** Whether a name is one by which somebody is spoken to. */
export function isAddressed(said: string): boolean {
  const [word = ''] = said.toLowerCase().split(' ');
  if (LISTENERS.has(word)) return true;
  if (!isKnownWord(word)) return false;
  const near = nearness(word, PEOPLE);
  return near > LEAST_PERSON && near > nearness(word, PLACES);
}
const LEAST_PERSON = 0.25;

const MORE_PLACES = `${PLACES} rome milan naples barcelona lisbon amsterdam berlin munich prague warsaw oslo dublin boston seattle denver toronto melbourne mumbai delhi beijing moscow cairo brussels zurich geneva lyon marseille hamburg florence venice city town`;
const MORE_PEOPLE = `${PEOPLE} lucas sofia ben bob max nina laura martin paul alice kevin linda`;
/** Where a town would be as much at its place: `Turin` is none, by which nobody is spoken to. */
export const isSurelyAddressed = (said: string): boolean => {
  const [word = ''] = said.toLowerCase().split(' ');
  if (LISTENERS.has(word)) return true;
  return (
    isAddressed(said) && nearness(word, MORE_PEOPLE) > nearness(word, MORE_PLACES) + LEAST_APART
  );
};
const LEAST_APART = 0.08;

const TRADES =
  'sales marketing finance engineering design legal support operations product research accounting logistics security consulting procurement payments analytics data platform search';
/** `In Berlin`, not `in Sales`: nearer to towns than to what a firm has departments of. */
export function isTown(said: string): boolean {
  const words = said.split(' ');
  if (/\d|^\p{Lu}+$/u.test(said) || !words.every((word) => /^\p{Lu}/u.test(word))) return false;
  const [first = ''] = words;
  const word = first.toLowerCase();
  if (!isKnownWord(word)) return true;
  const near = nearness(word, MORE_PLACES);
  return near > LEAST_NEAR && near > nearness(word, TRADES);
}
