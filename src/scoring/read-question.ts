/** A question as a pool is compared with it: its words, whom and when it names, what is new. */
import { type Lexicon, queryTerms, type WeighedTerms, weighTerms } from '../text/bm25.ts';
import { askedTime, asksForTime } from './asked-time.ts';
import { capitalWeight } from './capital-weight.ts';
import type { ReadText } from './read-text.ts';
import { remembered } from './remembered.ts';
import { strangers } from './strangers.ts';
import { isUnnamed } from './unnamed.ts';

export interface Question {
  readonly words: WeighedTerms;
  /** The participants that are named. */
  readonly named: readonly string[];
  readonly time: ReturnType<typeof askedTime>;
  readonly asksTime: boolean;
  readonly strangers: number;
  readonly unseen: number;
  readonly unnamed: number;
}

interface Participants {
  /** Author -> terms of the name. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly nameTerms: ReadonlySet<string>;
  readonly lexicon: Lexicon;
  readonly texts: readonly ReadText[];
  /** The same as they stand, with their capitals. */
  readonly written: readonly string[];
}

/**
 * Participants' names say who is meant, not what is asked: they choose the author and do not count
 * as words, unless there are no others.
 */
export function readQuestion(
  query: string,
  { names, nameTerms, lexicon, texts, written }: Participants,
): Question {
  const terms = queryTerms(query);
  const isUnlikeAny = remembered((term: string) => !texts.some((text) => hasLike(text, term)));
  const named = [...names]
    .filter(([, words]) => words.some((word) => terms.includes(word)))
    .map(([author]) => author);
  const rest = terms.filter((term) => !nameTerms.has(term));
  const words = weighTerms(rest.length > 0 ? rest : terms, lexicon);
  const vocabulary = vocabularyOf(lexicon);
  const isMissing = (term: string): boolean => isAbsent(term, lexicon) && isUnlikeAny(term);
  const isParticipantNamed = named.length > 0;
  const unknown = strangers(query, (term) => !nameTerms.has(term) && isMissing(term));
  return {
    words,
    unseen: vocabulary * unseenShare(words, isMissing),
    unnamed: isUnnamed(query, { isParticipantNamed, isMissing }) ? vocabulary : 0,
    named,
    time: askedTime(query),
    asksTime: asksForTime(query),
    strangers: vocabulary * unknown * (unknown > 0 ? capitalWeight(query, written) : 0),
  };
}

/**
 * 0..1: how much it says that a store lacks a word. One of thirty sentences has seen few words of
 * any language, its own answers' paraphrases included; half at 8,000 terms, a long conversation.
 */
function vocabularyOf(lexicon: Lexicon): number {
  const terms = lexicon.documents * (lexicon.mean_length || lexicon.mean_document_length);
  return terms / (terms + HALF_A_VOCABULARY);
}
const HALF_A_VOCABULARY = 8000;

/** Of the weight of the question's terms and grams, what the store has never seen. */
function unseenShare(
  { terms, weights, total }: WeighedTerms,
  isMissing: (term: string) => boolean,
): number {
  if (!(total > 0)) return 0;
  return (
    terms.reduce((sum, term, at) => sum + (isMissing(term) ? (weights[at] ?? 0) : 0), 0) / total
  );
}

/** A term that the store was not asked for (of a query that is too long) is not absent. */
const isAbsent = (term: string, { frequencies }: Lexicon): boolean =>
  Object.hasOwn(frequencies, term) && frequencies[term] === 0;

/**
 * Letters that two forms of a name share: `Norwegian` and `Norway`. A shorter term is its own
 * beginning.
 */
const SHARED_LETTERS = 4;
function hasLike({ counts }: ReadText, term: string): boolean {
  if (term.length < SHARED_LETTERS) return counts.has(term);
  const beginning = term.slice(0, SHARED_LETTERS);
  for (const other of counts.keys()) if (other.startsWith(beginning)) return true;
  return false;
}
