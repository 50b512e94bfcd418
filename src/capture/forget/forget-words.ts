/** How a person asks to forget something, before what it is. English. */
import { plainText } from '../sentences/plain-text.ts';
import { tokensOf } from '../slots/match.ts';

const POLITE =
  'please|pls|and|but|so|ok|okay|oh|hey|hi|now|just|also|actually|then|no|sorry|can you|could you|' +
  'would you|will you|you can|you may|you should|i want you to|i need you to|i would like you to';
/** From the beginning of a sentence, in plain words. */
export const REQUEST = `^(?:(?:${POLITE}) )*`;
/** Most sentences have none of them, and are read no further. */
const VERBS = /forget|disregard|erase|delete|remove/i;
const COURTESY = /(?: (?:please|pls|thanks|thank you|again|ok|okay|now))+$/;
const MOST_READ = 240;

export const plainWords = (text: string): string =>
  tokensOf(plainText(text))
    .map(({ word }) => word)
    .join(' ');

/** What may ask: the first clause and the whole, in plain words; none where nothing is asked. */
export function requestsIn(text: string): readonly string[] {
  if (!VERBS.test(text)) return [];
  const [clause = ''] = text.slice(0, MOST_READ).split(/[,;:–—](?= )/u, 1);
  return [plainWords(clause), plainWords(text.slice(0, MOST_READ))];
}

export const withoutCourtesy = (words: string): string => words.replace(COURTESY, '');
