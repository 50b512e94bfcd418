import { describe, expect, it } from 'vitest';
import { closeness } from '../../src/scoring/word-closeness.ts';
import type { Lexicon } from '../../src/text/bm25.ts';

/** Distinct words of letters alone. */
const word = (n: number): string =>
  `zq${n.toString(26).replace(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? 'q')}`;
const words = Array.from({ length: 5_000 }, (_, n) => word(n));

function prepared(query: string, frequencies: Lexicon['frequencies']) {
  const asked: string[] = [];
  const close = closeness(query, {
    lexicon: { documents: 100, mean_length: 10, mean_document_length: 0, frequencies },
    nameTerms: new Set(),
    similarity: (own) => {
      asked.push(own);
      return (other) => (other === own ? 1 : 0.5);
    },
  });
  return { asked, close };
}

describe('closeness', () => {
  it('compares the 32 rarest words of a query, however long it is', () => {
    const common = Object.fromEntries(words.slice(0, 100).map((term) => [term, 90]));
    const { asked, close } = prepared(words.join(' '), common);
    expect(asked).toHaveLength(32);
    expect(asked.some((own) => own in common)).toBe(false);
    expect(close.of(['other'])).toHaveLength(32);
  });

  it('takes the closest word of a text for each word of the query, and weighs rare words more', () => {
    const { close } = prepared('heron lake', { heron: 1, lake: 60 });
    expect(close.of(['heron', 'pond'])).toEqual([1, 0.5]);
    const [heron = 0, lake = 0] = [[1, 0] as const, [0, 1] as const].map((best) =>
      close.sum((index) => best[index] ?? 0),
    );
    expect(heron).toBeGreaterThan(lake);
    expect(heron + lake).toBeCloseTo(1, 12);
  });

  it('has nothing to compare where the query has no word', () => {
    const { close } = prepared('the 42 of and', {});
    expect(close.hasWords).toBe(false);
    expect(close.sum(() => 1)).toBe(0);
  });

  const byLetters = (query: string) =>
    closeness(query, {
      lexicon: { documents: 100, mean_length: 10, mean_document_length: 0, frequencies: {} },
      nameTerms: new Set(),
      similarity: null,
    });

  it('finds a part of a compound, whether or not the table knows the part', () => {
    expect(byLetters('Hahn').of(['wasserhahn'])).toEqual([0.8]);
    expect(byLetters('Zahnarzt').of(['zahnarzttermin'])).toEqual([0.8]);
    expect(byLetters('Wasserhahn').of(['hahn'])).toEqual([0.8]);
  });

  it('compares forms of one word by how they begin', () => {
    expect(byLetters('книгу').of(['книга'])).toEqual([0.8]);
    expect(byLetters('книгу').of(['слово'])).toEqual([0.3]);
  });

  it('compares words that the table knows by their meaning alone', () => {
    expect(byLetters('light').of(['lighthouse', 'daylight'])).toEqual([0]);
  });

  it('leaves out function words of languages that the table lacks, unless there are no others', () => {
    expect(byLetters('Welches Gemüse wächst dort?').of([])).toHaveLength(2);
    expect(byLetters('Какую книгу любит отец?').of([])).toHaveLength(3);
    expect(byLetters('Wer ist jemand?').of([])).toHaveLength(3);
  });
});
