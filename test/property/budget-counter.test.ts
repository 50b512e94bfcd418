import fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countBytePairs } from '../../src/budget/byte-pairs.ts';
import { counterOf, createCounter } from '../../src/budget/counter.ts';
import { loadVocabulary, toByteString } from '../../src/budget/vocabulary.ts';
import { isReferenced, REFERENCED, REFERENCES } from '../support/reference-tokenizers.ts';

const plain = { disallowedSpecial: new Set<string>() };
const unbroken = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcdefgh'), maxLength: 400 }),
  fc.string({ unit: fc.constantFrom('字', '語', '漢', '龘', '的'), maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('😀', '👩', '\u200d', '🇩', '\ufe0f', '🏽'), maxLength: 120 }),
);
/** Sentences of seven scripts and emoji, code and markup, cut anywhere. */
const written = fc
  .tuple(
    fc.constantFrom(
      'We decided on Tuesday to move the export job; the old one stays.',
      'Быстрая коричневая лиса прыгает через ленивую собаку.',
      '敏捷的棕色狐狸跳过了懒狗。素早い茶色の狐がのろまな犬を飛び越える。',
      'الثعلب البني السريع يقفز فوق الكلب الكسول.',
      'तेज़ भूरी लोमड़ी आलसी कुत्ते के ऊपर कूदती है।',
      '빠른 갈색 여우가 게으른 개를 뛰어넘는다.',
      'Η γρήγορη καφέ αλεπού πηδάει πάνω από το τεμπέλικο σκυλί.',
      '👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪🇫🇷 😀🎉',
      'function add(a, b) {\n\treturn a + b;\n}\n\n\n  if (x < 10) { y(); }',
      '<table><tr><td>x</td></tr></table> </div> </a>\n<fact id="b">1 &lt; 2</fact>',
    ),
    fc.nat({ max: 12 }),
  )
  .map(([text, from]) => text.slice(from));
const mixed = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.lorem({ mode: 'sentences' }),
  unbroken,
  { weight: 3, arbitrary: written },
  fc.string({ unit: fc.constantFrom(' ', '\n', '\t', 'a', '<', '>', '/'), maxLength: 80 }),
);

describe('token counts', () => {
  it.each(REFERENCED)('%s equals the reference tokenizer on any text', async (encoding) => {
    const counter = await createCounter(encoding);
    fc.assert(
      fc.property(fc.array(mixed, { maxLength: 4 }), (parts) => {
        const text = parts.join(' ');
        fc.pre(isReferenced(encoding, text));
        expect(counter.count(text)).toBe(REFERENCES[encoding](text));
        expect(counter.exact(text)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each(REFERENCED)(
    '%s equals the reference tokenizer wherever lines break',
    async (encoding) => {
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
          fc.pre(isReferenced(encoding, text));
          expect(counter.count(text)).toBe(REFERENCES[encoding](text));
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
    for (const encoding of [...REFERENCED, 'conservative'] as const) {
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
          // These write a blank before each text, which can join its first word.
          else if (encoding === 'llama2' || encoding === 'mistral')
            expect(Math.abs(whole - sum)).toBeLessThanOrEqual(lines.length);
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

  it.each(['llama3', 'llama2', 'mistral', 'tekken', 'gemma3'] as const)(
    'is not below %s where that is not installed',
    async (encoding) => {
      const [exact, conservative] = [await createCounter(encoding), counterOf(encoding, null)];
      fc.assert(
        fc.property(fc.oneof({ weight: 4, arbitrary: document }, prose, data), (text) => {
          expect(conservative.count(text)).toBeGreaterThanOrEqual(exact.count(text));
        }),
        { numRuns: 200 },
      );
    },
  );

  it('is not so far above that prose would waste half of a window', async () => {
    const conservative = await createCounter('conservative');
    const text =
      'We decided on Tuesday to move the export job to the new queue, because retries kept blocking the workers. The old one stays until the end of March. ';
    expect(conservative.count(text)).toBeLessThan(2 * countO200k(text, plain));
  });
});
