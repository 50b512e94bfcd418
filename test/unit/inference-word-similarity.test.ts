import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadWordSimilarity, wordSimilarity } from '../../src/inference/word-similarity.ts';
import { loadWordTable, ROW_LENGTH } from '../../src/inference/word-table.ts';

const similarity = await loadWordSimilarity();
const { rows } = await loadWordTable();

describe('word similarity', () => {
  it('stays the same from release to release', () => {
    const pairs = [
      'dog puppy',
      'car automobile',
      'kids children',
      'sunrise sunset',
      'happy sad',
      'car opera',
    ].map((pair) => pair.split(' '));
    const shown = pairs.map(([a = '', b = '']) => `${a} ${b} ${similarity(a)(b).toFixed(6)}`);
    expect(shown).toMatchInlineSnapshot(`
      [
        "dog puppy 0.737188",
        "car automobile 0.569517",
        "kids children 0.755499",
        "sunrise sunset 0.721054",
        "happy sad 0.389698",
        "car opera -0.040596",
      ]
    `);
  });

  it('is symmetric, within -1..1, and 1 of a word with itself', () => {
    const word = fc.constantFrom(...rows.keys());
    fc.assert(
      fc.property(word, word, (a, b) => {
        const close = similarity(a)(b);
        expect(similarity(b)(a)).toBe(close);
        expect(Math.abs(close)).toBeLessThanOrEqual(a === b ? 1 : 1 + 1e-6);
        expect(similarity(a)(a)).toBe(1);
      }),
    );
  });

  it('knows nothing of words outside the table but that they are themselves', () => {
    expect([
      similarity('zyxxor')('zyxxor'),
      similarity('zyxxor')('dog'),
      similarity('dog')('zyxxor'),
    ]).toEqual([1, 0, 0]);
    expect([
      similarity('')('dog'),
      similarity('constructor')('toString'),
      similarity('dog')('__proto__'),
    ]).toEqual([0, 0, 0]);
  });

  it('compares directions: the length of a row does not matter', () => {
    const vectors = new Int8Array(3 * ROW_LENGTH);
    vectors.fill(100, 0, ROW_LENGTH);
    vectors.fill(3, ROW_LENGTH, 2 * ROW_LENGTH);
    vectors.fill(-127, 2 * ROW_LENGTH);
    const names = new Map([
      ['long', 0],
      ['short', 1],
      ['away', 2],
    ]);
    const compare = wordSimilarity({ rows: names, vectors, scales: new Float32Array(3) })('long');
    expect(compare('short')).toBeCloseTo(1, 6);
    expect(compare('away')).toBeCloseTo(-1, 6);
  });
});
