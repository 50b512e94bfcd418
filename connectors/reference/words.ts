/** The words of a text, for the lexical signal of the oracle: lower-case runs of letters and digits, English stop words dropped. */

/** As much of a text as is searched: the limit of the full-text column of the ledger. */
const SEARCHED_CHARS = 200_000;
const STOP_WORDS = new Set(
  'a about above after again all am an and any are as at be because been before being below between both but by can did do does doing down during each few for from further had has have having he her here hers him his how i if in into is it its just me more most my no nor not now of off on once only or other our out over own same she should so some such than that the their them then there these they this those through to too under until up very was we were what when where which while who whom why will with you your'.split(
    ' ',
  ),
);

export function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .slice(0, SEARCHED_CHARS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)));
}

/** The share of the query's words that the text has; 0 for a query of stop words. */
export function shareOfWords(query: ReadonlySet<string>, text: ReadonlySet<string>): number {
  let present = 0;
  for (const word of query) if (text.has(word)) present += 1;
  return query.size === 0 ? 0 : present / query.size;
}
