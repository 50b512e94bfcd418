/**
 * BM25 over terms, as a share of the most that a query can reach, so that numbers of different
 * queries and stores can be compared. What ranks in a database repeats the formula there; this is
 * the one that its numbers are held against.
 */
import { GRAM_MARK, GRAM_WEIGHT } from './grams.ts';
import { countTerms, QUERY_UNITS, readTerms } from './terms.ts';

interface Norm {
  readonly k1: number;
  readonly b: number;
}
/** Turns are short and of like length: on LoCoMo b 0.3 gives 1.3 points of R@10 more than 0.75. */
const TURN: Norm = { k1: 0.9, b: 0.3 };
/** Chunks of sources and abstracts, nDCG@10 against the norm of turns: +1.7 and +2.4. */
const DOCUMENT: Norm = { k1: 1.2, b: 0.75 };
/**
 * The version of the terms: stored beside the postings, so that old ones never answer new queries.
 * Whoever changes what `indexText` gives raises it, here and in a migration that fills
 * `context_ops.word_backlog` (test/unit/word-rules.test.ts).
 */
export const WORD_RULES = 2;
/** A longer query says nothing more about relevance, and each term costs a look-up. */
export const TERMS_READ = 256;
const TERMS_WEIGHED = 48;
/**
 * Sums in another order, and logarithms of another machine, differ beyond the twelfth digit; no tie
 * may hang on that.
 */
const PRECISION = 1e9;

/** What a store says of its words. */
export interface Lexicon {
  /** Texts that have at least one term. */
  readonly documents: number;
  /** Terms of a text that is no document (a turn, a fact), on average; 0 = there is none. */
  readonly mean_length: number;
  /** The same of documents. */
  readonly mean_document_length: number;
  /** In how many of the texts a term occurs; terms that nobody asked for are left out. */
  readonly frequencies: Readonly<Record<string, number>>;
}

/** A text as it is searched. */
export interface IndexedText {
  readonly counts: ReadonlyMap<string, number>;
  /** Terms, repeats included, without the grams: a text is as long as its words. */
  readonly length: number;
  readonly isDocument: boolean;
}
/** How often each term of a query is in a text, or in several in a row. */
export interface TermCounts {
  /** In the order of the query's terms. */
  readonly times: readonly number[];
  /** Terms of the text, repeats included. */
  readonly length: number;
  readonly isDocument: boolean;
}

export function indexText(text: string, isDocument = false): IndexedText {
  const { terms, grams } = readTerms(text);
  return { counts: countTerms([...terms, ...grams]), length: terms.length, isDocument };
}

/** The different terms of a query, in its order, then its grams. */
export function queryTerms(query: string): readonly string[] {
  const { terms, grams } = readTerms(query, QUERY_UNITS);
  return [...new Set([...terms, ...grams])].slice(0, TERMS_READ);
}

export interface WeighedTerms {
  /** Each once. */
  readonly terms: readonly string[];
  /** In the order of the terms. */
  readonly weights: readonly number[];
  readonly total: number;
}

/** Rare terms weigh more (Robertson and Spärck Jones, kept above 0 by the 1 in the logarithm). */
export function weighTerms(
  asked: Iterable<string>,
  { documents, frequencies }: Lexicon,
): WeighedTerms {
  const terms = [...new Set(asked)];
  const weights = terms.map((term) => {
    const frequency = Object.hasOwn(frequencies, term)
      ? Math.min(documents, frequencies[term] ?? 0)
      : 0;
    const idf = Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
    return term.startsWith(GRAM_MARK) ? GRAM_WEIGHT * idf : idf;
  });
  return { terms, weights, total: weights.reduce((sum, weight) => sum + weight, 0) };
}

export const countsIn = (
  { counts, length, isDocument }: IndexedText,
  { terms }: WeighedTerms,
): TermCounts => ({ times: terms.map((term) => counts.get(term) ?? 0), length, isDocument });

/** Several texts as one. */
export function joinCounts(texts: readonly TermCounts[]): TermCounts {
  const times: number[] = [];
  let length = 0;
  for (const text of texts) {
    length += text.length;
    for (let term = 0; term < text.times.length; term += 1)
      times[term] = (times[term] ?? 0) + (text.times[term] ?? 0);
  }
  return { times, length, isDocument: texts[0]?.isDocument ?? false };
}

/** 0..1. `meanLength` is that of texts of this kind. */
export function bm25Share(
  { times, length, isDocument }: TermCounts,
  { weights, total }: WeighedTerms,
  meanLength: number,
): number {
  const { k1, b } = isDocument ? DOCUMENT : TURN;
  const norm = k1 * (1 - b + (b * length) / meanLength);
  let sum = 0;
  for (let term = 0; term < times.length; term += 1) {
    const count = times[term] ?? 0;
    if (count > 0) sum += ((weights[term] ?? 0) * count) / (count + norm);
  }
  return sum === 0 ? 0 : sum / total;
}

/** Of texts of the same kind. */
export const meanLengthOf = (
  { isDocument }: Pick<IndexedText, 'isDocument'>,
  lexicon: Pick<Lexicon, 'mean_length' | 'mean_document_length'>,
): number => (isDocument ? lexicon.mean_document_length : lexicon.mean_length);

/**
 * The signal `lexical`: 0..1; undefined where no term of the query is in the text. The terms of the
 * query are those that the lexicon counts.
 */
export function lexicalSignal(lexicon: Lexicon): (text: IndexedText) => number | undefined {
  const weighed = weighTerms(rarestTerms(lexicon.frequencies), lexicon);
  return (text) => {
    const share = bm25Share(countsIn(text, weighed), weighed, meanLengthOf(text, lexicon));
    return share === 0 ? undefined : Math.round(share * PRECISION) / PRECISION;
  };
}

/** The rarest that occur; then those that occur nowhere, which lower the signal of every text. */
function rarestTerms(frequencies: Lexicon['frequencies']): readonly string[] {
  const rank = (df: number): number => (df === 0 ? Number.POSITIVE_INFINITY : df);
  return Object.entries(frequencies)
    .sort(([a, dfA], [b, dfB]) =>
      rank(dfA) === rank(dfB) ? (a < b ? -1 : 1) : rank(dfA) - rank(dfB),
    )
    .slice(0, TERMS_WEIGHED)
    .map(([term]) => term);
}
