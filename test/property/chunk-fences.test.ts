/** Fenced code in chunks: it is code there, and nothing else is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chunk, chunkText } from '../../src/ingest/chunk.ts';
import { CHUNK_TOKENS, LEAST_TOKENS } from '../../src/ingest/chunk-size.ts';
import { indexChunks } from '../../src/ingest/index-chunks.ts';
import { closeFence } from '../../src/text/fences.ts';
import { roughTokens } from '../../src/text/rough-tokens.ts';
import { cpuMsOf } from '../support/cpu.ts';

interface FencePart {
  readonly mark: string;
  readonly info: string;
  readonly indent: string;
  readonly code: readonly string[];
}
type Part = FencePart | string;

const codeLine = fc.oneof(
  fc.lorem({ maxCount: 9 }).map((words) => `  ${words};`),
  fc.constantFrom('', '', '# no heading', '``', '~~', '}', '- item', '> quote', '\tx', '``` not'),
);
const fence: fc.Arbitrary<FencePart> = fc.record({
  mark: fc.constantFrom('```', '````', '~~~', '~~~~~', '`'.repeat(40)),
  info: fc.constantFrom('', 'ts', 'sh title="a b"', ' js ', 'x'.repeat(400)),
  indent: fc.constantFrom('', '', ' ', '   '),
  code: fc.oneof(
    fc.array(codeLine, { maxLength: 8 }),
    fc.array(codeLine, { minLength: 30, maxLength: 200 }),
  ),
});
const prose = fc.oneof(
  fc.lorem({ maxCount: 60 }),
  fc.constantFrom(
    '# H',
    '## H2',
    'Run this:',
    '    ```\n    in the margin',
    'a ``` b',
    '``` c ```',
  ),
);
/** Words that stand once: `c3n4` in line 4 of fence 3, `p2` in the prose of part 2. */
const written = (parts: readonly Part[]): readonly Part[] =>
  parts.map((part, at) =>
    typeof part === 'string'
      ? `${part} p${at}z`
      : {
          ...part,
          code: part.code.map((line, of) => (line === '' ? '' : `${line} c${at}n${of}z`)),
        },
  );
const shownPart = (part: Part): string =>
  typeof part === 'string'
    ? part
    : [part.mark + part.info, ...part.code, part.mark].map((line) => part.indent + line).join('\n');
const documents = fc
  .tuple(
    fc.array(fc.oneof(fence, prose), { minLength: 1, maxLength: 12 }).map(written),
    fc.constantFrom('\n', '\n\n', '\n \n\n'),
    fc.boolean(),
  )
  .map(([parts, gap, isOpen]) => {
    const text = parts.map(shownPart).join(gap);
    const isUnclosed = isOpen && typeof parts.at(-1) !== 'string';
    return { parts, text: isUnclosed ? text.slice(0, text.lastIndexOf('\n')) : text };
  });

interface ReadLine {
  readonly line: string;
  readonly isCode: boolean;
}
/** At the margin, another way than the one under test: null = a fence is open at the end. */
function readLines(text: string): readonly ReadLine[] | null {
  const read: ReadLine[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    const rest = line.trimStart().slice(mark.length);
    const isMark = open === '' ? mark !== '' && !(mark[0] === '`' && rest.includes('`')) : false;
    const isEnd = open !== '' && mark.startsWith(open) && rest.trim() === '';
    if (isMark) open = mark;
    else if (isEnd) open = '';
    else read.push({ line, isCode: open !== '' });
  }
  return open === '' ? read : null;
}

const wordsOf = (text: string): readonly string[] => text.match(/\b(?:c\d+n\d+|p\d+)z/g) ?? [];
const fencesIn = (parts: readonly Part[]) =>
  parts.flatMap((part, at) => {
    if (typeof part === 'string') return [];
    const words = part.code.flatMap((line, of) => (line === '' ? [] : [`c${at}n${of}z`]));
    return [{ part, words }];
  });
const holding = (chunks: readonly Chunk[], word: string): readonly number[] =>
  chunks.flatMap(({ text }, index) => (wordsOf(text).includes(word) ? [index] : []));

