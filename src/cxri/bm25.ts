/**
 * The lexical signal: BM25 over the terms of `src/model/terms.ts`, as a share of the most that a query can give. Connectors that rank in a
 * database repeat the formula there; this is the one that their numbers are held against.
 */
import { countTerms, termsOf } from '../model/terms.ts';
import type { Lexicon } from './contract.ts';

/** Turns are short and of like length: on LoCoMo b 0.3 gives 1.3 points of R@10 more than 0.75. */
export const K1 = 0.9;
export const B = 0.3;
/** A longer query says nothing more about relevance, and each term costs a look-up. */
export const TERMS_READ = 256;
export const TERMS_WEIGHED = 48;
/** Sums in another order, and logarithms of another machine, differ beyond the twelfth digit; no tie may hang on that. */
const PRECISION = 1e9;

/** A text as it is searched. */
export interface IndexedText {
  readonly counts: ReadonlyMap<string, number>;
  /** Terms, repeats included. */
  readonly length: number;
}

export function indexText(text: string): IndexedText {
  const terms = termsOf(text);
  return { counts: countTerms(terms), length: terms.length };
}

/** The different terms of a query, in its order. */
export const queryTerms = (query: string): readonly string[] => [...new Set(termsOf(query))].slice(0, TERMS_READ);

/** 0..1; undefined where no term of the query is in the text. The terms of the query are those that the lexicon counts. */
export function lexicalSignal({ documents, mean_length: meanLength, frequencies }: Lexicon): (text: IndexedText) => number | undefined {
  const weights = weighedTerms(frequencies).map(([term, df]) => [term, Math.log(1 + (documents - df + 0.5) / (df + 0.5))] as const);
  const most = weights.reduce((sum, [, idf]) => sum + idf, 0);
  return ({ counts, length }) => {
    const norm = K1 * (1 - B + (B * length) / meanLength);
    let sum = 0;
    for (const [term, idf] of weights) {
      const times = counts.get(term);
      if (times !== undefined) sum += (idf * times) / (times + norm);
    }
    return sum === 0 ? undefined : Math.round((sum / most) * PRECISION) / PRECISION;
  };
}

/** The rarest that occur; then those that occur nowhere, which lower the signal of every text. */
function weighedTerms(frequencies: Lexicon['frequencies']): readonly (readonly [string, number])[] {
  const rank = (df: number): number => (df === 0 ? Number.POSITIVE_INFINITY : df);
  return Object.entries(frequencies)
    .sort(([a, dfA], [b, dfB]) => (rank(dfA) === rank(dfB) ? (a < b ? -1 : 1) : rank(dfA) - rank(dfB)))
    .slice(0, TERMS_WEIGHED);
}
