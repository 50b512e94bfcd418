import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import llama3 from 'llama3-tokenizer-js';
import { describe, expect, it } from 'vitest';
import { countBytePairs } from '../../src/budget/byte-pairs.ts';
import { createCounter } from '../../src/budget/counter.ts';
import { loadLlama3 } from '../../src/budget/llama3.ts';
import { loadVocabulary } from '../../src/budget/vocabulary.ts';
import { cpuMsOf } from '../support/cpu.ts';

const countLlama3 = (text: string, _plain: object): number =>
  llama3.encode(text, { bos: false, eos: false }).length;
const plain = { disallowedSpecial: new Set<string>() };

describe('createCounter', () => {
  it.each([
    ['o200k_base', countO200k],
    ['cl100k_base', countCl100k],
    ['llama3', countLlama3],
  ] as const)('%s counts as the reference tokenizer does', async (encoding, reference) => {
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
    ];
    for (const text of texts)
      expect([text, counter.count(text)]).toEqual([text, reference(text, plain)]);
  });

  it('counts conservatively where the package of a vocabulary is not installed', async () => {
    expect(await loadLlama3('a-package-that-nobody-has')).toBeNull();
  });

  it('takes control tokens for plain text', async () => {
    const counter = await createCounter('o200k_base');
    expect(counter.count('<|endoftext|>')).toBe(countO200k('<|endoftext|>', plain));
    expect(counter.count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it.each(['o200k_base', 'llama3'] as const)(
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
        '\u0301'.repeat(500_000),
      ]) {
        let tokens = 0;
        const ms = cpuMsOf(() => {
          tokens = counter.count(text);
        });
        expect(ms).toBeLessThan(20_000); // the usual merge loop takes minutes
        expect(tokens).toBeGreaterThan(text.length / 200);
        expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text));
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
    for (const encoding of ['o200k_base', 'conservative'] as const) {
      const counter = await createCounter(encoding);
      for (const text of ['word '.repeat(500), 'xq'.repeat(50_000), '字'.repeat(10_000)]) {
        const tokens = counter.count(text.slice(0, counter.unitsWithin(text, 100)).trimEnd());
        expect(tokens).toBeLessThanOrEqual(100);
        expect(tokens).toBeGreaterThan(70);
      }
    }
  });
});
