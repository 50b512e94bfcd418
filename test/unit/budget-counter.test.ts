import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countBytePairs } from '../../src/budget/byte-pairs.ts';
import { counterOf, createCounter } from '../../src/budget/counter.ts';
import { loadGemma3 } from '../../src/budget/gemma3.ts';
import { loadLlama2 } from '../../src/budget/llama2.ts';
import { loadLlama3 } from '../../src/budget/llama3.ts';
import { loadMistral, loadTekken } from '../../src/budget/mistral.ts';
import { loadVocabulary } from '../../src/budget/vocabulary.ts';
import { cpuMsOf } from '../support/cpu.ts';
import { isReferenced, REFERENCED, REFERENCES } from '../support/reference-tokenizers.ts';

const plain = { disallowedSpecial: new Set<string>() };

describe('createCounter', () => {
  it.each(REFERENCED)('%s counts as the reference tokenizer does', async (encoding) => {
    const counter = await createCounter(encoding);
    const texts = [
      '',
      ' ',
      '\n\n  \n',
      'Hello, world!',
      "I'll go; we've DONE it, they'RE here",
      '2026-11-21T04:00:00.000Z 12345678',
      'émigré naïve Straße ﬁ',
      '日本語のテキストと中文字符',
      'हिन्दी में पाठ',
      '👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪🇫🇷',
      '\ud83d lone \ude00',
      '<fact source="a" id="b">x &lt; y</fact>\n<fact>',
      'a'.repeat(3000),
      '\u3000 \t\r\n/x',
      '<table><tr><td>1</td></tr></table> </div> <b >',
      `${' '.repeat(70)}x${'\n'.repeat(70)}${'\t'.repeat(70)}`,
      '\u2581\u2581a \u2581',
    ];
    for (const text of texts.filter((each) => isReferenced(encoding, each)))
      expect([text, counter.count(text)]).toEqual([text, REFERENCES[encoding](text)]);
  });

  // By SentencePiece and tiktoken with the models that Meta, Mistral and Google publish; for Gemma
  // with the tokens of the package.
  it.each([
    ['Hello, world!', 4, 4, 4, 4],
    ['What is your name?', 5, 5, 5, 5],
    ['We decided on Tuesday to move the export job.\r\nIt stays;\r\n', 17, 15, 17, 17],
    ['  two blanks\n\n\tand a tab', 10, 10, 9, 8],
    [`${' '.repeat(40)}x`, 4, 4, 2, 3],
    ['def f(x):\n    return [i**2 for i in range(x)]\n', 20, 20, 16, 20],
    ['Быстрая лиса прыгает', 9, 10, 9, 7],
    ['敏捷的棕色狐狸跳过了懒狗', 29, 23, 17, 11],
    ['素早い茶色の狐', 12, 10, 9, 5],
    ['الثعلب البني السريع', 14, 14, 6, 7],
    ['तेज़ भूरी लोमड़ी', 17, 17, 8, 7],
    ['빠른 갈색 여우', 17, 13, 6, 6],
    ['สุนัขจิ้งจอก', 13, 13, 10, 8],
    ['👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪', 40, 40, 37, 15],
    ['<table><tr><td>1</td></tr></table> </div>', 18, 18, 17, 9],
    ['ɸ𝔘\u0007é', 9, 9, 8, 7],
  ])('%j has as many tokens as its vendor says', async (text, ...expected) => {
    const counts = (['llama2', 'mistral', 'tekken', 'gemma3'] as const).map(async (encoding) =>
      (await createCounter(encoding)).count(text),
    );
    expect(await Promise.all(counts)).toEqual(expected);
  });

  it('counts conservatively where the package of a vocabulary is not installed', async () => {
    for (const load of [loadLlama3, loadLlama2, loadMistral, loadTekken, loadGemma3])
      expect(await load('a-package-that-nobody-has')).toBeNull();
    const text = 'We decided on Tuesday to move the export job to the new queue.';
    for (const encoding of ['llama3', 'llama2', 'mistral', 'tekken', 'gemma3'] as const) {
      const counter = counterOf(encoding, null);
      expect(counter.encoding).toBe('conservative');
      expect(counter.exact(text)).toBe(false);
      expect(counter.count(text)).toBeGreaterThan((await createCounter(encoding)).count(text));
    }
  });

  it('takes control tokens for plain text', async () => {
    const counter = await createCounter('o200k_base');
    expect(counter.count('<|endoftext|>')).toBe(countO200k('<|endoftext|>', plain));
    expect(counter.count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it.each(['o200k_base', 'llama3', 'llama2', 'tekken', 'gemma3'] as const)(
    '%s is not slowed down by unbroken text, whatever the script',
    async (encoding) => {
      const counter = await createCounter(encoding);
      const cjk = Array.from({ length: 333_333 }, (_, i) =>
        String.fromCharCode(0x4e00 + ((i * 7919) % 20_000)),
      ).join('');
      const emoji = Array.from({ length: 25_000 }, (_, i) =>
        String.fromCodePoint(0x1f600 + ((i * 31) % 64)),
      ).join('');
      for (const text of [
        'a'.repeat(1_000_000),
        cjk,
        emoji,
        ' '.repeat(1_000_000),
        'A'.repeat(1_000_000),
        '<'.repeat(1_000_000),
        '> </'.repeat(250_000),
        '\u0301'.repeat(500_000),
      ]) {
        let tokens = 0;
        const ms = cpuMsOf(() => {
          tokens = counter.count(text);
        });
        expect(ms).toBeLessThan(20_000); // the usual merge loop takes minutes
        expect(tokens).toBeGreaterThan(text.length / 200);
        expect(tokens).toBeLessThanOrEqual(1.01 * Buffer.byteLength(text)); // slices have a margin
      }
    },
  );

  it('survives texts longer than the splitting expression can take', async () => {
    const counter = await createCounter('o200k_base');
    expect(counter.countUpTo(' \u3000'.repeat(8_000_000), 1000)).toBeGreaterThan(1000);
  });

  it('says where a count has a margin', async () => {
    const exact = await createCounter('o200k_base');
    expect(exact.exact('word '.repeat(40_000))).toBe(true);
    expect(exact.exact('a'.repeat(16_385))).toBe(false);
    expect(exact.exact(`${'word '.repeat(5000)}${'a'.repeat(16_385)}`)).toBe(false);
    expect((await createCounter('conservative')).exact('a')).toBe(false);
  });

  it('adds a margin where it cuts a piece, and stays above the true count', async () => {
    const counter = await createCounter('o200k_base');
    const { ranks } = await loadVocabulary('o200k_base');
    const piece = Array.from(
      { length: 40_000 },
      (_, i) => 'etaoinshrdlucmfw'[(i * i + (i >> 3)) % 16],
    ).join('');
    const margin = counter.count(piece) - countBytePairs(piece, ranks);
    expect(margin).toBeGreaterThan(40);
    expect(margin).toBeLessThan(56); // 16 for each of 3 slices, and what a cut costs
  });

  it('stops counting at the limit', async () => {
    const counter = await createCounter('cl100k_base');
    const text = 'one two three four five six';
    const tokens = counter.count(text);
    expect(counter.countUpTo(text, tokens)).toBe(tokens);
    expect(counter.countUpTo(text, 2)).toBe(3);
  });

  it('gives a prefix that fits, also of unbroken text', async () => {
    for (const encoding of ['o200k_base', 'llama2', 'gemma3', 'conservative'] as const) {
      const counter = await createCounter(encoding);
      for (const text of ['word '.repeat(500), 'xq'.repeat(50_000), '字'.repeat(10_000)]) {
        const tokens = counter.count(text.slice(0, counter.unitsWithin(text, 100)).trimEnd());
        expect(tokens).toBeLessThanOrEqual(100);
        expect(tokens).toBeGreaterThan(70);
      }
    }
  });
});
