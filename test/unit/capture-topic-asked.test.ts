/** The slot of which a sentence asks to keep nothing. */
import { expect, it } from 'vitest';
import { topicAsked } from '../../src/capture/forget/topic-asked.ts';

it.each([
  ['Forget where I live.', 'home'],
  ['Please forget my home.', 'home'],
  ['Can you forget where I work?', 'employer'],
  ['Forget what I do for a living, please.', 'occupation'],
  ['ok, forget about my diet', 'diet'],
  ['Forget my address, I moved.', 'address'],
  ['Forget what my birthday is.', 'birthday'],
  ['Forget when my birthday is.', 'birthday'],
  ["forget my wife's name", 'wife'],
  ['Delete my phone number from your memory.', 'phone'],
  ['Remove my email from what you know about me.', 'email'],
  ['Please erase my age from memory.', 'age'],
  ['Forget everything about my diet.', 'diet'],
])('%s asks to forget the slot %s', (text, slot) => {
  expect(topicAsked({ text })).toBe(slot);
});

it.each([
  ["Don't forget my birthday."],
  ['Never forget where I live.'],
  ['I always forget my phone number.'],
  ['Delete my account.'],
  ['Remove my address from the newsletter.'],
  ['Delete my email from Anna.'],
  ['Did you forget my name?'],
  ['You forget my name every time.'],
  ['Forget it.'],
  ['Forget what I said.'],
  ['My wife says: forget my birthday!'],
  ['Forget what she said about my dog and the neighbours in the garden.'],
])('%s asks for no slot', (text) => {
  expect(topicAsked({ text })).toBeNull();
});
