/** Corrections and requests in few words. */
import { expect, it } from 'vitest';
import { matterAsked, matterOf, statementsOf } from '../../src/capture/forget/forget-about.ts';
import { isAnswerStyle } from '../../src/capture/gate/answer-style.ts';
import { fewWordsIn } from '../../src/capture/sentences/few-words.ts';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { strip } from '../../src/capture/sentences/strip.ts';
import { lengthWithoutTail } from '../../src/capture/sentences/untold.ts';

it.each([
  ["sorry, it's Basel not Bern", 'Basel, not Bern', false],
  ['Basel, not Bern.', 'Basel, not Bern', false],
  ['not Bern, Basel', 'Basel, not Bern', false],
  ['oops, the blue one, not the green one', 'the blue one, not the green one', false],
  ['nah, green actually', 'green', true],
  ['green, my bad', 'green', true],
  ['hm, dark green actually', 'dark green', true],
  ['no, Basel', 'Basel', true],
  ['Sorry, New York.', 'New York', true],
])('%s corrects to %s', (said, text, isWeak) => {
  expect(fewWordsIn(said)).toEqual({ text, isWeak });
});

it.each([
  'Thanks, sorry',
  'great actually',
  "I'm fine actually",
  'no, not really',
  'sorry, tom',
  'Sorry, Basel is too far',
  'no, Bern and Basel',
  'sorry, thanks',
  'no, use pnpm',
  'typo, sorry',
  'not bad, thanks',
  "it's fine, not urgent",
  'not yet, sorry',
  'Basel, not Bern?',
  'make it short, not long',
])('%s corrects nothing', (said) => expect(fewWordsIn(said)).toBeNull());

const styleOf = (text: string): string | null => {
  const { sentence } = strip(sentenceOf(text, 0));
  return isAnswerStyle(sentence) ? sentence.text : null;
};
it.each([
  ['can you keep your answers short', 'keep your answers short'],
  ['Could you please keep your answers short?', 'keep your answers short'],
  ['would you please not use emojis?', "don't use emojis"],
  ['could you use fewer bullet points', 'use fewer bullet points'],
  ["I'd like you to answer briefly, please", 'answer briefly'],
  ['can you give me shorter answers', 'give me shorter answers'],
])('%s asks for a standing style', (said, text) => expect(styleOf(said)).toBe(text));

it.each([
  'can you answer this question',
  'can you keep this short',
  'can you keep your answer short',
  'could you answer the email briefly',
  'can you explain this briefly',
  'could you use this emoji in the mail',
])('%s is of one text', (said) => expect(styleOf(said)).toBeNull());

it.each([
  ['forget what I said about being vegan', 'being vegan'],
  ['Please forget the thing about Bern.', 'bern'],
  ['could you forget everything I told you about my sister?', 'my sister'],
  ['forget the thing I mentioned about living in Bern', 'living in bern'],
  ['delete what you know about my allergy', 'my allergy'],
  ['forget what I said about me being vegan, please', 'being vegan'],
])('%s names a matter', (said, matter) => expect(matterAsked(said)).toBe(matter));

it.each([
  "don't forget what I said about Bern",
  'did you forget what I said about Bern?',
  'I always forget what I said about Bern',
  'forget what she said about Bern',
  'forget about the meeting',
  'forget the milk',
])('%s names none', (said) => expect(matterAsked(said)).toBeNull());

it('knows what cannot be told by its words', () => {
  for (const matter of ['it', 'that', 'me', 'today']) expect(matterOf(matter)).toBeNull();
  expect(statementsOf('being vegan')).toEqual(['i am vegan']);
  expect(statementsOf('living in bern')).toContain('i live in bern');
  expect(statementsOf('the wedding of tom')).toEqual([]);
});

it('cuts in linear time', () => {
  const start = performance.now();
  for (const words of ['forgot to ', 'and just so ', ', totally ', 'not x, ', 'actually '])
    for (const read of [lengthWithoutTail, fewWordsIn, matterAsked]) read(words.repeat(4000));
  expect(performance.now() - start).toBeLessThan(2000);
});
