/**
 * Whether a statement runs on into the next one, as it is dictated or typed in haste: where it ends
 * and the next begins, nobody can tell, so its words together may say what neither says.
 */
import type { Sentence } from '../sentences/sentence.ts';

export const isRunOn = ({ text, words }: Pick<Sentence, 'text' | 'words'>): boolean =>
  (words.length > MOST_UNMARKED_WORDS && !/[,;:–—()]/u.test(text)) ||
  (!/[,;:–—()]/u.test(text) && beginsAnew(text)) ||
  LOOSE_TAIL.test(text);
const MOST_UNMARKED_WORDS = 18;

/** `I'm not going back to it I'm teetotal`: an object, and behind it a subject with its verb. */
const ANEW =
  /\b(?:it|them|him|her|me|us|too|either|anymore|though|tho|weeks?|months?|years?|days?) (?:i|i['’]m|im|i['’]ve|ive|we|we['’]re|he['’]s|she['’]s|they['’]re) (?!think|thought|guess|suppose|believe|reckon|hope|swear|know|mean|say|said)\p{L}/iu;
/** `off Tunde he gave us his old one` */
const NAMED_TWICE = /(?<=\p{L} )(?!I\b)\p{Lu}\p{Ll}{1,30} (?:he|she)(?:['’](?:s|d|ll))? \p{Ll}/u;
/** `When I met him I moved`: what begins so has two clauses. */
const HAS_TWO =
  /\b(?:when|since|if|because|after|before|until|once|while|whenever|wherever|as|thanks|due|with|without|that|who|which|what|where|how|why|says?|said|told|thinks?|thought|knows?|knew|hopes?|and|but|or|so)\b/iu;
const beginsAnew = (text: string): boolean => {
  const at = ANEW.exec(text)?.index ?? NAMED_TWICE.exec(text)?.index ?? -1;
  return at >= 0 && !HAS_TWO.test(text.slice(0, at));
};

/** `… so something I can eat too`, `… so typing with nine`: of the talk, and no clause. */
const LOOSE_TAIL =
  / (?:so|bc|cuz|coz) (?:not|no|idk|something|someone|maybe|yeah|hopefully|basically|please|pls|can|could|should|would|what|how|any|help|tell|give|make|\p{L}{2,12}ing)\b/iu;
