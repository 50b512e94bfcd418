/**
 * A prompt as several questions: each of its sentences that says enough is searched for by itself,
 * because one vector of many sentences is near to none of them.
 */

/** A sentence of fewer characters says too little to be searched for (seed 001: over 15). */
const SHORT_CHARS = 15;
/** Searches of one prompt. What is asked mostly stands at its end, so the last ones are kept. */
const MOST_SUB_QUERIES = 8;
const SENTENCE_END = /(?<=[.!?…])\s|(?<=[。！？])|[\r\n]/u;

export interface SubQueries {
  /** In the order of the prompt, none twice; empty = the query is. */
  readonly texts: readonly string[];
  /** Long enough, but more than are searched for. */
  readonly leftOut: number;
}

/** The sentences of more than 15 characters; where there is none, the whole query. */
export function subQueries(query: string): SubQueries {
  const whole = query.trim();
  if (whole === '') return { texts: [], leftOut: 0 };
  const sentences = whole.split(SENTENCE_END).map((sentence) => sentence.trim());
  const long = [...new Set(sentences.filter((sentence) => sentence.length > SHORT_CHARS))];
  if (long.length === 0) return { texts: [whole], leftOut: 0 };
  return {
    texts: long.slice(-MOST_SUB_QUERIES),
    leftOut: Math.max(0, long.length - MOST_SUB_QUERIES),
  };
}
