/** What texts are looked up by. */
import { describe, expect, it } from 'vitest';
import { rawWords } from '../../src/inference/table-words.ts';
import { indexText, queryTerms } from '../../src/text/bm25.ts';
import { comparedWords, QUERY_UNITS, readTerms, stemOf, termsOf } from '../../src/text/terms.ts';

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
    expect(terms('see src/text/terms.ts.')).toEqual([
      'see',
      'src',
      'src/text/terms.ts',
      'term',
      'text',
      'ts',
    ]);
    expect(terms('v1.2.3')).toContain('v1.2.3');
  });
  it('joins case, accents and width', () => {
    expect(terms('Café')).toEqual(terms('cafe'));
    expect(terms('ＡＢＣ')).toEqual(terms('abc'));
    expect(terms('Планы')).toEqual(terms('планы'));
  });
  it('reads scripts without spaces by pairs, Han characters alone, words of katakana whole', () => {
    expect(terms('東京都')).toEqual(['東', '京', '都', '京都', '東京'].sort());
    expect(terms('猫')).toEqual(['猫']);
    expect(terms('GPT東京')).toEqual(['gpt', '東', '京', '東京'].sort());
    expect(terms('コーヒーを')).toEqual(['コー', 'ーヒ', 'ヒー', 'ーを', 'コーヒー'].sort());
    expect(terms('のは')).toEqual(['のは']);
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
    expect(termsOf('語'.repeat(120_000)).slice(-1)).toEqual(['語語']);
  });
});

describe('grams', () => {
  const grams = (text: string): readonly string[] => readTerms(text).grams;
  it('are the letters of words that the table does not know, four at a time', () => {
    expect(grams('Häuser')).toEqual(['~haus', '~ause', '~user']);
    expect(grams('the weather in spring')).toEqual([]);
    expect(grams('письмо')).toEqual(['~пись', '~исьм', '~сьмо']);
    expect(grams('an x86 cpu')).toEqual([]);
  });
  it('of an identifier are those of the whole', () => {
    expect(grams('parse_utf')).toEqual(['~pars', '~arse', '~rseu', '~seut', '~eutf']);
    expect(grams('parseUtf')).toEqual(grams('parseutf'));
  });
  it('are not made of digests, numbers and long runs, and end at a limit', () => {
    expect(grams('a3f9c2e1b7d8 2026 12345678')).toEqual([]);
    expect(grams('x'.repeat(33))).toEqual([]);
    let state = 1;
    const letter = (): string => {
      state = (state * 48_271) % 2_147_483_647;
      return String.fromCharCode(97 + (state % 26));
    };
    const noise = Array.from({ length: 4000 }, () => Array.from({ length: 6 }, letter).join(''));
    expect(new Set(grams(noise.join(' '))).size).toBe(2000);
  });
  it('do not lengthen a text', () => {
    const { counts, length } = indexText('Häuser und Wasser');
    expect(length).toBe(3);
    expect(counts.get('~haus')).toBe(1);
  });
});

describe('comparedWords', () => {
  it('are the words of every script as they are written, identifiers in parts and whole', () => {
    expect(comparedWords('What does parseFilter do?')).toEqual(['parse', 'filter', 'parsefilter']);
    expect(comparedWords('Где письмо? Wo, Häuser! 2026')).toEqual([
      'где',
      'письмо',
      'wo',
      'hauser',
    ]);
    expect(comparedWords('会議')).toEqual(['会', '議', '会議']);
  });
});

describe('a text whose characters are short for many', () => {
  // Eighteen characters each, once they are written out.
  const ligatures = (count: number): string => '\ufdfa'.repeat(count);
  it('is read no further than one that is written out', () => {
    const written = ligatures(10_000).normalize('NFKC');
    const [short, long] = [termsOf(ligatures(100_000)), termsOf(written)];
    expect(short.length).toBeLessThanOrEqual(long.length);
    expect(rawWords(ligatures(100_000)).length).toBeLessThanOrEqual(rawWords(written).length);
  });
  it('is read less far where it is a question', () => {
    const few = readTerms(ligatures(100_000), QUERY_UNITS).terms.length;
    expect(few).toBeLessThanOrEqual(QUERY_UNITS / 3);
    const beyond = `${'a '.repeat(QUERY_UNITS / 2)}Lisbon`;
    expect([queryTerms(beyond), termsOf(beyond)]).toEqual([[], ['lisbon']]);
  });
});
