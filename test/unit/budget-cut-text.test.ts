import { describe, expect, it } from 'vitest';
import { cutUnits } from '../../src/budget/cut-text.ts';
import { cpuMsOf } from '../support/cpu.ts';

const cut = (text: string, units: number, at: 'sentence' | 'word' = 'word'): string =>
  text.slice(0, cutUnits(text, units, at));

describe('cutUnits', () => {
  it('keeps a text that fits', () => {
    expect(cutUnits('short', 5, 'sentence')).toBe(5);
    expect(cutUnits('', 0, 'word')).toBe(0);
  });

  it('ends at a sentence where that costs little, else at a word', () => {
    expect(cut('One two three four. Five six seven.', 24)).toBe('One two three four.');
    expect(cut('One. Two three four five six seven eight.', 30)).toBe(
      'One. Two three four five six',
    );
  });

  it('ends at a sentence or not at all when asked to', () => {
    expect(cut('One. Two three four five six seven eight.', 30, 'sentence')).toBe('One.');
    expect(cut('One two three four five six seven eight.', 30, 'sentence')).toBe('');
    expect(cut('第一句。第二句话很长。', 8, 'sentence')).toBe('第一句。');
  });

  it('takes no trailing blanks', () => {
    expect(cut('word   \n  next', 8)).toBe('word');
  });

  it.each([
    ['surrogate pairs', '\u{1d4b3}'],
    ['combining marks', 'e\u0301\u0302'],
    ['families', '👩‍👩‍👧‍👦'],
    ['flags', '🇩🇪'],
    ['syllables', '\u1100\u1161\u11a8'],
  ])('never ends inside %s', (_, grapheme) => {
    const text = grapheme.repeat(200);
    for (let units = 100; units < 100 + 2 * grapheme.length; units++) {
      const kept = cutUnits(text, units, 'word');
      expect(kept % grapheme.length).toBe(0);
      expect(kept).toBeGreaterThan(units - 2 * grapheme.length);
    }
  });

  it('never ends inside a surrogate pair, even in a grapheme of absurd length', () => {
    const text = `a${'\u{e0100}'.repeat(50_000)}`;
    expect(cutUnits(text, 80_000, 'word') % 2).toBe(1);
    expect(cutUnits(text, 80_001, 'word') % 2).toBe(1);
  });

  it('is quick on a long text', () => {
    const text = 'a'.repeat(2_000_000);
    const ms = cpuMsOf(() => {
      expect(cutUnits(text, 1_000_000, 'word')).toBe(1_000_000);
    });
    expect(ms).toBeLessThan(10_000);
  });
});
