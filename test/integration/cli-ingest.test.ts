/**
 * Ingest over the real write path and the reference connector: what a second, a longer, an
 * interrupted run adds.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { createReceiptQueue } from '../../src/compose/receipt-queue.ts';
import { keyedDigests } from '../../src/engine/keyed-digests.ts';
import { createReading } from '../../src/engine/methods/look-back-methods.ts';
import { createWriting } from '../../src/engine/methods/write-methods.ts';
import type { IngestEngine } from '../../src/ingest/batches.ts';
import { openSource } from '../../src/ingest/open-source.ts';
import { checkSources, scopeOf, type Written, writeSource } from '../../src/ingest/write-source.ts';
import type { AnyRow } from '../../src/model/block.ts';
import { parseUuid, toInstant } from '../../src/model/ids.ts';
import { createPermissionDoor } from '../../src/permission/door.ts';
import { createOutageMarker } from '../../src/telemetry/outage-marker.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

let cwd = '';
let nowMs = Date.UTC(2026, 5, 1);
let ids = 0;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'cli-ingest-'));
  nowMs = Date.UTC(2026, 5, 1);
  ids = 0;
});
afterEach(() => rmSync(cwd, { recursive: true }));

const PROFILE = { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' } as const;

type Engine = IngestEngine & Pick<ReturnType<typeof createReading>, 'exportScope'>;

function openEngine(): Engine {
  const authority = referenceAuthority();
  const parts = {
    authority,
    permission: createPermissionDoor({
      newId: () => parseUuid(randomUUID(), 'id'),
      owner: null,
      authority,
      manifests: [],
      digestOf: (text) => text,
      now: () => toInstant(nowMs),
    }),
    embedder: null,
    isServer: false,
    model: null,
    timeZone: 'UTC',
    manifests: { manifests: [], collections: {}, findings: [] },
    digestOf: (text: string) => text,
    now: () => toInstant(nowMs),
    newId: () => parseUuid(`00000000-0000-4000-9000-${String(++ids).padStart(12, '0')}`, 'id'),
    profileOf: async () => PROFILE,
    settled: async () => undefined,
    outage: createOutageMarker({
      path: null,
      owner: 'test',
      now: () => toInstant(nowMs),
      stopwatch: () => nowMs,
    }),
    writer: 'test',
    open: <A extends readonly unknown[], R>(body: (...args: A) => Promise<R>) => body,
  };
  return {
    ...createWriting({ ...parts, worker: { appended: async () => undefined } }),
    ...createReading({ ...parts, receiptQueue: createReceiptQueue(authority) }),
    keyedDigests: () => keyedDigests(parts, undefined),
  };
}

interface Run extends Written {
  readonly scope: string;
  readonly batches: number;
}

async function ingest(
  engine: Engine,
  path: string,
  options: {
    readonly type?: string;
    readonly scope?: string;
    readonly stopAfter?: number;
    readonly name?: string;
  } = {},
): Promise<readonly Run[]> {
  const opened = await openSource({
    path,
    adapter: undefined,
    name: options.name,
    terminal: memoryTerminal({ cwd }),
  });
  await checkSources(opened.sources, () => undefined);
  const runs: Run[] = [];
  for (const source of opened.sources) {
    const { uuid } = await scopeOf(
      source,
      {
        tenant: 'local',
        scope: options.scope,
        type: options.type ?? 'chat_session',
        title: undefined,
        inherits: [],
      },
      engine,
    );
    let batches = 0;
    const onCommit = async (): Promise<void> => {
      batches += 1;
      if (batches === options.stopAfter) throw new Error('stopped');
    };
    const totals = await writeSource(source, { engine, scope: uuid, nowMs, onCommit });
    runs.push({ scope: uuid, batches, ...totals });
  }
  return runs;
}

const rowsOf = async (engine: Engine, scope: string): Promise<readonly AnyRow[]> => {
  const rows = [];
  for await (const line of engine.exportScope(scope))
    if ('row' in line) rows.push(line as unknown as AnyRow);
  return rows;
};
const turnsOf = async (engine: Engine, scope: string): Promise<readonly string[]> =>
  (await rowsOf(engine, scope)).flatMap((version) =>
    version.table === 'blocks' && version.row.block_type === 'turn' ? [version.row.content] : [],
  );

const turn = (content: string, time?: string): string =>
  JSON.stringify({ role: 'user', content, ...(time === undefined ? {} : { occurred_at: time }) });
const write = (name: string, lines: readonly string[]): void =>
  writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);

describe('a conversation', () => {
  const lines = [
    turn('hello', '2026-01-01'),
    turn('ok', '2026-01-01'),
    turn('ok', '2026-01-01'),
    turn('bye', '2026-01-02'),
  ];

  it('keeps repeated turns, adds nothing the second time and only the tail of an appended file', async () => {
    const engine = openEngine();
    write('chat.jsonl', lines);
    const [first] = await ingest(engine, 'chat.jsonl');
    expect(first).toMatchObject({ stored: 4, duplicate: 0, batches: 1 });
    expect(await ingest(engine, 'chat.jsonl')).toMatchObject([
      { scope: first?.scope, stored: 0, duplicate: 4 },
    ]);
    write('chat.jsonl', [...lines, turn('ok', '2026-01-01'), turn('again', '2026-01-03')]);
    expect(await ingest(engine, 'chat.jsonl')).toMatchObject([
      { scope: first?.scope, stored: 2, duplicate: 4 },
    ]);
    expect(await turnsOf(engine, first?.scope ?? '')).toEqual([
      'hello',
      'ok',
      'ok',
      'bye',
      'ok',
      'again',
    ]);
  });

  it('without times keeps the time at which a turn was first seen', async () => {
    const engine = openEngine();
    write('chat.jsonl', [turn('one'), turn('two')]);
    const [first] = await ingest(engine, 'chat.jsonl');
    nowMs += 86_400_000;
    write('chat.jsonl', [turn('one'), turn('two'), turn('three')]);
    expect(await ingest(engine, 'chat.jsonl')).toMatchObject([{ stored: 1, duplicate: 2 }]);
    const times = (await rowsOf(engine, first?.scope ?? '')).flatMap((version) =>
      version.table === 'blocks' && version.row.block_type === 'turn'
        ? [version.row.occurred_at]
        : [],
    );
    expect(times).toEqual([
      '2026-06-01T00:00:00.000Z',
      '2026-06-01T00:00:00.000Z',
      '2026-06-02T00:00:00.000Z',
    ]);
  });

  it('gives no turn a time to come: those without one stand where the file has them', async () => {
    const engine = openEngine();
    const untimed = Array.from({ length: 30 }, (_, n) => turn(`untimed ${n}`));
    write('mixed.jsonl', [turn('first', '2026-01-01'), ...untimed, turn('last', '2026-01-02')]);
    const [mixed] = await ingest(engine, 'mixed.jsonl');
    const rows = (await rowsOf(engine, mixed?.scope ?? '')).flatMap((version) =>
      version.table === 'blocks' && version.row.block_type === 'turn' ? [version.row] : [],
    );
    const order = rows.toSorted((a, b) =>
      a.occurred_at < b.occurred_at
        ? -1
        : a.occurred_at > b.occurred_at
          ? 1
          : a.recorded_seq - b.recorded_seq,
    );
    expect(order.map(({ content }) => content)).toEqual([
      'first',
      ...untimed.map((_, n) => `untimed ${n}`),
      'last',
    ]);
    expect(order.at(-2)?.occurred_at).toBe('2026-01-01T00:00:00.000Z');
  });

  it('is another one in another folder, for another tenant of names, and one under one given name', async () => {
    const engine = openEngine();
    for (const folder of ['a', 'b']) mkdirSync(join(cwd, folder));
    write('a/chat.jsonl', [turn('of a', '2026-01-01')]);
    write('b/chat.jsonl', [turn('of b', '2026-01-01')]);
    const [[a], [b]] = [await ingest(engine, 'a/chat.jsonl'), await ingest(engine, 'b/chat.jsonl')];
    expect(a?.scope).not.toBe(b?.scope);
    const [[x], [y]] = [
      await ingest(engine, 'a/chat.jsonl', { name: 'joint' }),
      await ingest(engine, 'b/chat.jsonl', { name: 'joint' }),
    ];
    expect([x?.scope, y?.duplicate]).toEqual([y?.scope, 0]);
  });

  it('that was interrupted goes on where it was', async () => {
    const engine = openEngine();
    const many = Array.from({ length: 950 }, (_, index) =>
      turn(index % 3 === 0 ? 'ok' : `turn ${index}`, '2026-01-01'),
    );
    write('chat.jsonl', many);
    await expect(ingest(engine, 'chat.jsonl', { stopAfter: 2 })).rejects.toThrow('stopped');
    const [whole] = await ingest(engine, 'chat.jsonl');
    expect(whole).toMatchObject({ stored: 550, duplicate: 400, batches: 5 });
    expect(await turnsOf(engine, whole?.scope ?? '')).toHaveLength(950);
  });

  it('with a fault at its end is not written at all', async () => {
    const engine = openEngine();
    write('chat.jsonl', [...lines, '{"role":"user"}']);
    await expect(ingest(engine, 'chat.jsonl')).rejects.toMatchObject({
      code: 'CLI.INPUT',
      where: { file: 'chat.jsonl', line: 5 },
    });
    expect(await engine.scopes.list()).toEqual([]);
  });

  it('whose metadata changed stays as it was first stored', async () => {
    const engine = openEngine();
    write('chat.jsonl', [
      JSON.stringify({ content: 'x', occurred_at: '2026-01-01', mood: 'fine' }),
    ]);
    await ingest(engine, 'chat.jsonl');
    write('chat.jsonl', [
      JSON.stringify({ content: 'x', occurred_at: '2026-01-01', mood: 'sad' }),
      turn('new', '2026-01-02'),
    ]);
    expect(await ingest(engine, 'chat.jsonl')).toMatchObject([{ stored: 1, duplicate: 1 }]);
  });
});

describe('a folder of documents', () => {
  const document = (name: string, text: string, time: number): void => {
    writeFileSync(join(cwd, 'docs', name), text);
    utimesSync(join(cwd, 'docs', name), time, time);
  };
  const live = async (engine: Engine, scope: string): Promise<readonly string[]> =>
    (await rowsOf(engine, scope))
      .flatMap((version) =>
        version.table === 'blocks' &&
        version.row.block_type === 'chunk' &&
        version.row.valid_until === null
          ? [version.row.content]
          : [],
      )
      .sort();

  it('is written once; a changed file supersedes what changed and only that', async () => {
    const engine = openEngine();
    mkdirSync(join(cwd, 'docs'));
    const section = (name: string): string =>
      `## ${name}\n\n${Array.from({ length: 150 }, (_, index) => `${name}${index}`).join(' ')}`;
    document('a.md', `${section('one')}\n\n${section('two')}`, 1_700_000_000);
    document('b.md', 'small', 1_700_000_000);
    const [first] = await ingest(engine, 'docs', { type: 'project' });
    const chunks = await live(engine, first?.scope ?? '');
    expect(first).toMatchObject({ stored: chunks.length + 2, duplicate: 0, batches: 1 });
    expect(await ingest(engine, 'docs', { type: 'project' })).toMatchObject([
      { scope: first?.scope, stored: 0, duplicate: chunks.length + 2, superseded: 0, batches: 0 },
    ]);
    document('b.md', 'small, changed', 1_710_000_000);
    expect(await ingest(engine, 'docs', { type: 'project' })).toMatchObject([
      { superseded: 1, conflict: 0, batches: 1 },
    ]);
    expect(await live(engine, first?.scope ?? '')).toEqual(
      [...chunks.filter((text) => text !== 'small'), 'small, changed'].sort(),
    );
    document('b.md', 'small', 1_720_000_000);
    await ingest(engine, 'docs', { type: 'project' });
    expect(await live(engine, first?.scope ?? '')).toEqual(chunks);
  });

  it('names documents whose file was removed, of this source alone', async () => {
    const engine = openEngine();
    mkdirSync(join(cwd, 'docs'));
    for (const name of ['a.md', 'b.md', 'c.md']) document(name, `of ${name}`, 1_700_000_000);
    const [first] = await ingest(engine, 'docs', { type: 'project' });
    const scope = first?.scope ?? '';
    await ingest(engine, 'docs', { scope, name: 'another' });
    const stored = await engine.documents(scope);
    rmSync(join(cwd, 'docs', 'b.md'));
    const [again] = await ingest(engine, 'docs', { type: 'project' });
    const gone = stored.filter(({ path }) => path === 'b.md').map(({ root_uuid }) => root_uuid);
    expect([first?.removed, gone.length, again?.removed.map(({ path }) => path)]).toEqual([
      [],
      2,
      ['b.md'],
    ]);
    expect(gone).toContain(again?.removed[0]?.root_uuid);
    expect(stored.map(({ path, title }) => `${path} ${title}`)).toEqual([
      'a.md a',
      'a.md a',
      'b.md b',
      'b.md b',
      'c.md c',
      'c.md c',
    ]);
  });
});

describe('facts', () => {
  it('are the same by what the file says of them', async () => {
    const engine = openEngine();
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    const file = {
      facts: [
        { content: 'likes tea' },
        { content: 'likes tea' },
        { content: 'is tall', valid_from: '2026-01-01' },
      ],
      typed: [
        {
          subject: 'ada',
          collection: 'profile',
          property: 'city',
          value: 'Graz',
          valid_from: '2026-01-01',
        },
      ],
    };
    writeFileSync(join(cwd, 'facts.json'), JSON.stringify(file));
    expect(await ingest(engine, 'facts.json', { scope })).toMatchObject([
      { stored: 4, duplicate: 0 },
    ]);
    nowMs += 1000;
    expect(await ingest(engine, 'facts.json', { scope })).toMatchObject([
      { stored: 0, duplicate: 4 },
    ]);
    file.typed.push({
      subject: 'ada',
      collection: 'profile',
      property: 'city',
      value: 'Wien',
      valid_from: '2026-02-01',
    });
    writeFileSync(join(cwd, 'facts.json'), JSON.stringify(file));
    expect(await ingest(engine, 'facts.json', { scope })).toMatchObject([
      { stored: 0, superseded: 1, duplicate: 4 },
    ]);
  });
});
