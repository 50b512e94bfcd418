/** How a person asks to forget something, before what it is. English. */
import { plainText } from '../sentences/plain-text.ts';
import { tokensOf } from '../slots/match.ts';

const POLITE =
  'please|pls|kindly|and|but|so|ok|okay|oh|hey|hi|now|just|also|actually|really|then|no|sorry|' +
  '(?:can|could|would|will) you|you (?:can|may|should|must|will|need to|have to|ought to)|' +
  'i (?:really )?(?:want|need|would like|expect) you to|(?:make|be) sure (?:to|that you|you)';
/** From the beginning of a sentence, in plain words. */
export const REQUEST = `^(?:(?:${POLITE}) )*`;
/** Most sentences have none of them, and are read no further. */
const VERBS = /forget|disregard|erase|delete|remove|wipe|clear|reset|purge/i;
/** `Don't remember that I work at Acme`, `I don't want you to know where I work`. */
const NOT_KEPT =
  /^((?:(?:please|pls|and|but|so|actually|sorry),? )*)(?:(?:don['’]t|do not|never) (?:remember|save|store|record|memorize) (?=(?:the fact )?that (?:I|we|my|our)\b)|I (?:don['’]t|do not) want you to (?:remember|save|store|record|keep|memorize|know) (?=(?:(?:the fact )?that (?:I|we|my|our)|where I|what I|who I|how|when I|my)\b))/iu;
const COURTESY = /(?: (?:please|pls|thanks|thank you|again|ok|okay|now))+$/;
const MOST_READ = 240;

export const plainWords = (text: string): string =>
  tokensOf(plainText(text))
    .map(({ word }) => word)
    .join(' ');

/** What may ask: the first clause and the whole, in plain words; none where nothing is asked. */
export function requestsIn(said: string): readonly string[] {
  const text = said.slice(0, MOST_READ).replace(NOT_KEPT, '$1forget ');
  if (!VERBS.test(text)) return [];
  const [clause = ''] = text.split(/[,;:–—](?= )/u, 1);
  return [plainWords(clause), plainWords(text)];
}

export const withoutCourtesy = (words: string): string => words.replace(COURTESY, '');

/**
 * `Forget where I live and what I like`: nobody means it to be known, whatever else comes of it.
 * Where another clause goes on (`and always answer in French`), that is said as well.
 */
export function isToForget(text: string): boolean {
  if (!VERBS.test(text) || /[,;:–—] /u.test(text)) return false;
  return FORGETTING.test(plainWords(text.slice(0, MOST_READ)));
}
const OBJECT =
  '(?:that|where|when|what|who|whom|whose|which|how|why|everything|anything|all|my|our|i|we)';
const FORGETTING = new RegExp(
  `${REQUEST}forget (?:about )?${OBJECT} (?!.*\\b(?:and|but|then) (?!(?:about )?${OBJECT} ))`,
);

/** `I live in Rome with two cats`: to forget the home would lose the cats. Of what follows it. */
export const saysBeside = (behind: string): boolean => BESIDE.test(` ${plainWords(behind)}`);
const BESIDE = /^(?: \S+){0,6}? (?:with|where|who|whose|because|while|although|though) \S/u;
