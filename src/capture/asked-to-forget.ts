/**
 * `Please forget that I have diabetes`: what is said is not to be kept, and what was kept of it
 * goes with it. It is found by its words, where its speaker said the same. English.
 */
import { plainText } from './plain-text.ts';
import type { Sentence } from './sentence.ts';
import { tokensOf } from './slots/match.ts';
import { strip } from './strip.ts';

const ASKS =
  /^(?:(?:please|pls|and|but|so|ok|okay|oh|hey|hi|now|just|also|actually|then|no|sorry|can you|could you|would you|will you|you can|you may|you should|i want you to|i need you to|i would like you to) )*(?:forget|disregard|erase|delete|remove)(?: about)? (?:(?:the fact )?that (?=(?:i|my|we|our) )|(?=(?:i|we) (?!(?:have )?(?:said|told|mentioned|wrote|written|asked|just|ever|even) )))/;
/** Most sentences have none of them, and are read no further. */
const VERBS = /forget|disregard|erase|delete|remove/i;
const COURTESY = /(?: (?:please|pls|thanks|thank you|again|ok|okay|now))+$/;
const MOST_READ = 240;

export const plainWords = (text: string): string =>
  tokensOf(plainText(text))
    .map(({ word }) => word)
    .join(' ');

/** The statement that is to be forgotten, in plain words; null = nothing is asked for. */
function statementAsked({ text }: Sentence): string | null {
  if (!VERBS.test(text)) return null;
  const [clause = ''] = text.slice(0, MOST_READ).split(/[,;:–—](?= )/u, 1);
  for (const said of [plainWords(clause), plainWords(text.slice(0, MOST_READ))]) {
    const asks = ASKS.exec(said);
    if (asks) return said.slice(asks[0].length).replace(COURTESY, '');
  }
  return null;
}

export const asksToForget = (sentence: Sentence): boolean => statementAsked(sentence) !== null;

/** By what sentences ask to forget, in plain words: where each begins. */
export type Asked = ReadonlyMap<string, number>;
export const statementsAsked = (sentences: readonly Sentence[]): Asked =>
  new Map(
    sentences.flatMap((sentence) => {
      const asked = statementAsked(sentence);
      return asked === null ? [] : [[asked, sentence.start] as const];
    }),
  );

/** Where the sentence begins that asks to forget this one; null = none does. */
export function askedAt(sentence: Sentence, asked: Asked): number | null {
  if (asked.size === 0) return null;
  return asked.get(plainWords(strip(sentence).sentence.text)) ?? null;
}
