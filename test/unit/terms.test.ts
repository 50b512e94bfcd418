/** What texts are looked up by. */
import { describe, expect, it } from 'vitest';
import { stemOf, termsOf } from '../../src/model/terms.ts';

describe('stemOf', () => {
  it.each([
    ['plan plans planned planning', 'plan'],
    ['decide decided decides deciding', 'decid'],
    ['carry carries carried', 'carri'],
    ['box boxes', 'box'],
    ['pass passes passed passing', 'pass'],
    ['status', 'status'],
    ['sing', 'sing'],
    ['x86', 'x86'],
  ])('%s', (words, expected) => {
    expect(new Set(words.split(' ').map(stemOf))).toEqual(new Set([expected]));
  });
});

describe('termsOf', () => {
  const terms = (text: string): string[] => [...new Set(termsOf(text))].sort();
  it('reads identifiers by their parts and as a whole', () => {
    expect(terms('parseHTTPRequest')).toEqual(['http', 'pars', 'parsehttprequest', 'request']);
    expect(terms('scope_block_uuid')).toEqual(['block', 'scope', 'scopeblockuuid', 'uuid']);
    expect(terms('iOS17')).toContain('ios17');
  });
  it('reads paths and versions by their parts and as a whole', () => {
    expect(terms('see src/model/terms.ts.')).toEqual(['model', 'see', 'src', 'src/model/terms.ts', 'term', 'ts']);
    expect(terms('v1.2.3')).toContain('v1.2.3');
  });
  it('joins case, accents and width', () => {
    expect(terms('Café')).toEqual(terms('cafe'));
    expect(terms('ＡＢＣ')).toEqual(terms('abc'));
    expect(terms('Планы')).toEqual(terms('планы'));
  });
  it('reads scripts without spaces by pairs', () => {
    expect(terms('東京都')).toEqual(['京都', '東京'].sort());
    expect(terms('猫')).toEqual(['猫']);
    expect(terms('GPT東京')).toEqual(['gpt', '東京']);
  });
  it('leaves out stop words', () => {
    expect(terms('What is the plan')).toEqual(['plan']);
    expect(terms('who are you')).toEqual([]);
    expect(terms('?! …')).toEqual([]);
  });
  it('keeps order and repeats', () => {
    expect(termsOf('red fish, blue fish')).toEqual(['red', 'fish', 'blue', 'fish']);
  });

  it('reads a long run without a space in one pass', () => {
    // Tried from each of its characters, this run takes minutes.
    expect(termsOf('語'.repeat(120_000)).slice(0, 1)).toEqual(['語語']);
  });
});
