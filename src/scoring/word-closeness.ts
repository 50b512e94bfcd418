/** Late interaction by words: for each word of the query the closest word of a text (MaxSim), weighed by how rare the query's word is. */
import { type Lexicon, weighTerms } from '../model/bm25.ts';
import { stemOf, type WordSimilarity } from '../model/terms.ts';
import { englishWords } from './read-text.ts';

export interface Closeness {
  readonly hasWords: boolean;
  /** Of a text's words, per word of the query, 0..1. */
  of(words: readonly string[]): readonly number[];
  /** Weighs one number per query word to 0..1. */
  sum(closenessOf: (word: number) => number): number;
}

export interface ClosenessBy {
  readonly lexicon: Lexicon;
  readonly similarity: WordSimilarity | null;
  /** Terms of participants' names: they say who is meant, not what is asked. */
  readonly nameTerms: ReadonlySet<string>;
}

export function closeness(query: string, by: ClosenessBy): Closeness {
  const words = englishWords(query).filter((word) => !by.nameTerms.has(stemOf(word)));
  const { weights } = weighTerms(words.map(stemOf), by.lexicon);
  const rarity = words.map((word) => weights.get(stemOf(word)) ?? 0);
  const total = rarity.reduce((sum, weight) => sum + weight, 0);
  const judges = words.map((word) => judgeOf(word, by.similarity));
  return {
    hasWords: total > 0,
    of: (others) =>
      judges.map((judge) => {
        let best = 0;
        for (const other of others) best = Math.max(best, judge(other));
        return best;
      }),
    sum(closenessOf) {
      if (!(total > 0)) return 0;
      let sum = 0;
      for (const [word, weight] of rarity.entries()) sum += weight * closenessOf(word);
      return Math.min(1, sum / total);
    },
  };
}

/** Remembers what it was asked: the turns around a hit share most of their words. */
function judgeOf(word: string, similarity: WordSimilarity | null): (other: string) => number {
  const known = new Map<string, number>();
  const stem = stemOf(word);
  const cosine = similarity?.(word);
  return (other) => {
    let close = known.get(other);
    if (close === undefined) {
      close = stemOf(other) === stem ? 1 : (cosine?.(other) ?? 0);
      close = Math.min(1, Math.max(0, close));
      known.set(other, close);
    }
    return close;
  };
}
