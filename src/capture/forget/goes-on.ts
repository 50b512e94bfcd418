/**
 * `Forget my diet. And my cats.`: a sentence without a verb goes on with the request before it,
 * and asks as that one does. One that says something (`And my cats are fine.`) is no part of it.
 * English.
 */
import { type Sentence, sentenceOf } from '../sentences/sentence.ts';
import { asksToForget } from './asked-to-forget.ts';
import { isPart } from './parts-asked.ts';

const MORE = /^(?:and|or|plus|also|as well as)(?: (?:also|please|then|about|forget about))* (.+)$/i;
const TOO = /^(.+?),? (?:too|as well|also)$/i;
const COURTESY = /,? (?:please|pls|thanks|thank you)$/i;
const MOST_READ = 80;

/** In order, at their places; what goes on with a request is that request in full. */
export function withContinued(sentences: readonly Sentence[]): readonly Sentence[] {
  const read: Sentence[] = [];
  for (const sentence of sentences) {
    const [before] = read.slice(-1);
    const more = before === undefined ? null : partIn(sentence.text);
    const asks =
      more !== null && before !== undefined && asksToForget(before)
        ? sentenceOf(`Forget ${more}`, sentence.start)
        : null;
    read.push(asks === null ? sentence : { ...asks, end: sentence.end });
  }
  return read;
}

function partIn(text: string): string | null {
  if (text.length > MOST_READ) return null;
  const said = text.replace(/[.!\s]{1,5}$/u, '').replace(COURTESY, '');
  const part = (MORE.exec(said) ?? TOO.exec(said))?.[1]?.replace(TOO, '$1');
  return part !== undefined && isPart(part) ? part : null;
}
