/** One request to forget names several things; what is said anew behind it is none of them. */
import { describe, expect, it } from 'vitest';
import { partsAsked } from '../../src/capture/forget/parts-asked.ts';

describe('the parts of a request to forget', () => {
  it.each([
    ['Forget my address and my phone number.', ['my address', 'my phone number']],
    ['Please forget where I live and where I work.', ['where I live', 'where I work']],
    ['Forget my phone, my email and my address', ['my phone', 'my email', 'my address']],
    [
      'Forget that I have asthma and that I live in Rome.',
      ['that I have asthma', 'that I live in Rome'],
    ],
    ['Forget that I have asthma and live in Rome.', ['that I have asthma', 'that I live in Rome']],
    ["Forget my wife's name and my asthma, thanks.", ["my wife's name", 'my asthma']],
    ['Can you forget my birthday as well as where I live?', ['my birthday', 'where I live']],
    ['Please forget my birthday as well as where I live.', ['my birthday', 'where I live']],
    ['Delete my address and my phone from your memory.', ['my address', 'my phone']],
    [
      "Forget that I'm vegan, and also that I have asthma.",
      ["that I'm vegan", 'that I have asthma'],
    ],
  ])('%s', (said, parts) =>
    expect(partsAsked(said)).toEqual(parts.map((part) => `forget ${part}`)),
  );

  it.each([
    'Forget my address.',
    'Forget my address, my new one is 12 Elm Row.',
    'Forget my address and my dog is Rex.',
    'Forget that I like rock and roll.',
    'Forget that I have a cat and a dog.',
    'Forget that I live in Rome, I moved to Bern.',
    "Don't forget my address and my phone number.",
    'Delete my address and my phone number.',
    'Forget my address and remember my phone number.',
    'I forget my keys and my phone all the time.',
    'I live in Rome and my wife works in Bern.',
  ])('none: %s', (said) => expect(partsAsked(said)).toBeNull());
});
