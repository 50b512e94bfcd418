import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openFacts } from '../../src/ingest/facts.ts';
import { createOrdinals, digestOf, earlierUuid } from '../../src/ingest/keys.ts';
import { openLocomo, parseSessionTime } from '../../src/ingest/locomo.ts';
import { openSource } from '../../src/ingest/open-source.ts';
import { jsonErrorAt } from '../../src/text/json-text.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'cli-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sample = {
  sample_id: 'conv-1',
  conversation: {
    speaker_a: 'Ada',
    speaker_b: 'Ben',
    session_10_date_time: '9:00 am on 1 June, 2023',
    session_10: [{ speaker: 'Ben', dia_id: 'D10:1', text: 'later' }],
    session_2_date_time: '1:56 pm on 8 May, 2023',
    session_2: [
      {
        speaker: 'Ada',
        dia_id: 'D2:1',
        text: 'look',
        blip_caption: 'a red bicycle',
        img_url: ['u'],
      },
    ],
    session_3_date_time: '1:00 pm on 9 May, 2023',
  },
};

describe('LoCoMo', () => {
  it('is a source a conversation, turns in the order of sessions, speakers as authors', async () => {
    const [source] = openLocomo([sample], 'locomo.json');
    const turns = [];
    for await (const record of source?.records() ?? []) turns.push(record);
    expect([source?.name, source?.title]).toEqual(['locomo:conv-1', 'conv-1: Ada and Ben']);
    expect(turns).toMatchObject([
      {
        author: 'Ada',
        role: 'user',
        content: 'look\n(shared an image: a red bicycle)',
        occurredAt: '2023-05-08T13:56:00.000Z',
        identity: 'D2:1',
        metadata: { dia_id: 'D2:1', session: 2, img_url: ['u'] },
      },
      {
        author: 'Ben',
        content: 'later',
        occurredAt: '2023-06-01T09:00:00.000Z',
        metadata: { dia_id: 'D10:1' },
      },
    ]);
  });

  it.each([
    ['12:04 am on 3 January, 2024', '2024-01-03T00:04:00.000Z'],
    ['12:30 pm on 31 december 2023', '2023-12-31T12:30:00.000Z'],
  ])('reads the time %s', (text, instant) => {
    expect(parseSessionTime(text, { file: 'f' })).toBe(instant);
  });

  it('refuses other times, and what is no conversation', () => {
    expect(() => parseSessionTime('8 May 2023', { file: 'f' })).toThrow(
      expect.objectContaining({ code: 'CLI.INPUT' }),
    );
    expect(() =>
      openLocomo(
        [
          {
            conversation: {
              session_1: [{ text: 'x' }],
              session_1_date_time: '1:00 pm on 9 May, 2023',
            },
          },
        ],
        'f',
      ),
    ).toThrow('has no `text` or no `dia_id`');
    expect(() => openLocomo([{ conversation: {} }], 'f')).toThrow('`conversation-1` has no turns.');
  });
});

describe('a file of facts', () => {
  const file = { path: 'f.json', shown: 'f.json', name: 'f.json', isNamed: false };

  it('gives facts, then typed values', async () => {
    const [source] = openFacts(
      {
        facts: [{ content: 'likes tea', valid_from: '2026-01-01' }],
        typed: [{ subject: 'ada', collection: 'profile', property: 'city', value: 'Graz' }],
      },
      file,
    );
    const records = [];
    for await (const record of source?.records() ?? []) records.push(record);
    expect(records).toEqual([
      { kind: 'fact', fact: { content: 'likes tea', valid_from: '2026-01-01T00:00:00.000Z' } },
      {
        kind: 'typed',
        subject: 'ada',
        collection: 'profile',
        property: 'city',
        value: 'Graz',
        options: {},
      },
    ]);
  });

  it.each([
    [{ facts: [] }, 'no fact and no typed value'],
    [{ facts: [{ text: 'x' }] }, 'The fact has no `content`.'],
    [{ facts: [{ content: 'x', when: 1 }] }, 'Unknown key `when`.'],
    [{ typed: [{ subject: 'a' }] }, 'lacks one of'],
    [{ facts: [{ content: 'x', valid_from: 'soon' }] }, 'not a time'],
  ])('is refused as a whole: %j', (value, message) => {
    expect(() => openFacts(value, file)).toThrow(message);
  });
});

