/**
 * Names in a question that the store has never heard of: the plainest sign that it is not about
 * this store. On LoCoMo, questions put to a conversation of other people name only strangers in 92
 * of 100 cases, questions about the conversation itself in 1 of 760.
 */
import { termsOf } from '../text/terms.ts';
import { isTimeWord } from './asked-time.ts';

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;
/** Capitals alone are an abbreviation, or a question that is shouted. */
const NAME = /^\p{Lu}\p{Ll}/u;
const CONTRACTED_I = /^I['’]/;
const POSSESSIVE = /['’]s?$/;
const SENTENCE_END = /[.!?:\n]/;
/** What stands before a name, with a full stop that ends no sentence. */
const TITLE = /^(?:Mr|Mrs|Ms|Dr|Prof|St)$/;
/** A question of more names is a pasted text. */
const MOST_NAMES = 32;

/**
 * Capitalised words inside a sentence, without months and days of the week. In German that is every
 * noun, so it is a share that counts.
 */
export function namesIn(query: string): readonly string[] {
  const names = new Set<string>();
  let last: { readonly word: string; readonly end: number } | null = null;
  for (const { 0: word, index } of query.matchAll(WORD)) {
    const isFirst: boolean =
      last === null || (SENTENCE_END.test(query.slice(last.end, index)) && !TITLE.test(last.word));
    last = { word, end: index + word.length };
    const name = word.replace(POSSESSIVE, '');
    if (
      !isFirst &&
      NAME.test(name) &&
      !TITLE.test(name) &&
      !CONTRACTED_I.test(word) &&
      !isTimeWord(name)
    )
      names.add(name);
    if (names.size === MOST_NAMES) break;
  }
  return [...names];
}

/** Share of the names whose every term the store lacks; 0 where the query names nothing. */
export function strangers(query: string, isMissing: (term: string) => boolean): number {
  const names = namesIn(query)
    .map(termsOf)
    .filter((terms) => terms.length > 0);
  return names.length === 0
    ? 0
    : names.filter((terms) => terms.every(isMissing)).length / names.length;
}
