/** BM25 as a share of what the query can reach, so that numbers of different queries and stores can be compared. */

/** Measured on LoCoMo: short turns want little length normalisation (b 0.3 instead of 0.75: +1.3 points of recall@10). */
const K1 = 0.9;
const B = 0.3;

/** What the store says of its words. */
export interface Corpus {
  readonly documents: number;
  /** Terms of a document, on average. */
  readonly mean_length: number;
  /** Documents that have the term. */
  readonly frequencies: Readonly<Record<string, number>>;
}

/** A text, or several in a row, as counts of its terms. */
export interface CountedText {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

export interface WeighedQuery {
  readonly weights: ReadonlyMap<string, number>;
  readonly total: number;
}

/** Rare terms weigh more (Robertson and Spärck Jones, floored at 0 by the 1 in the logarithm). */
export function weigh(terms: Iterable<string>, corpus: Corpus): WeighedQuery {
  const weights = new Map<string, number>();
  let total = 0;
  for (const term of terms) {
    if (weights.has(term)) continue;
    const frequency = Math.min(corpus.documents, Object.hasOwn(corpus.frequencies, term) ? (corpus.frequencies[term] ?? 0) : 0);
    const weight = Math.log(1 + (corpus.documents - frequency + 0.5) / (frequency + 0.5));
    weights.set(term, weight);
    total += weight;
  }
  return { weights, total };
}

/** 0..1. `meanLength` is that of texts of this kind. */
export function bm25Share({ counts, length }: CountedText, query: WeighedQuery, meanLength: number): number {
  if (!(query.total > 0)) return 0;
  const norm = K1 * (1 - B + (B * length) / Math.max(1, meanLength));
  let sum = 0;
  for (const [term, weight] of query.weights) {
    const count = counts.get(term);
    if (count !== undefined) sum += (weight * count * (K1 + 1)) / (count + norm);
  }
  return Math.min(1, sum / (query.total * (K1 + 1)));
}

/** Several texts as one. */
export function joined(texts: readonly CountedText[], terms: Iterable<string>): CountedText {
  const counts = new Map<string, number>();
  let length = 0;
  for (const text of texts) length += text.length;
  for (const term of terms) {
    const count = texts.reduce((sum, text) => sum + (text.counts.get(term) ?? 0), 0);
    if (count > 0) counts.set(term, count);
  }
  return { counts, length };
}
