/** A clause that asks something, behind one that states something. English. */

const QUESTION =
  /^(?:is (?:it|that|there)|are there|how (?:do|can|should|much|long|many)|(?:can|could|would|will) you|what(?: (?:do|should|is|are|would)|['’]?s)|where (?:do|can|should)|should (?:I|we)|do (?:I|you|we)) /iu;
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
