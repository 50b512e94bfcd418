/** How a person wants to be talked with: one value each, and no rule made of what is for a part. */
import { describe, expect, it } from 'vitest';
import { isOfTopic, topicAsked } from '../../src/capture/forget/topic-asked.ts';
import { isAnswerStyle } from '../../src/capture/gate/answer-style.ts';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';
import { capturedOf } from '../support/capture-succession.ts';

const slotIn = (text: string): readonly (string | undefined)[] => {
  const slot = slotOf(sentenceOf(text, 0));
  return [slot?.name, slot?.value];
};
const classesOf = (text: string): readonly string[] =>
  capturedOf(text).map(({ class: memory }) => memory);

describe('the channel that a person prefers', () => {
  it.each([
    ['I prefer phone', 'phone'],
    ['I prefer email now.', 'email'],
    ['I prefer email over phone calls.', 'email'],
    ["I'd rather be contacted by email.", 'email'],
    ['I would prefer to be reached by phone', 'phone'],
    ['I prefer phone calls', 'phone'],
    ['The best way to reach me is by text.', 'text'],
  ])('has one value: %s', (text, value) =>
    expect(slotIn(text)).toEqual(['contact preference', value]),
  );

  it.each([
    'I prefer email for invoices.',
    'I prefer phone calls in the morning.',
    'I prefer phone cases in blue.',
    'I prefer chat bots to people.',
    'I prefer Teams over Zoom.',
    'I prefer tea.',
    'I prefer mail order shops.',
    'I prefer text editors with tabs.',
    'My wife prefers email.',
  ])('is not said by: %s', (text) => expect(slotIn(text)[0]).not.toBe('contact preference'));
});

describe('an order of how to answer', () => {
  it.each([
    'please answer briefly',
    'Answer briefly.',
    'Reply concisely please',
    'answer in french from now on',
    'From now on, please answer me in Dutch.',
    'Always reply in German.',
    'write to me in Spanish from now on',
    'Please respond in English by default.',
    'make your answers longer',
    'Please make your answers a bit shorter.',
    'please be brief',
    'Be more detailed from now on.',
    'can you answer briefly?',
    'in English again',
    'use emojis again',
  ])('is a rule: %s', (text) => expect(classesOf(text)).toEqual(['rule']));

  it.each([
    'Answer him briefly.',
    'Reply to the email in German.',
    'Answer in French.',
    'answer the phone from now on',
    'Answer in detail.',
    'Speak to my manager from now on in meetings.',
    'Write the letter in Spanish.',
    'Briefly.',
    'Make your answers longer in the summary.',
    'Make the intro shorter.',
    'Be careful.',
    'Say that in English again.',
    'Use emojis.',
  ])('for the moment, or to somebody else, is none: %s', (text) =>
    expect(isAnswerStyle(sentenceOf(text, 0))).toBe(false),
  );

  it.each([
    ['answer in french from now on', 'answer language', 'french'],
    ['please answer me in Dutch from now on', 'answer language', 'dutch'],
    ['answer briefly', 'answer length', 'brief'],
    ['make your answers longer', 'answer length', 'long'],
    ['be less detailed', 'answer length', 'short'],
    ['be brief please', 'answer length', 'brief'],
    ['in English again', 'answer language', 'english'],
    ["don't use emojis", 'answer emoji', 'no'],
    ['use emojis again', 'answer emoji', 'yes'],
  ])('has one value: %s', (text, name, value) => expect(slotIn(text)).toEqual([name, value]));

  it('is kept in its own words', () => {
    const [only] = capturedOf('answer in French from now on');
    expect(only?.content).toBe('Answer in French from now on.');
    expect(only?.isDirect).toBe(true);
  });
});

describe('to forget a language', () => {
  it.each([
    ['forget which language I speak', 'language'],
    ['Please forget what languages I speak.', 'language'],
    ['forget my language', 'language'],
    ['Forget which car I drive.', 'car'],
  ])('%s asks for %s', (text, slot) => expect(topicAsked({ text })).toBe(slot));

  it.each([
    'Forget which language they speak.',
    'I forget which language it was.',
    'Forget which one I said.',
  ])('is not asked for by: %s', (text) => expect(topicAsked({ text })).toBeNull());

  it.each([
    ['I speak German.', 'said'],
    ["I'm fluent in Dutch.", 'said'],
    ['Ada speaks German.', 'kept'],
    ['Ada and others speak German.', 'kept'],
    ['Ada is fluent in Dutch.', 'kept'],
  ] as const)('takes what is said without a slot: %s', (text, how) =>
    expect(isOfTopic('language', text, how)).toBe(true),
  );

  it.each([
    ['My sister speaks German.', 'said'],
    ['Tom speaks German.', 'said'],
    ['I spoke at a fair.', 'said'],
    ["Ada's sister speaks German.", 'kept'],
    ['Ada likes tea.', 'kept'],
  ] as const)('leaves: %s', (text, how) => expect(isOfTopic('language', text, how)).toBe(false));
});
