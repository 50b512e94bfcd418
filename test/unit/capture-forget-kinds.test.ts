/** Which things of a kind, and which names, a request to forget is of. */
import { expect, it } from 'vitest';
import {
  bareNameAsked,
  holdsName,
  isOffered,
  smallNameAsked,
} from '../../src/capture/forget/bare-name.ts';
import { isOfKind, kindAsked } from '../../src/capture/forget/owned-kinds.ts';

it.each([
  ['Forget my pets', 'I have a dog called Rex and a cat called Tom.'],
  ['Forget my pets', 'My dog Rex is 3.'],
  ['forget about my kids', 'My son is called Max.'],
  ['Forget my children', 'I have no kids.'],
  ['Forget my cats.', "My cat's name is Tom."],
  ['Forget my bikes', 'I own three bikes.'],
  ['Please forget my contact details', 'My email is a@b.de.'],
  ['Forget my siblings', 'We have two brothers.'],
  ['Forget my hobbies', 'My hobbies are chess and rowing.'],
  ['Forget my health', "I'm severely allergic to nuts."],
  ['Forget my health', 'I was diagnosed with coeliac disease.'],
  ['forget my health data, please', 'I have a nut allergy.'],
  ['Forget everything you know about my health', 'I take 20 mg of ramipril.'],
  ['Forget my medical history', 'I suffer from migraines.'],
  ['Forget my medical conditions', 'My blood pressure is high.'],
  ['forget what I told you about my health', 'I am on levothyroxine for my thyroid.'],
  ['Forget my health', "I don't have asthma."],
])('is of it: %s %s', (asked, said) =>
  expect(isOfKind(kindAsked(asked) ?? '', said, null)).toBe(true),
);

it.each([
  ['Forget my pets', 'I want a cat.'],
  ['Forget my pets', 'My sister has a dog.'],
  ['Forget my pets', 'My dog walker is Bo.'],
  ['Forget my pets', "My sister's dog is called Rex."],
  ['Forget my cats', 'I like cats.'],
  ['Forget my cats', 'I have a dog.'],
  ['Forget my cats', 'I have two cats and a car.'],
  ['Forget my kids', 'I have two kids and I live in Rome.'],
  ['Forget my kids', 'I work with kids.'],
  ['Forget my kids', 'I have a photo of my son.'],
  ['Forget my contact details', 'My lucky number is 7.'],
  ['Forget my contact details', 'I live in Rome.'],
  ['Forget my health', 'My sister has asthma.'],
  ['Forget my health', 'I take the bus.'],
  ['Forget my health', 'I am on the board.'],
  ['Forget my health', 'I have a headset.'],
  ['Forget my health', 'I have asthma and I live in Rome.'],
  ['Forget my health', 'I am diabetic but work at a bakery.'],
  ['Forget my health', 'My dentist is Dr. Silva.'],
])('is not of it: %s %s', (asked, said) =>
  expect(isOfKind(kindAsked(asked) ?? '', said, null)).toBe(false),
);

it.each([
  'Forget my last messages',
  'Forget my instructions',
  'Forget my boss',
  'Forget my health insurance',
  'Delete my health records',
  'Forget everything about the health of my mother',
  'I forget my keys',
])('names no kind: %s', (text) => expect(kindAsked(text)).toBe(null));

it.each([
  ['Forget about Siemens', 'siemens'],
  ['Please forget Rex, thanks.', 'rex'],
  ['Forget New York!', 'new york'],
  ['Forget about dinner', null],
  ['Forget it', null],
  ['Forget Monday', null],
  ['Forget Siemens, I meant Bosch', null],
  ["Don't forget Rex", null],
  ['I forget Rex', null],
])('names one: %s', (text, name) => expect(bareNameAsked(text)).toBe(name));

it.each([
  ['forget about siemens', 'name siemens'],
  ['forget new york please', 'name new york'],
  ['forget it', null],
  ['forget about Siemens', null],
  ['forget my boss', null],
  ['forget the bus', null],
  ['i forget names', null],
])('names one in small letters: %s', (text, name) => expect(smallNameAsked(text)).toBe(name));

it('is of what is written as a name', () => {
  expect(holdsName('siemens', 'Ada works at Siemens.')).toBe(true);
  expect(holdsName('siemens', "Ada likes Siemens's gym.")).toBe(true);
  expect(holdsName('tea', 'Ada likes tea.')).toBe(false);
  expect(holdsName('tea', 'Tea is good.')).toBe(false);
});

it('is of what was offered, and not of what is known', () => {
  expect(isOffered('Forget Paris.', 'How about Paris or Rome?')).toBe(true);
  expect(isOffered('Forget Paris.', 'I know that you live in Paris.')).toBe(false);
  expect(isOffered('forget paris', 'How about Paris or Rome?')).toBe(true);
  expect(isOffered('Forget Paris.', undefined)).toBe(false);
});
