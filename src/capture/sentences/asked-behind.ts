/** A clause that asks something, behind one that states something. English. */

/** `what APR should I expect`; `where I live`, `which is near` and `who is nice` ask nothing. */
export const ASKED =
  "(?:is (?:it|that|there)|are there|how (?:do|can|should|much|long|many)|(?:can|could|would|will) you|what(?: (?:do|does|should|is|are|would)|['’]?s)|(?:what|which) [\\p{L}-]+ (?:do|does|should|can|could|would|will|is|are)|(?:where|when|why) (?:do|does|can|should)|should (?:I|we)|am I|do (?:I|you|we)) ";
const QUESTION = new RegExp(`^${ASKED}`, 'iu');
const LEAST_WORDS = 3;

/** `Been keto since May, is that bad`: what is asked at the end is no part of what is stated. */
export const isAskedBehind = (
  { words }: { readonly words: readonly string[] },
  after: string,
): boolean => words.length >= LEAST_WORDS && QUESTION.test(after);

const ASKS_FOR =
  /^(?:(?:and|so|ok|okay|then|now|also|oh),? )*(?:(?:can|could|will|would) (?:you|u|we)|pl[sz]|please) /iu;

/** `Can you plan round that and my days off`: a thing more that is asked for. */
export const isMoreAsked = ({ text }: { readonly text: string }, after: string): boolean =>
  ASKS_FOR.test(text) && /^(?:my|our|the) /iu.test(after);
