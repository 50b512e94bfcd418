/** What its speaker is not sure of, or what another wants: it is stated by nobody. */

import { begins, has, hasAny, type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { slotOf } from '../slots/slot.ts';
import * as rules from './gate-rules.ts';

export const isUncertain = (whole: Sentence): boolean => {
  if (!mayDoubt(whole)) return false;
  const sentence = withoutAside(whole);
  return isUnsure(sentence) || isAdvised(sentence.words);
};
/** `My new therapist is Ada, she seems kind`: how they seem is no doubt of who they are. */
function withoutAside(sentence: Sentence): Sentence {
  const slot = slotOf(sentence);
  const tail = slot === null ? '' : sentence.text.slice(slot.end);
  const aside = ASIDE.exec(tail)?.[0] ?? '';
  if (aside === '') return sentence;
  return sentenceOf(sentence.text.slice(0, sentence.text.length - aside.length), sentence.start);
}
/** From the mark on, four words at least: `, I think` is a doubt. */
const ASIDE =
  /(?:,|;| [-–—]) (?!or\b|if\b|but\b|though\b|unless\b|i\b)[\p{L}'’]+(?: [^ ]+){3,40}$|, (?:she|he|they) \p{L}+(?: [^ ]+){0,3}$/iu;
/** What has none of these is sure without its aside as well: it spares the reading of a slot. */
const mayDoubt = (sentence: Sentence): boolean =>
  has(sentence, 'would') ||
  begins(sentence, ['if']) ||
  hasAny(sentence, rules.UNCERTAIN) ||
  isAdvised(sentence.words);
const isUnsure = (sentence: Sentence): boolean =>
  hasAny(sentence, rules.UNCERTAIN) ||
  (has(sentence, 'would') && !hasAny(sentence, ['would prefer', 'would rather', 'would like'])) ||
  (begins(sentence, ['if']) && !hasAny(sentence, rules.ALL_TIMES));

/** `Bob said that I should move`: what another wants. */
export function isAdvised(words: readonly string[]): boolean {
  const said = words.findIndex((word) => ADVISES.test(word));
  return said !== -1 && words.findLastIndex((word) => SHOULD.test(word)) > said;
}
const SHOULD = /^should(?:'|$)/;
const ADVISES = /^(?:thinks?|says?|said|reckons?|believes?|tells?|told)$/;
