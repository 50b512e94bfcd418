/**
 * `Ada's rent is 900 euros`, said by Ada: a line as memory writes it, which says `my rent`. The
 * span of the sentence stays as it was said.
 */
import { spokenName } from '../voices/speaker.ts';
import { type Sentence, sentenceOf } from './sentence.ts';

export function ofSpeaker(sentence: Sentence, author: string | null): Sentence {
  const name = spokenName(author);
  const rest = [`${name}'s `, `${name}’s `, ...(name.endsWith('s') ? [`${name}' `] : [])].find(
    (lead) => sentence.text.startsWith(lead),
  );
  if (author === null || rest === undefined) return sentence;
  const said = sentenceOf(`My ${sentence.text.slice(rest.length)}`, sentence.start);
  return { ...said, end: sentence.end };
}
