/** Words and their places: of those that begin no sentence alone a capital says something. */

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;
/** Capitals alone are an abbreviation, or a text that is shouted. */
const CAPITALISED = /^\p{Lu}\p{Ll}/u;
const CONTRACTED_I = /^I['’]/;
const SENTENCE_END = /[.!?:\n]/;
/** What stands before a name, with a full stop that ends no sentence. */
const TITLE = /^(?:Mr|Mrs|Ms|Dr|Prof|St)$/;

export interface SentenceWord {
  readonly word: string;
  /** It begins no sentence and is no title such as `Dr`. */
  readonly isInner: boolean;
  /** An inner word with a capital. */
  readonly isCapitalised: boolean;
}

/** In the order of the text. */
export function* sentenceWords(text: string): Generator<SentenceWord> {
  let last: { readonly word: string; readonly end: number } | null = null;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const isFirst: boolean =
      last === null || (SENTENCE_END.test(text.slice(last.end, index)) && !TITLE.test(last.word));
    last = { word, end: index + word.length };
    const isInner = !isFirst && !TITLE.test(word);
    const isCapitalised = isInner && CAPITALISED.test(word) && !CONTRACTED_I.test(word);
    yield { word, isInner, isCapitalised };
  }
}
