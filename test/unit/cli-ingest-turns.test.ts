import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { firstInvalidByte, MAX_LINE_BYTES } from '../../src/ingest/input-error.ts';
import { readLines } from '../../src/ingest/lines.ts';
import { openTurns, toTurn } from '../../src/ingest/turns.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-turns-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const linesOf = async (content: string | Buffer) => {
  const lines = [];
  for await (const line of readLines(write('lines', content), 'shown.jsonl')) lines.push(line);
  return lines;
};
const turnsOf = async (content: string | Buffer) => {
  const turns = [];
  const [source] = await openTurns({
    path: write('turns.jsonl', content),
    shown: 'turns.jsonl',
    name: 'turns.jsonl',
    isNamed: false,
  });
  for await (const turn of source?.records() ?? []) turns.push(turn);
  return { turns, name: source?.name };
};

describe('lines', () => {
  it('are cut at line ends, whichever, with or without the last', async () => {
    expect(await linesOf('\ufeffa\r\nb\n\nc')).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: 'b' },
      { number: 3, text: '' },
      { number: 4, text: 'c' },
    ]);
    expect(await linesOf('a\n')).toEqual([{ number: 1, text: 'a' }]);
    expect(await linesOf('')).toEqual([]);
  });

  it('are whole when a character spans two reads', async () => {
    const text = `${'x'.repeat(256 * 1024 - 1)}é\nend`;
    expect((await linesOf(text)).map((line) => line.text.length)).toEqual([256 * 1024, 3]);
  });

  it('are refused when they are not UTF-8, with the offset in the file', async () => {
    const bytes = Buffer.concat([
      Buffer.from('good é\nbad '),
      Buffer.from([0xe9]),
      Buffer.from(' line\n'),
    ]);
    await expect(linesOf(bytes)).rejects.toMatchObject({
      code: 'CLI.INPUT',
      message: 'Invalid UTF-8: byte `0xe9` at offset 12.',
      where: { file: 'shown.jsonl', line: 2 },
    });
  });

  it('are refused when they are too long, before they are in memory', async () => {
    await expect(linesOf(`short\n${'x'.repeat(10 * 1024 * 1024)}`)).rejects.toMatchObject({
      code: 'CLI.INPUT',
      message: `The line is longer than ${MAX_LINE_BYTES} bytes.`,
      where: { line: 2 },
    });
  });

  it.each([
    [[0x80], 0],
    [[0x61, 0xc3], 1],
    [[0x61, 0xe2, 0x82, 0x61], 1],
    [[0xef, 0xbf, 0xbd, 0xf0, 0x9f, 0x98, 0x80, 0xef, 0xbf, 0xbd, 0xff], 10],
  ])('name the first bad byte of %j', (bytes, at) => {
    expect(firstInvalidByte(Buffer.from(bytes))).toBe(at);
  });
});

describe('a turn', () => {
  const where = { file: 'f.jsonl', line: 7 };

  it('keeps what it does not know in the metadata', () => {
    expect(
      toTurn(
        {
          role: 'Human',
          content: 'hi',
          name: 'Ada',
          timestamp: 1_767_225_600,
          mood: 'fine',
          metadata: { a: 1 },
        },
        where,
      ),
    ).toMatchObject({
      role: 'user',
      author: 'Ada',
      content: 'hi',
      occurredAt: '2026-01-01T00:00:00.000Z',
      metadata: { mood: 'fine', a: 1 },
      blockType: 'turn',
    });
  });

  it('takes the time from what other systems call it, where that is one', () => {
    const at = '2026-01-01T00:00:00.000Z';
    for (const key of ['createdAt', 'time', 'ts', 'date'])
      expect(toTurn({ content: 'x', [key]: at }, where)).toMatchObject({
        occurredAt: at,
        metadata: { [key]: at },
      });
    expect(toTurn({ content: 'x', time: '12:30' }, where).occurredAt).toBe(null);
    expect(toTurn({ content: 'x', date: '2026-01-02', created_at: at }, where).occurredAt).toBe(at);
  });

  it('reads a time without a zone as UTC, and a number over 10^11 as milliseconds', () => {
    expect(toTurn({ content: 'x', occurred_at: '2026-03-01 09:00' }, where).occurredAt).toBe(
      '2026-03-01T09:00:00.000Z',
    );
    expect(toTurn({ content: 'x', created_at: 1_767_225_600_000 }, where).occurredAt).toBe(
      '2026-01-01T00:00:00.000Z',
    );
  });

  it('joins the text parts of a message', () => {
    expect(
      toTurn(
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        where,
      ).content,
    ).toBe('a\nb');
  });

  it.each([
    [[], 'The line is not a JSON object.'],
    [{ role: 'user' }, 'The turn has no `content`.'],
    [{ content: '  ' }, '`content` is empty.'],
    [{ content: 5 }, '`content` is of type `number`.'],
    [{ content: [{ type: 'image_url' }] }, '`content` is a list with parts that have no text.'],
    [{ content: 'x', role: 'narrator' }, '`role` is `narrator`.'],
    [{ content: 'x', occurred_at: 'yesterday' }, '`occurred_at` is `yesterday`, not a time.'],
    [{ content: 'x', tags: [1] }, '`tags` is not a list of texts.'],
    [{ content: 'x', metadata: 3 }, '`metadata` is not an object.'],
    [{ content: 'x', block_type: '1 2' }, '`block_type` is `1 2`.'],
    [{ content: 'a\u0000b' }, 'The text holds a NUL character.'],
    [{ content: '\ud800' }, 'The text holds half of a surrogate pair.'],
    [
      { content: 'x', extra: { deep: ['\u0000'] } },
      'The metadata holds a NUL character or half of a surrogate pair.',
    ],
    [
      { content: 'x'.repeat(1024 * 1024 + 1) },
      'The content is 1048577 bytes; the limit is 1048576.',
    ],
  ])('is refused with its place: %#', (value, message) => {
    expect(() => toTurn(value, where)).toThrow(
      expect.objectContaining({
        code: 'CLI.INPUT',
        message,
        where: expect.objectContaining(where),
      }),
    );
  });

  it('may speak of \\u0000 without holding one', () => {
    expect(toTurn({ content: 'x', extra: 'write \\u0000' }, where).metadata).toEqual({
      extra: 'write \\u0000',
    });
  });
});

describe('a file of turns', () => {
  it('is found again by its name and first turn, however it grows', async () => {
    const one = await turnsOf('{"role":"user","content":"hi"}\n');
    const grown = await turnsOf(
      '{"role":"user","content":"hi"}\n\n{"role":"assistant","content":"hello"}\n',
    );
    const other = await turnsOf('{"role":"user","content":"hello"}\n');
    expect([one.turns.length, grown.turns.length]).toEqual([1, 2]);
    expect(grown.name).toBe(one.name);
    expect(other.name).not.toBe(one.name);
  });

  it('names line and column of malformed JSON', async () => {
    await expect(turnsOf('{"content":"ok"}\n{"content": nope}\n')).rejects.toMatchObject({
      code: 'CLI.INPUT',
      where: { file: 'turns.jsonl', line: 2, column: 13 },
    });
  });

  it('must hold a turn', async () => {
    await expect(turnsOf('\n \n')).rejects.toMatchObject({
      code: 'CLI.INPUT',
      message: 'The file has no turns.',
    });
  });
});
