import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { AnyRow } from '../../src/index.ts';
import { chunkText } from '../../src/ingest/chunk.ts';
import { CHUNK_TOKENS, LEAST_TOKENS, OVERLAP_TOKENS } from '../../src/ingest/chunk-size.ts';
import { planDocument } from '../../src/ingest/document-operations.ts';
import { openFolder } from '../../src/ingest/documents.ts';
import type { DocumentRecord } from '../../src/ingest/record.ts';
import { roughTokens } from '../../src/text/rough-tokens.ts';
import { cpuMsOf } from '../support/cpu.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

const words = (count: number, word = 'word'): string =>
  Array.from({ length: count }, (_, index) => `${word}${index}`).join(' ');

describe('chunks', () => {
  it('are one, whole, when the text is small', () => {
    expect(chunkText('# Title\n\nA few words.\n')).toEqual([
      { text: '# Title\n\nA few words.', heading: null },
    ]);
    expect(chunkText(' \n ')).toEqual([]);
  });

  it('follow headings and carry the path of them', () => {
    const text = `# Guide\n\n${words(60)}\n\n## Install\n\n${words(60, 'install')}\n\n## Use\n\n${words(60, 'use')}\n\n### Deep\n\n${words(60, 'deep')}`;
    expect(chunkText(text).map((chunk) => chunk.heading)).toEqual([
      'Guide',
      'Guide > Install',
      'Guide > Use',
      'Guide > Use > Deep',
    ]);
  });

  it('take no heading from fenced code', () => {
    const text = `# A\n\n${words(100)}\n\n\`\`\`sh\n# not a heading\n\`\`\`\n\n${words(100, 'b')}`;
    expect(new Set(chunkText(text).map((chunk) => chunk.heading))).toEqual(new Set(['A']));
  });

  it('overlap within a section', () => {
    const paragraphs = Array.from(
      { length: 20 },
      (_, index) => `Paragraph ${index}: ${words(14, `p${index}w`)}.`,
    );
    const chunks = chunkText(paragraphs.join('\n\n'));
    expect(chunks.length).toBeGreaterThan(2);
    for (const [index, chunk] of chunks.slice(1).entries()) {
      const first = chunk.text.split('\n\n')[0] ?? '';
      const before = chunks[index]?.text ?? '';
      expect(before).toContain(first);
      expect(roughTokens(before.slice(before.indexOf(first)))).toBeLessThanOrEqual(OVERLAP_TOKENS);
    }
  });

  it('lose no word, stay near the target and are never tiny, for any text', () => {
    const piece = fc.oneof(
      fc.lorem({ maxCount: 80 }),
      fc.constantFrom(
        '# H',
        '## H2',
        '```',
        '',
        '漢字の文。'.repeat(60),
        'a'.repeat(3000),
        '🙂'.repeat(400),
        '- item',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('\n\n');
        const chunks = chunkText(text);
        const all = chunks.map((chunk) => chunk.text).join('\n');
        for (const word of text.split(/\s+/)) if (word.length < 40) expect(all).toContain(word);
        for (const chunk of chunks) {
          expect(roughTokens(chunk.text)).toBeLessThanOrEqual(CHUNK_TOKENS + LEAST_TOKENS * 2);
          expect(chunk.text.isWellFormed()).toBe(true);
          if (chunks.length > 1)
            expect(roughTokens(chunk.text)).toBeGreaterThanOrEqual(LEAST_TOKENS);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('of 1 MB unbroken text come at once', () => {
    const ms = cpuMsOf(() => {
      expect(chunkText('a'.repeat(1_000_000)).length).toBeGreaterThan(1000);
    });
    expect(ms).toBeLessThan(20_000);
  });
});

const recordsOf = async (path: string) => {
  const records: DocumentRecord[] = [];
  for (const source of await openFolder({ path, shown: 'docs', name: 'docs', isNamed: false }))
    for await (const record of source.records())
      if (record.kind === 'document') records.push(record);
  return records;
};

describe('a folder of documents', () => {
  it('gives each file by path, with its title', async () => {
    const path = join(folder, 'docs');
    mkdirSync(join(path, 'sub'), { recursive: true });
    mkdirSync(join(path, '.git'), { recursive: true });
    writeFileSync(join(path, 'b.md'), '---\ntitle: "From front matter"\n---\n# Heading\n\ntext');
    writeFileSync(join(path, 'sub', 'a.md'), 'intro\n\n# From heading #\n\ntext');
    writeFileSync(join(path, 'c.txt'), 'plain');
    writeFileSync(join(path, 'd.json'), '{}');
    writeFileSync(join(path, '.git', 'x.md'), 'hidden');
    expect((await recordsOf(path)).map((record) => [record.path, record.title])).toEqual([
      ['b.md', 'From front matter'],
      ['c.txt', 'c'],
      ['sub/a.md', 'From heading'],
    ]);
  });

  it('follows no link: two folders that link to each other are two folders', async () => {
    const path = join(folder, 'circle');
    mkdirSync(join(path, 'a'), { recursive: true });
    mkdirSync(join(path, 'b'));
    writeFileSync(join(path, 'a', 'one.md'), 'one');
    symlinkSync('../b', join(path, 'a', 'b'));
    symlinkSync('../a', join(path, 'b', 'a'));
    expect((await recordsOf(path)).map((record) => record.path)).toEqual(['a/one.md']);
  });

  it('must hold documents, none of them empty', async () => {
    const path = join(folder, 'none');
    mkdirSync(path);
    await expect(recordsOf(path)).rejects.toMatchObject({
      code: 'CLI.INPUT',
      message: 'The folder holds no .md or .txt file.',
    });
    writeFileSync(join(path, 'empty.md'), '\n');
    await expect(recordsOf(path)).rejects.toMatchObject({
      code: 'CLI.INPUT',
      where: { file: 'docs/empty.md' },
    });
    writeFileSync(join(path, 'empty.md'), Buffer.from([0x61, 0xff]));
    await expect(recordsOf(path)).rejects.toMatchObject({
      code: 'CLI.INPUT',
      message: 'Invalid UTF-8: byte `0xff` at offset 1.',
    });
  });

  it('knows when a file was written', async () => {
    const path = join(folder, 'times');
    mkdirSync(path);
    writeFileSync(join(path, 'a.md'), 'a');
    utimesSync(join(path, 'a.md'), 1_700_000_000, 1_700_000_000);
    expect((await recordsOf(path))[0]?.modifiedMs).toBe(1_700_000_000_000);
  });
});

describe('the plan of a document', () => {
  const place = {
    scope: '00000000-0000-4000-8000-000000000001',
    source: 'docs',
    title: 'docs',
    nowMs: Date.UTC(2026, 5, 1),
    keyed: (digest: string): string => `${digest}${'0'.repeat(64)}`.slice(0, 64),
    root: '00000000-0000-4000-8000-000000000001',
  };
  const record = (texts: readonly string[], modified: string): DocumentRecord => ({
    kind: 'document',
    path: 'a.md',
    title: 'A',
    class: 'document',
    chunks: texts.map((text) => ({ text, heading: null })),
    sha256: texts.join('|'),
    unreadTtls: [],
    description: null,
    datedMs: Date.parse(modified),
    modifiedMs: Date.parse(modified),
    untilMs: null,
  });
  /** The versions that a store would hold after a plan was applied. */
  const apply = (
    plan: ReturnType<typeof planDocument>,
    before: readonly AnyRow[],
  ): readonly AnyRow[] => {
    const operation = plan.operations[0];
    if (
      !operation ||
      (operation.operation !== 'ADD' && operation.operation !== 'UPDATE') ||
      operation.table !== 'blocks'
    )
      return before;
    const closed = before.map(
      (version) =>
        ({
          ...version,
          row: { ...version.row, valid_until: version.row.valid_until ?? operation.valid_from },
        }) as AnyRow,
    );
    const row = {
      ...operation.content,
      uuid: operation.uuid,
      valid_from: operation.valid_from,
      valid_until: null,
      retired_seq: null,
      status: 'live',
    };
    return [...closed, { table: 'blocks', row } as unknown as AnyRow];
  };
  const summary = (plan: ReturnType<typeof planDocument>) =>
    plan.operations.map((operation) =>
      `${operation.operation} ${'content' in operation && 'block_type' in operation.content ? `${operation.content.block_type} ${operation.content.content}`.trim() : ''}`.trim(),
    );

  it('adds a new document with its chunks, and nothing the second time', () => {
    const one = record(['x', 'y', 'x'], '2026-01-01');
    const plan = planDocument(one, [], place);
    expect(summary(plan)).toEqual(['ADD document', 'ADD chunk x', 'ADD chunk y', 'ADD chunk x']);
    expect(
      new Set(plan.operations.map((operation) => ('uuid' in operation ? operation.uuid : ''))).size,
    ).toBe(4);
    expect(planDocument(one, [], place)).toEqual(plan);
    expect(planDocument(one, apply(plan, []), place)).toEqual({ operations: [], unchanged: 4 });
  });

  it('touches only what changed, and brings back what was gone as something new', () => {
    const first = planDocument(record(['x', 'y'], '2026-01-01'), [], place);
    const stored = apply(first, []);
    const second = planDocument(record(['x', 'z'], '2026-02-01'), stored, place);
    expect(summary(second)).toEqual(['UPDATE document', 'ADD chunk z', 'DELETE']);
    expect(second.unchanged).toBe(1);
    expect(second.operations[0]).toMatchObject({
      valid_from: '2026-02-01T00:00:00.000Z',
      cause: 'change',
    });
    const third = planDocument(record(['x', 'y'], '2026-03-01'), apply(second, stored), place);
    expect(summary(third)).toEqual(['UPDATE document', 'ADD chunk y', 'DELETE']);
    const uuidOf = (plan: typeof first, text: string) =>
      plan.operations.find(
        (operation) =>
          'content' in operation &&
          'block_type' in operation.content &&
          operation.content.content === text,
      );
    expect(uuidOf(third, 'y')).not.toMatchObject({
      uuid: (uuidOf(first, 'y') as { uuid: string }).uuid,
    });
  });

  it('dates a change now when the file is not newer than what is stored', () => {
    const stored = apply(planDocument(record(['x'], '2026-03-01'), [], place), []);
    expect(planDocument(record(['y'], '2026-02-01'), stored, place).operations[0]).toMatchObject({
      valid_from: '2026-06-01T00:00:00.000Z',
    });
    expect(planDocument(record(['y'], '2027-01-01'), stored, place).operations[0]).toMatchObject({
      valid_from: '2026-06-01T00:00:00.000Z',
    });
  });
});