describe('the chunks of a text with fenced code', () => {
  it('hold code as code and prose as prose, and leave none open', () => {
    fc.assert(
      fc.property(documents, ({ text }) => {
        for (const chunk of chunkText(text)) {
          const read = readLines(chunk.text);
          expect(read).not.toBeNull();
          for (const { line, isCode } of read ?? [])
            for (const word of wordsOf(line))
              expect([word, isCode]).toEqual([word, /^c/.test(word)]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('hold a fence that fits whole, and a line of a longer one once', () => {
    fc.assert(
      fc.property(documents, ({ parts, text }) => {
        const chunks = chunkText(text);
        for (const { part, words } of fencesIn(parts)) {
          const fits = roughTokens(shownPart(part)) <= CHUNK_TOKENS;
          const places = words.map((word) => holding(chunks, word));
          if (fits) for (const place of places) expect(place).toEqual(places[0]);
          else for (const place of places) expect(place).toHaveLength(1);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('lose nothing, say again how a fence begins, and stay near the target', () => {
    fc.assert(
      fc.property(documents, ({ parts, text }) => {
        const chunks = chunkText(text);
        const all = chunks.map((chunk) => chunk.text).join('\n');
        expect(new Set(wordsOf(all))).toEqual(new Set(wordsOf(text)));
        for (const word of text.split(/\s+/))
          if (word.length < 40 && !/^(?:`+|~+)/.test(word)) expect(all).toContain(word);
        for (const chunk of chunks)
          expect(roughTokens(chunk.text)).toBeLessThanOrEqual(CHUNK_TOKENS + LEAST_TOKENS * 2);
        for (const { part, words } of fencesIn(parts))
          for (const chunk of chunks)
            if (part.info === 'ts' && words.some((word) => chunk.text.includes(word)))
              expect(chunk.text).toMatch(/^ *[`~]{3,}ts$/m);
      }),
      { numRuns: 300 },
    );
  });

  it('leave none open for any lines, in lists and quotes as well', () => {
    const signs = ['```', '~~~', '````', '```js', '``` a`b', '> ', '- ', '1. ', '10. ', '* * *'];
    const more = ['# H', '===', '', '', '    ', '  ', '\t', 'a'.repeat(700), 'word '.repeat(90)];
    const piece = fc.constantFrom(...signs, ...more);
    const line = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), (lines) => {
        for (const { text } of chunkText(lines.join('\n'))) expect(closeFence(text)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

const filler = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const steps = (indent: string): string =>
  Array.from({ length: 60 }, (_, at) => `${indent}step ${at} of the long script`).join('\n');
const openings = (text: string): readonly string[] =>
  chunkText(text).flatMap((chunk) => (/script/.test(chunk.text) ? [chunk.text] : []));

describe('a fence that is too long', () => {
  it('is cut at blank and outer lines, with its marks at each part', () => {
    const block = (at: number): string => `function f${at}() {\n${'  call(a, b);\n'.repeat(12)}}\n`;
    const code = Array.from({ length: 12 }, (_, at) => block(at)).join('\n');
    const chunks = chunkText(`# A\n\n${filler(40)}\n\n~~~js x\n${code}~~~\n`);
    const parts = chunks.filter(({ text }) => text.includes('call'));
    expect(parts.length).toBeGreaterThan(2);
    for (const { text, heading } of parts) {
      expect(heading).toBe('A');
      expect(text).toMatch(/~~~js x\nfunction [\s\S]*}\n~~~$/);
    }
  });

  it('stands alone where its list is not in the chunk', () => {
    const list = `${filler(90)}\n\n10. One\n\n    \`\`\`sh\n${steps('    ')}\n    \`\`\`\n`;
    for (const text of openings(list)) expect(text).toMatch(/```sh\nstep [\s\S]*script\n```$/);
    const first = openings(`${filler(90)}\n\n- \`\`\`sh\n${steps('  ')}\n  \`\`\``);
    expect(first[0]).toMatch(/- ```sh\n {2}step 0 [\s\S]*\n {2}```$/);
    for (const text of first.slice(1)) expect(text).toMatch(/^```sh\nstep [\s\S]*script\n```$/);
  });

  it('keeps the signs of a quote', () => {
    for (const text of openings(`${filler(90)}\n\n> \`\`\`sh\n${steps('> ')}\n> \`\`\``))
      expect(text).toMatch(/> ```sh\n> step [\s\S]*script\n> ```$/);
  });
});

describe('fenced code', () => {
  it('of a small text is closed at its end, and is text in a program', () => {
    expect(chunkText('Run:\n\n```sh\nnpm ci')[0]?.text).toBe('Run:\n\n```sh\nnpm ci\n```');
    const program = `const page = \`\n\`\`\`\n${'call();\n'.repeat(400)}`;
    for (const { text } of chunkText(program, { isCode: true })) expect(program).toContain(text);
  });

  it('in an index holds no entries', () => {
    const text = '- [A](a.md): one\n\n```md\n- [B](b.md): two\n```\n- [C](c.md): three';
    expect(indexChunks(text).map((chunk) => [chunk.text, chunk.target])).toEqual([
      ['A: one', 'a.md'],
      ['```md\n- [B](b.md): two\n```', undefined],
      ['C: three', 'c.md'],
    ]);
  });

  it.each([
    ['marks', '```\n'.repeat(100_000)],
    ['marks that grow', Array.from({ length: 1400 }, (_, at) => '`'.repeat(at)).join('\n')],
    ['one mark', '`'.repeat(1_000_000)],
    ['a mark of 100,000 around code', `${'~'.repeat(100_000)}\n${'x\n'.repeat(100_000)}`],
    ['an info string', `\`\`\`${'x'.repeat(500_000)}\n${'x\n'.repeat(100_000)}`],
    ['empty lines in a fence', `\`\`\`\n${'\n'.repeat(500_000)}`],
    ['blanks in a fence', `\`\`\`\n${`${' '.repeat(999)}\n`.repeat(1000)}`],
    ['marks in lists', '- ```\n'.repeat(100_000)],
    ['marks in quotes', '> ```\n'.repeat(100_000)],
    ['a deep list', `${'- '.repeat(200_000)}\n${'\n'.repeat(100_000)}`],
    ['deep quotes', `${'>'.repeat(2000)}\n`.repeat(500)],
    ['rules that are none', `${'- '.repeat(5000)}x\n`.repeat(100)],
    ['tabs', `${'\t'.repeat(1000)}\`\`\`\n`.repeat(500)],
  ])('comes at once: %s', (_, text) => {
    let units = 0;
    const ms = cpuMsOf(() => {
      for (const chunk of chunkText(text)) units += chunk.text.length;
    });
    expect(ms).toBeLessThan(10_000);
    expect(units).toBeLessThan(text.length * 6 + 10_000);
  });
});
