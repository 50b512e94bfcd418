/** `I prefer short answers`: how long they are to be has one value, whatever they are about. */
import type { Token } from './match.ts';
import type { OpenFound } from './open.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const WANTING = set('prefer like want need');
const LENGTHS = set(
  'short shorter brief briefer concise terse compact succinct long longer detailed thorough comprehensive elaborate extensive',
);
const ANSWERS = set('answers replies responses explanations');
const PASSED = set('would your my');

/** Nothing may follow: `short answers in chat` are for a part. */
export function answerLengthOf(given: readonly Token[]): OpenFound | null {
  const [who, verb, length, noun, more] = given.filter(({ word }) => !PASSED.has(word));
  if (more || !length || (who?.word !== 'i' && who?.word !== 'we')) return null;
  const isLength = WANTING.has(verb?.word ?? '') && LENGTHS.has(length.word);
  if (!isLength || !ANSWERS.has(noun?.word ?? '')) return null;
  return {
    ...{ name: 'answer length', kind: 'tells', value: [length], isSoft: false },
    ...{ isOwn: true, instead: null },
  };
}
