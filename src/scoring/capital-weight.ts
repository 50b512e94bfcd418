/**
 * How far a capital inside a sentence marks a name. Two things take that from it: texts in which
 * ordinary words have capitals (German nouns), and a question that is written like a headline. Both
 * are read from how the store writes; no language is detected, and no list of words is needed.
 */
import { type SentenceWord, sentenceWords } from './sentence-words.ts';

/** The beginning of a text shows how it is written. */
const READ_UNITS = 600;
/** Texts that are written like the question; more say no more. */
const MOST_TEXTS = 60;
/** Different words from which texts that share less with the question are not needed. */
const ENOUGH_WORDS = 80;

/**
 * Share of the different words inside sentences that have a capital. Measured on ten texts or more:
 * English conversations and notes at most .10, French, Spanish and Russian .09, German prose .18 to
 * .30, German talk .35 to .42.
 */
const NAMES_ALONE = 0.1;
const ORDINARY_WORDS = 0.18;
/** A few short texts may be full of names: as many words of a usual text are added to them. */
const USUAL = { words: 20, share: 0.06 };

/** By different inner word in lower case: times with a capital less times without. */
type Casing = ReadonlyMap<string, number>;

/**
 * 1 = a capital marks a name, 0 = it says nothing. 0 as well where no text shares a small word with
 * the question: nothing then shows how its language is written.
 */
export function capitalWeight(query: string, texts: readonly string[]): number {
  const asked = [...sentenceWords(query.slice(0, READ_UNITS))];
  const casing = casingOf(texts, smallWordsOf(asked));
  if (casing.size === 0 || isHeadline(asked, casing)) return 0;
  const capitals = [...casing.values()].filter((more) => more > 0).length;
  const share = (capitals + USUAL.words * USUAL.share) / (casing.size + USUAL.words);
  const weight = (ORDINARY_WORDS - share) / (ORDINARY_WORDS - NAMES_ALONE);
  return Math.min(1, Math.max(0, weight));
}

const SMALL = /^\p{Ll}/u;

/** What is no name: words without a capital, and the word that a sentence begins with. */
const smallWordsOf = (asked: readonly SentenceWord[]): ReadonlySet<string> =>
  new Set(
    asked.flatMap(({ word, isInner }) =>
      isInner && !SMALL.test(word) ? [] : [word.toLowerCase()],
    ),
  );

/** Of the texts that share most small words with the question. */
function casingOf(texts: readonly string[], small: ReadonlySet<string>): Casing {
  const read = texts
    .map((text) => {
      const words = [...sentenceWords(text.slice(0, READ_UNITS))];
      const different = new Set(words.map(({ word }) => word.toLowerCase()));
      return { text, words, shared: [...small].filter((word) => different.has(word)).length };
    })
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared || (one.text < other.text ? -1 : 1))
    .slice(0, MOST_TEXTS);
  const most = read[0]?.shared ?? 0;
  const casing = new Map<string, number>();
  for (const { words, shared } of read) {
    if (2 * shared <= most && casing.size >= ENOUGH_WORDS) break;
    for (const { word, isInner, isCapitalised } of words) {
      if (!isInner || !(isCapitalised || SMALL.test(word))) continue;
      const key = word.toLowerCase();
      casing.set(key, (casing.get(key) ?? 0) + (isCapitalised ? 1 : -1));
    }
  }
  return casing;
}

/** Words that the store writes small have a capital here, more than there are small words. */
function isHeadline(asked: readonly SentenceWord[], casing: Casing): boolean {
  const small = asked.filter(({ word, isInner }) => isInner && SMALL.test(word)).length;
  const raised = asked.filter(
    ({ word, isCapitalised }) => isCapitalised && (casing.get(word.toLowerCase()) ?? 0) < 0,
  ).length;
  return raised > small;
}