describe('the adapter', () => {
  const open = async (name: string, content: string, adapter?: 'facts') => {
    writeFileSync(join(folder, name), content);
    return openSource({
      path: name,
      adapter,
      name: undefined,
      terminal: memoryTerminal({ cwd: folder }),
    });
  };

  it.each([
    ['a.jsonl', '{"content":"x"}', 'jsonl'],
    ['b.json', JSON.stringify([sample]), 'locomo'],
    ['c.json', JSON.stringify({ facts: [{ content: 'x' }] }, null, 2), 'facts'],
    ['d.json', '{"role":"user","content":"x"}\n{"role":"user","content":"y"}\n', 'jsonl'],
    ['e.txt', 'words', 'text'],
    ['f.md', '# words', 'markdown'],
    ['noextension', '{"role":"user","content":"x"}', 'jsonl'],
    ['other', 'just words', 'text'],
  ])('of %s is seen', async (name, content, adapter) => {
    expect((await open(name, content)).adapter).toBe(adapter);
  });

  it('reads standard input', async () => {
    const opened = await openSource({
      path: '-',
      adapter: undefined,
      name: undefined,
      terminal: memoryTerminal({ stdin: '{"content":"from a pipe"}\n' }),
    });
    const contents = [];
    for await (const record of opened.sources[0]?.records() ?? [])
      contents.push(record.kind === 'turn' ? record.content : '');
    await opened.close();
    expect([opened.adapter, contents]).toEqual(['jsonl', ['from a pipe']]);
  });

  it.each([
    ['missing.jsonl', null, 'There is no file or folder `missing.jsonl`.'],
    ['empty.jsonl', '', 'The file is empty.'],
    ['bad.json', '{"facts": [}', 'Malformed JSON: `}` is not expected here.'],
    ['what.json', '{"a": 1}', 'The JSON is neither LoCoMo conversations nor facts.'],
  ])('refuses %s', async (name, content, message) => {
    const opening =
      content === null
        ? openSource({
            path: name,
            adapter: undefined,
            name: undefined,
            terminal: memoryTerminal({ cwd: folder }),
          })
        : open(name, content);
    await expect(opening).rejects.toMatchObject({
      code: 'CLI.INPUT',
      message,
      where: { file: name },
    });
  });
});

describe('keys', () => {
  it('are UUIDs of version 8 that tell their parts apart', () => {
    expect(earlierUuid(['a', 'b'])).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(earlierUuid(['a', 'b'])).toBe(earlierUuid(['a', 'b']));
    expect(digestOf(['ab', ''])).not.toBe(digestOf(['a', 'b']));
    expect(digestOf([null])).not.toBe(digestOf(['']));
  });

  it('count equals', () => {
    const ordinalOf = createOrdinals();
    const [a, b] = [digestOf(['a']), digestOf(['b'])];
    expect([ordinalOf(a), ordinalOf(a), ordinalOf(b), ordinalOf(a)]).toEqual([0, 1, 0, 2]);
  });
});

describe('malformed JSON', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['{"a"', 4],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['nul', 0],
    ['{"a":1} x', 8],
    ['{a:1}', 1],
    ['"\\x"', 0],
    ['01', 1],
    ['[}', 1],
    ['{"a":[1,{"b":tru}]}', 13],
  ])('%j is wrong at %i', (text, at) => {
    expect(jsonErrorAt(text)).toBe(at);
    expect(() => JSON.parse(text)).toThrow();
  });
});
