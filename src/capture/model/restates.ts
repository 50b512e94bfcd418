/**
 * Whether a claim of a model restates what its turn says: in another form of the words, or partly
 * in others. All that a model finds waits for a review, so its words may differ; its names and
 * numbers may not, for nobody who reviews knows where those come from.
 */
import { isStopWord } from '../../text/terms.ts';
import type { FactCandidate } from '../state.ts';
import { shownName, spokenName } from '../voices/speaker.ts';

/** Of the words of a sentence that say something: those that its turn says as well. */
const LEAST_SHARED = 1 / 3;
/** Letters by which two forms of a word begin: `wohne` and `wohnt`. */
const LEAST_BEGINNING = 4;
/** Letters that a form of a name has more: `Krakowie` of `Kraków`. */
const MOST_ENDING = 3;

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'der die das den dem des ein eine und oder mit von vom zum zur auf aus bei fur ist sind hat sein ihr ihre nicht kein keine con del los las una por para que sus est les des une avec pour dans sur son ses qui pas non per che gli nel sie user users'.split(
    ' ',
  ),
);

export function restates({
  content,
  turn,
  antecedent,
}: Pick<FactCandidate, 'content' | 'turn' | 'antecedent'>): boolean {
  const said = new Set(wordsIn(`${turn.content} ${antecedent?.content ?? ''}`));
  const own = new Set(
    [shownName(turn.author ?? ''), spokenName(turn.author)].flatMap((name) => wordsIn(name)),
  );
  return sentencesIn(content).every((sentence) => isRestated(sentence, { said, own }));
}

interface Known {
  readonly said: ReadonlySet<string>;
  /** Of the name of the speaker. */
  readonly own: ReadonlySet<string>;
}

function isRestated(sentence: string, { said, own }: Known): boolean {
  const words = wordsWith(sentence).filter(
    ({ word }) => !isStopWord(word) && !FUNCTION_WORDS.has(word) && !isFormOf(word, own),
  );
  if (words.some(({ word }) => /\p{N}/u.test(word) && !said.has(word))) return false;
  const isName = ({ shown }: Shown): boolean => /^\p{Lu}/u.test(shown);
  if (words.some((each) => isName(each) && !said.has(each.word) && !isFormOf(each.word, said)))
    return false;
  const content = words.filter((each) => !isName(each) && each.word.length > 2);
  const shared = content.filter(({ word }) => said.has(word) || beginsAlike(word, said));
  if (content.length === 0) return words.length > 0;
  return shared.length > 0 && shared.length / content.length >= LEAST_SHARED;
}

interface Shown {
  readonly shown: string;
  /** In lower case, without marks on its letters. */
  readonly word: string;
}

/** `can't` and `cannot` are `can not`. */
const wordsWith = (text: string): readonly Shown[] =>
  (
    text
      .replaceAll(/n['’]t\b/gi, ' not')
      .replaceAll(/\bcannot\b/gi, 'can not')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).map((shown) => ({
    shown,
    word: shown.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase(),
  }));
const wordsIn = (text: string): readonly string[] => wordsWith(text).map(({ word }) => word);

/** Without the days that were written out behind a time. */
const sentencesIn = (content: string): readonly string[] =>
  content
    .replaceAll(/ \((?:week of |weekend of |before )?\d{4}(?:-\d{2}){0,2}\)/g, '')
    .split(/[.!?;:\n]\s+/)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));

/** A name as another one has it in a sentence: `Dana` and `Danas`. */
const isFormOf = (word: string, names: ReadonlySet<string>): boolean =>
  names.has(word) ||
  [...names].some(
    (name) =>
      (word.startsWith(name) && isEnding(name, word)) ||
      (name.startsWith(word) && isEnding(word, name)),
  );
const isEnding = (stem: string, whole: string): boolean =>
  whole === `${stem}s` ||
  (stem.length >= LEAST_BEGINNING && whole.length - stem.length <= MOST_ENDING);

const beginsAlike = (word: string, said: ReadonlySet<string>): boolean =>
  word.length >= LEAST_BEGINNING &&
  [...said].some((other) => other.startsWith(word.slice(0, LEAST_BEGINNING)));
