import { expect, it } from 'vitest';
import { isCourtesy } from '../../src/scoring/courtesy.ts';

it.each([
  'hi',
  'Hi!',
  'hello there',
  'Hey, good morning!',
  'how are you?',
  'thanks!',
  'ok thanks',
  'Thank you so much for your help',
  'great, thank you!',
  'Bye, see you tomorrow.',
  'Have a nice day',
  'Danke dir!',
  'Vielen Dank für die Hilfe',
  'Guten Morgen zusammen',
  'Merci beaucoup',
  '¡Muchas gracias!',
  'Привет!',
  '你好',
  'ありがとうございます',
  '👍',
  '…',
])('takes `%s` for a courtesy', (message) => {
  expect(isCourtesy(message)).toBe(true);
});

it.each([
  '',
  ' ',
  'yes',
  'yes please',
  'ok',
  'no',
  'go on',
  'why?',
  'who am I?',
  'what do you know about me?',
  'hi, what is my dog called?',
  'hi Mara',
  'thanks, when are thank-you notes sent?',
  'thank you notes',
  'Danke, und wann öffnet die Halle?',
  'What does "merci" mean?',
  'Where is the welcome desk?',
  '7',
  'see you at the harvest',
  'hey 👍 the deploy is green',
  '你好，明天几点开会？',
  `${'hi '.repeat(60)}`,
])('takes `%s` for none', (message) => {
  expect(isCourtesy(message)).toBe(false);
});
