/**
 * What a word names, by the names that it stands near in the word table: whether `Interesting` at
 * the beginning of a turn is a name at all, and whether `Tom` can take the place of `Bern`.
 */
import { wordVector } from '../../inference/word-embedder.ts';
import { wordTableNow } from '../../inference/word-table.ts';
import { isKnownWord } from '../../text/known-words.ts';
import { dot } from './likeness.ts';

const KINDS = {
  place: 'paris london germany chicago switzerland vienna sweden texas italy spain tokyo',
  person: 'anna john maria james tom sarah peter julia emma david mom',
  firm: 'google microsoft siemens ibm toyota',
} as const;
/** What is said of a talk, not in it. */
const TALK =
  'good interesting late question thing time happened busy quick message mistake funny story ' +
  'wrong day call cool idea problem';

/** Of fifty names and as many comments none is misread but rare names, which are no names then. */
const NEAREST = 3;

function nearness(word: string, kind: string): number {
  const vector = wordVector(word, wordTableNow());
  const near = kind.split(' ').map((other) => dot(vector, wordVector(other, wordTableNow())));
  const nearest = near.sort((a, b) => b - a).slice(0, NEAREST);
  return nearest.reduce((sum, each) => sum + each, 0) / NEAREST;
}

/** What an initial capital alone makes a name must stand nearer to names than to comments. */
export function mayName(said: string): boolean {
  const words = said.split(' ');
  if (!words.every((word) => /^\p{Lu}/u.test(word))) return false;
  const [first = ''] = words;
  const word = first.toLowerCase();
  if (!isKnownWord(word)) return true;
  const near = nearness(word, NAMES);
  return near > LEAST_NEAR && near > nearness(word, TALK);
}
const NAMES = Object.values(KINDS).join(' ');
const LEAST_NEAR = 0.12;

/** `Basel` names no person, as `Bern`; of a word that the table does not know nobody can tell. */
export function nameTheSame(one: string, other: string): boolean {
  const kind = kindNamed(one);
  return kind !== null && kind === kindNamed(other);
}

function kindNamed(said: string): 'person' | 'thing' | null {
  const word = said.toLowerCase();
  if (!mayName(said) || !word.split(' ').some(isKnownWord)) return null;
  const isPerson =
    nearness(word, KINDS.person) >
    Math.max(nearness(word, KINDS.place), nearness(word, KINDS.firm));
  return isPerson ? 'person' : 'thing';
}
