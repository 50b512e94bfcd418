/**
 * `Please forget that I have diabetes`: what is said is not to be kept, and what was kept of it goes
 * with it. It is found by its words, where its speaker said the same. English.
 */
import { plainText } from './plain-text.ts';
import type { Segment } from './segments.ts';
import { type Sentence, wordsOf } from './sentence.ts';
import { strip } from './strip.ts';

const ASKS =
  /^(?:(?:please|pls|and|but|so|ok|okay|oh|hey|hi|now|just|also|actually|then|no|sorry|can you|could you|would you|will you|you can|you may|you should|i want you to|i need you to|i'd like you to) )*(?:forget|disregard|erase|delete|remove)(?: about)? (?:(?:the fact )?that (?=(?:i|i'm|i've|i'd|my|we|we're|we've|our) )|(?=(?:i|i'm|i've|we|we're|we've) (?!said |told |mentioned |wrote |asked |just |ever |even )))/;
const COURTESY = /(?: (?:please|pls|thanks|thank you|again|ok|okay|now))+$/;
const MOST_READ = 240;

const plainWords = (text: string): string => wordsOf(plainText(text)).join(' ');

/** The statement that is to be forgotten, in plain words; null = nothing is asked for. */
function statementAsked({ text }: Sentence): string | null {
  const [clause = ''] = text.slice(0, MOST_READ).split(/[,;:–—](?= )/u, 1);
  for (const said of [plainWords(clause), plainWords(text.slice(0, MOST_READ))]) {
    const asks = ASKS.exec(said);
    if (asks) return said.slice(asks[0].length).replace(COURTESY, '');
  }
  return null;
}

export const asksToForget = (sentence: Sentence): boolean => statementAsked(sentence) !== null;

/** By what the pieces of a turn ask to forget, in plain words: where each piece begins. */
export type Asked = ReadonlyMap<string, number>;
export const statementsAsked = (segments: readonly Segment[]): Asked =>
  new Map(
    segments.flatMap(({ kind, sentence }) => {
      const asked = kind === 'sentence' ? statementAsked(sentence) : null;
      return asked === null ? [] : [[asked, sentence.start] as const];
    }),
  );

/** A piece that makes one of these statements. */
export const isOneOf = (sentence: Sentence, asked: Asked): boolean =>
  askedAt(sentence, asked) !== null;

/** Where the piece begins that asks to forget it; null = none does. */
export function askedAt(sentence: Sentence, asked: Asked): number | null {
  if (asked.size === 0) return null;
  return asked.get(plainWords(strip(sentence).sentence.text)) ?? null;
}
