/** Where the clauses of a sentence begin. */
import type { Token } from './match.ts';
import { isInNumber } from './values.ts';

const JOINING: ReadonlySet<string> = new Set('and so but then now instead'.split(' '));
const TITLES: ReadonlySet<string> = new Set('dr mr mrs ms prof st'.split(' '));

/** A mark of a clause stands between the two words. */
export function isCut(text: string, before: Token, after: Token): boolean {
  const gap = text.slice(before.end, after.start);
  if (isInNumber(text, before.end, after.start)) return false;
  return TITLES.has(before.word) ? /[,;:]/.test(gap) : /[,;:.!?–—]| - /.test(gap);
}

export interface Clauses {
  readonly before: readonly Token[];
  /** Without the words that join it to what is before it. */
  readonly after: readonly Token[];
}

/** Each way to cut the sentence in two, the first one first. */
export function* clausePairs(tokens: readonly Token[], text: string): Generator<Clauses> {
  for (let at = 1; at < tokens.length - 1; at += 1) {
    const [last, first] = [tokens[at - 1], tokens[at]];
    if (!last || !first) continue;
    const isJoint = JOINING.has(first.word) && !JOINING.has(last.word);
    if (!isJoint && !isCut(text, last, first)) continue;
    let from = at;
    while (from < tokens.length - 2 && JOINING.has(tokens[from]?.word ?? '')) from += 1;
    yield { before: tokens.slice(0, at), after: tokens.slice(from) };
  }
}
