/**
 * Of a statement that tells what was and what is, the clause of what is: `Ada retired, and Bo is
 * my dentist now` is kept as `Bo is my dentist now`. Two names would be two answers.
 */
import type { KnownFact } from '../state.ts';
import { readingOf } from './reading.ts';

const CUT = /(?:[,;] (?:and|so|but|now)?|(?: and| so)) ?(?:that's why |now |then )?(?=\p{L}|\d)/gu;
/** What such a clause begins with stands before it. */
const HANGING =
  /^(?:they|he|she|it|that|this|these|those|who|which|not|has|have|had|is|are|was|were|will|been|being|to|of|in|on|at|for|from|with|by|as|or|nor|because|since|after|before|when|while|if|than|instead|also|only|just|\p{L}+(?:ed|ing))\b/iu;
const LEAST_WORDS = 4;

/** The statement itself where it has no such clause. */
export function newClause(content: string, of: KnownFact, subject: string): string {
  const { names } = readingOf(of);
  const cuts = [...content.matchAll(CUT)].map(
    ({ 0: { length }, index }) => [index, length] as const,
  );
  for (const [at, length] of cuts.toReversed()) {
    const [before, rest] = [content.slice(0, at), content.slice(at + length)];
    const [was, is] = [before, rest].map((each) => readingOf({ content: each, subject }));
    const isOfOld = [...names].some((name) => was?.names.has(name) || was?.stems.has(name));
    const isOfNew = is && is.names.size + is.measures.size > 0;
    const isApart = ![...names].some((name) => is?.stems.has(name));
    const stands = !HANGING.test(rest) && rest.split(' ').length >= LEAST_WORDS;
    if (isOfOld && isOfNew && isApart && stands)
      return rest.charAt(0).toUpperCase() + rest.slice(1);
  }
  return content;
}
