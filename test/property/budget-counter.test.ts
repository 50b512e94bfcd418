import fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import llama3 from 'llama3-tokenizer-js';
import { describe, expect, it } from 'vitest';
import { countBytePairs } from '../../src/budget/byte-pairs.ts';
import { createCounter } from '../../src/budget/counter.ts';
import { loadVocabulary, toByteString } from '../../src/budget/vocabulary.ts';

const countLlama3 = (text: string, _plain: object): number =>
  llama3.encode(text, { bos: false, eos: false }).length;
const plain = { disallowedSpecial: new Set<string>() };
const unbroken = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcdefgh'), maxLength: 400 }),
  fc.string({ unit: fc.constantFrom('字', '語', '漢', '龘', '的'), maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('😀', '👩', '\u200d', '🇩', '\ufe0f', '🏽'), maxLength: 120 }),
);
const mixed = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.lorem({ mode: 'sentences' }),
  unbroken,
);

describe('token counts', () => {
  it.each([
    ['o200k_base', countO200k],
    ['cl100k_base', countCl100k],
    ['llama3', countLlama3],
  ] as const)('%s equals the reference tokenizer on any text', async (encoding, reference) => {
    const counter = await createCounter(encoding);
    fc.assert(
      fc.property(fc.array(mixed, { maxLength: 4 }), (parts) => {
        const text = parts.join(' ');
        expect(counter.count(text)).toBe(reference(text, plain));
        expect(counter.exact(text)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['o200k_base', countO200k],
    ['cl100k_base', countCl100k],
    ['llama3', countLlama3],
  ] as const)(
    '%s equals the reference tokenizer wherever lines break',
    async (encoding, reference) => {
      const counter = await createCounter(encoding);
      const signs = fc.constantFrom(
        '\n',
        '\r',
        '<',
        '[',
        '#',
        '/',
        '>',
        ' ',
        '\t',
        '.',
        "'",
        's',
        'A',
        'é',
        '7',
        '字',
        '</fact>\n<fact>',
      );
      fc.assert(
        fc.property(fc.string({ unit: signs, maxLength: 60 }), (text) => {
          expect(counter.count(text)).toBe(reference(text, plain));
        }),
        { numRuns: 2000 },
      );
    },
  );

  it('a cut inside a piece hides far fewer tokens than the margin', async () => {
    const { ranks } = await loadVocabulary('o200k_base');
    const count = (text: string): number => countBytePairs(toByteString(text), ranks);
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...'etaoinshrdlu', '字', '語', 'é'),
          minLength: 2,
          maxLength: 300,
        }),
        fc.nat(),
        (text, at) => {
          const cut = 1 + (at % (text.length - 1));
          expect(
            count(text) - count(text.slice(0, cut)) - count(text.slice(cut)),
          ).toBeLessThanOrEqual(4);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('lines that begin with `<`, `[`, `#` or `@` add up to the whole, so that parts can steer', async () => {
    for (const encoding of ['o200k_base', 'cl100k_base', 'llama3', 'conservative'] as const) {
      const counter = await createCounter(encoding);
      const line = fc
        .tuple(
          fc.constantFrom('<fact>', '[17] ', '# ', '@'),
          fc.string({ unit: 'grapheme', maxLength: 60 }),
        )
        .map(([sign, text]) => `${sign}${text}\n`);
      fc.assert(
        fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
          const sum = lines.reduce((total, part) => total + counter.count(part), 0);
          const whole = counter.count(lines.join(''));
          if (encoding === 'conservative') expect(whole).toBeLessThanOrEqual(sum);
          else expect(whole).toBe(sum);
        }),
        { numRuns: 300 },
      );
    }
  });
});

/**
 * One text per script and habit of writing, from a seed: words of random letters, prose, code,
 * markup, numbers.
 */
const scripts: readonly (readonly [first: number, last: number])[] = [
  [0x61, 0x7a],
  [0x41, 0x5a],
  [0x30, 0x39],
  [0x21, 0x7e],
  [0xc0, 0xff],
  [0x100, 0x17f],
  [0x391, 0x3c9],
  [0x410, 0x44f],
  [0x5d0, 0x5ea],
  [0x627, 0x64a],
  [0x905, 0x939],
  [0xb85, 0xbb9],
  [0xd05, 0xd39],
  [0xe01, 0xe3a],
  [0x10d0, 0x10f0],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xff01, 0xff5e],
  [0x1f300, 0x1f64f],
  [0x2190, 0x22ff],
  [0x300, 0x36f],
  [0xe000, 0xe0ff],
  [0x20000, 0x2a000],
];
const document = fc.constantFrom(...scripts).chain(([first, last]) => {
  const letter = fc.integer({ min: first, max: last }).map((code) => String.fromCodePoint(code));
  return fc
    .array(fc.string({ unit: letter, minLength: 1, maxLength: 12 }), {
      minLength: 100,
      maxLength: 200,
      size: 'max',
    })
    .map((words) => words.join(' '));
});
const prose = fc
  .array(fc.lorem({ maxCount: 8, mode: 'sentences' }), { minLength: 10, maxLength: 20 })
  .map((sentences) => sentences.join(' '));
const data = fc
  .array(
    fc.oneof(
      fc.uuid(),
      fc.webUrl(),
      fc.emailAddress(),
      fc.base64String({ minLength: 20 }),
      fc.json(),
      fc.double().map(String),
    ),
    {
      minLength: 20,
      maxLength: 40,
      size: 'max',
    },
  )
  .map((parts) => parts.join('\n'));

describe('the conservative count', () => {
  it('is not below o200k_base or cl100k_base on documents of any script', async () => {
    const conservative = await createCounter('conservative');
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: document }, prose, data), (text) => {
        expect(conservative.count(text)).toBeGreaterThanOrEqual(
          Math.max(countO200k(text, plain), countCl100k(text, plain)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('is not so far above that prose would waste half of a window', async () => {
    const conservative = await createCounter('conservative');
    const text =
      'We decided on Tuesday to move the export job to the new queue, because retries kept blocking the workers. The old one stays until the end of March. ';
    expect(conservative.count(text)).toBeLessThan(2 * countO200k(text, plain));
  });
});
