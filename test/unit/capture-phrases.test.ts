/** Words and phrases are found without an expression a character, as one would find them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginning, begins, hasAny } from '../../src/capture/sentences/phrases.ts';
import { sentenceOf, withApostrophe, wordsOf } from '../../src/capture/sentences/sentence.ts';
import { tokensOf } from '../../src/capture/times/day-words.ts';

/** Letters, what joins and cuts words, and what is no ASCII. */
const TEXT = fc.string({
  unit: fc.constantFrom(..."aZ09_'-. \n@|`{[/:^", 'dont', 'é', '’', 'Ω', 'K'),
  maxLength: 40,
});
const LETTER = /[\p{L}\p{M}\p{N}'_]+/gu;

describe('the words of a text', () => {
  it('are those between the marks, without the quotes around them', () => {
    const words = "'Tis o'clock', dont say ''it'' twice_over 2x -5!";
    expect(wordsOf(words)).toEqual([
      'tis',
      "o'clock",
      "don't",
      'say',
      "'it'",
      'twice_over',
      '2x',
      '5',
    ]);
    expect(wordsOf("' '' !")).toEqual([]);
  });

  it('are what an expression finds', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const plain = text.replaceAll(/[’‘]/g, "'").toLowerCase();
        const found = [...plain.matchAll(LETTER)].flatMap(([said]) => {
          const bare = said.replace(/^'/, '').replace(/'$/, '');
          return bare === '' ? [] : [withApostrophe(bare)];
        });
        expect(wordsOf(text)).toEqual(found);
      }),
    );
  });

  it('by which days are named have their places', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const found = [...text.matchAll(/[A-Za-z0-9-]+/g)].map(({ 0: said, index }) => ({
          ...{ word: said.toLowerCase(), start: index, end: index + said.length },
        }));
        expect(tokensOf(text)).toEqual(found);
      }),
    );
  });
});

describe('a phrase', () => {
  const sentence = sentenceOf('By the way, I live in Rome.', 0);

  it('is begun with as whole words, the longest of several', () => {
    expect(beginning(sentence, ['by', 'by the way', 'by the'])).toBe('by the way');
    expect(beginning(sentence, ['by the wa', 'the way', 'b'])).toBeNull();
    expect(begins(sentence, ['by the way i live in rome'])).toBe(true);
    expect(begins(sentenceOf('', 0), ['by'])).toBe(false);
  });

  it('stands in it as whole words, in a short list or a long one', () => {
    const long = Array.from({ length: 20 }, (_, at) => `none ${at}`);
    expect(hasAny(sentence, ['live in'])).toBe(true);
    expect(hasAny(sentence, [...long, 'live in'])).toBe(true);
    expect(hasAny(sentence, ['live i'])).toBe(false);
    expect(hasAny(sentence, [...long, 'live i'])).toBe(false);
  });
});
