/**
 * The built bin against an embedded database of its own: what a user sees, command after command.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), 'cli-bin-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const start = (words: readonly string[], env: Record<string, string> = {}): ChildProcess =>
  spawn(process.execPath, [BIN, ...words], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });

async function ran(
  words: readonly string[],
  options: { readonly stdin?: string; readonly env?: Record<string, string> } = {},
) {
  const child = start(words, options.env);
  let out = '';
  let err = '';
  child.stdout?.on('data', (part: Buffer) => {
    out += part.toString();
  });
  child.stderr?.on('data', (part: Buffer) => {
    err += part.toString();
  });
  child.stdin?.end(options.stdin ?? '');
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, err };
}
const json = async (...words: string[]) => {
  const { code, out, err } = await ran([...words, '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
};

const turn = (content: string, minute: number, role = 'user'): string =>
  JSON.stringify({
    role,
    content,
    author: 'ada',
    occurred_at: `2026-01-01T10:${String(minute).padStart(2, '0')}:00Z`,
  });

describe('the bin', () => {
  let scope = '';
  let composition = '';

  beforeAll(async () => {
    writeFileSync(
      join(cwd, 'chat.jsonl'),
      `${[turn('We keep the files in one bucket.', 1), turn('ok', 2, 'assistant'), turn('ok', 2, 'assistant'), turn('The launch is on 17 March.', 3)].join('\n')}\n`,
    );
    mkdirSync(join(cwd, 'docs'));
    writeFileSync(
      join(cwd, 'docs', 'storage.md'),
      '# Storage\n\nThe bucket is in the north region.\n',
    );
    expect((await ran(['init', 'talk', '--scope-type', 'talk'])).code).toBe(0);
    scope = (await json('ingest', 'chat.jsonl', '--scope-type', 'talk')).scope_block_uuid;
  });

  it('ingests again without adding, and documents into the same scope', async () => {
    expect(await json('ingest', 'chat.jsonl', '--scope-type', 'talk')).toMatchObject({
      scope_block_uuid: scope,
      stored: 0,
      duplicate: 4,
      superseded: 0,
      embedding_pending: 0,
    });
    expect(await json('ingest', 'docs', '--scope', scope)).toMatchObject({
      scope_block_uuid: scope,
      stored: 2,
    });
  });

  it('prints a receipt line for each committed batch, from standard input too', async () => {
    const lines = Array.from({ length: 450 }, (_, index) => turn(`line ${index}`, index % 60)).join(
      '\n',
    );
    const { code, out } = await ran(
      ['ingest', '-', '--scope-type', 'talk', '--source', 'pipe', '--jsonl'],
      { stdin: lines },
    );
    const receipts = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([
      code,
      receipts.map((receipt) => [receipt.batch, receipt.stored, receipt.uuids.length]),
    ]).toEqual([
      0,
      [
        [1, 200, 200],
        [2, 200, 200],
        [3, 50, 50],
      ],
    ]);
    expect(receipts[2]).toMatchObject({
      duplicate: 0,
      position: [{ scope: receipts[0].scope_block_uuid }],
    });
  });

  it('says when no layer will ever serve what it remembers', async () => {
    mkdirSync(join(cwd, 'strict'));
    const layers = 'layers: { open_set: { categories: [preference, decision] } }';
    writeFileSync(
      join(cwd, 'strict', 'talk.yaml'),
      `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: strict, version: 1, scope_block_type: talk }\nspec:\n  ${layers}\n`,
    );
    const remember = (...words: string[]) =>
      ran(['remember', '--manifests', 'strict', '--scope', scope, ...words]);
    const misspelt = await remember('Tea, not coffee.', '--category', 'preferense');
    expect([misspelt.code, misspelt.err]).toEqual([
      0,
      expect.stringMatching(/selects the category `preferense`.*Did you mean `preference`/s),
    ]);
    expect((await remember('Tea, never coffee.')).err).toContain('facts without a category');
    expect((await remember('Tea, black.', '--category', 'preference')).err).not.toContain(
      'selects',
    );
  });

  it('remembers, composes, explains and replays the same bytes', async () => {
    const remembered = await json(
      'remember',
      '--scope',
      scope,
      'Ada wants short answers.',
      '--category',
      'preference',
    );
    expect(remembered).toMatchObject({ stored: 1 });
    const composed = await json(
      'compose',
      '--scope',
      scope,
      '--intent',
      'follow_up',
      '--query',
      'Where do we keep the files?',
      '--trace',
    );
    expect(composed).toMatchObject({
      manifest: { name: 'talk' },
      cache: { state: 'miss' },
      trace: { intent: { name: 'follow_up' } },
    });
    expect(composed.text).toContain('We keep the files in one bucket.');
    expect(composed.text).not.toContain('\n\n</system>');
    expect(composed.tokens.used).toBeLessThanOrEqual(composed.tokens.budget);
    composition = composed.composition_id;
    const explained = await json('explain', composition);
    expect(explained.items.length).toBe(composed.items.length);
    expect(explained.items.every((item: { why: string }) => item.why.length > 0)).toBe(true);
    expect((await ran(['explain', composition])).out).toContain(
      'one of the last turns of the scope',
    );
    const { code, out, err } = await ran(['replay', composition]);
    expect([code, err, out.trimEnd()]).toEqual([0, '', composed.text.trimEnd()]);
    expect(await json('history', remembered.root_uuid)).toMatchObject([
      { table: 'memory_open_set', row: { content: 'Ada wants short answers.' } },
    ]);
  });

  it('gives messages and other formats', async () => {
    const compose = ['compose', '--scope', scope, '--intent', 'follow_up', '--query', 'Where?'];
    const openai = JSON.parse((await ran([...compose, '--format', 'openai'])).out);
    expect([openai[0].role, openai.at(-1)]).toEqual([
      'system',
      { role: 'user', content: 'Where?' },
    ]);
    const { messages } = await json(...compose, '--format', 'anthropic');
    expect(messages.system).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'text' })]),
    );
    expect(messages.messages.at(-1)).toMatchObject({ role: 'user' });
    const markdown = (await ran([...compose, '--format', 'markdown'])).out;
    expect(markdown).toMatch(/^## recent$/m);
  });

  it('exports a scope and imports it elsewhere', async () => {
    expect((await ran(['export', '--scope', scope, '--out', 'scope.jsonl'])).code).toBe(0);
    const lines = readFileSync(join(cwd, 'scope.jsonl'), 'utf8');
    const imported = await ran(['import', '-', '--data-dir', 'other', '--json'], { stdin: lines });
    expect([imported.code, imported.err, JSON.parse(imported.out).scope_block_uuid]).toEqual([
      0,
      '',
      scope,
    ]);
    expect((await ran(['export', '--scope', scope, '--data-dir', 'other'])).out).toBe(lines);
  });

  it('takes the key of a scope wherever it takes its uuid', async () => {
    const key = 'auth0|dana';
    const made = await json('scope', 'create', '--type', 'talk', '--key', key, '--title', 'Dana');
    expect(made).toMatchObject({ is_new: true });
    const { scope_block_uuid: dana } = made;
    expect(
      await json('scope', 'create', '--type', 'talk', '--key', key, '--title', 'Dana Wu'),
    ).toMatchObject({ scope_block_uuid: dana, is_new: false });
    expect(await json('scope', 'show', key)).toMatchObject({ title: 'Dana Wu' });
    await json('remember', '--scope', key, 'Dana likes tea');
    const asked = ['--intent', 'fact', '--query', 'what does Dana like?'];
    expect((await json('compose', '--scope', key, ...asked)).text).toContain('tea');
    expect((await ran(['export', '--scope', key])).out).toContain('Dana likes tea');
    const inner = await json('scope', 'create', '--type', 'talk', '--inherits', key);
    const inherited = await json('compose', '--scope', inner.scope_block_uuid, ...asked);
    expect(inherited.text).toContain('tea');
    const absent = await ran(['compose', '--scope', 'auth0|eve', ...asked, '--json']);
    expect([absent.code, JSON.parse(absent.err || absent.out)]).toMatchObject([
      2,
      { code: 'SCOPE.NOT_FOUND' },
    ]);
  });

  it('says what it has, and where its settings come from', async () => {
    expect(await json('scope', 'list')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ scope_block_uuid: scope, type: 'talk', title: 'chat.jsonl' }),
      ]),
    );
    expect(await json('scope', 'show', scope)).toMatchObject({ manifests: [{ name: 'talk' }] });
    const doctor = await json('doctor');
    expect(doctor).toMatchObject({
      ok: true,
      settings: expect.arrayContaining([
        expect.objectContaining({ name: 'database', origin: 'contextengine.config.json' }),
      ]),
    });
  });

  it.each([
    [
      [
        'compose',
        '--scope',
        '00000000-0000-4000-8000-000000000000',
        '--intent',
        'follow_up',
        '--query',
        'x',
      ],
      'SCOPE.NOT_FOUND',
    ],
    [['explain', '00000000-0000-4000-8000-000000000000'], 'RECEIPT.NOT_FOUND'],
    [['ingest', 'none.jsonl', '--scope-type', 'talk'], 'CLI.INPUT'],
  ])('leaves with 2 and a code: %j', async (words, code) => {
    const result = await ran([...words, '--json']);
    expect([result.code, result.out, JSON.parse(result.err).code]).toEqual([2, '', code]);
  });

  it('tells a second process who holds the folder, and lets go of it when interrupted', async () => {
    const holder = start(['ingest', '-', '--scope-type', 'talk', '--source', 'held', '--jsonl']);
    const acknowledged = new Promise((resolve) => holder.stdout?.once('data', resolve));
    holder.stdin?.end(
      Array.from({ length: 20_000 }, (_, index) => turn(`held ${index}`, index % 60)).join('\n'),
    );
    await acknowledged;
    const reading = await ran(['scope', 'list', '--json']);
    expect([reading.code, reading.err]).toEqual([0, '']);
    const second = await ran(['scope', 'create', '--type', 'talk', '--json']);
    expect([
      second.code,
      JSON.parse(second.err).code,
      second.err.includes(String(holder.pid)),
    ]).toEqual([2, 'CONNECTOR.LOCKED', true]);
    const ended = new Promise<number | null>((resolve) => holder.on('close', resolve));
    holder.kill('SIGINT');
    expect(await ended).toBe(130);
    expect((await ran(['scope', 'list', '--json'])).code).toBe(0);
  });

  it('does not mind a reader that goes away', async () => {
    const child = start(['export', '--scope', scope]);
    child.stdout?.once('data', () => child.stdout?.destroy());
    child.stdin?.end();
    let err = '';
    child.stderr?.on('data', (part: Buffer) => {
      err += part.toString();
    });
    expect([await new Promise((resolve) => child.on('close', resolve)), err]).toEqual([0, '']);
  });
});

describe('a person who reads only --help', () => {
  const said = (author: string, content: string): string =>
    JSON.stringify({ role: 'user', author, content, occurred_at: '2026-01-01T10:00:00Z' });
  const inFolder = ['--data-dir', 'forgetting'];
  const run = async (...words: string[]) => ran([...words, ...inFolder]);

  /** What `--help` shows stands in it as it is run here. */
  it('forgets what a named person said, sees the certificate and verifies it', async () => {
    const { out: help } = await run('forget', '--help');
    for (const shown of [
      "forget --person 'Zoe Miller' --now",
      'erase ID --certificate',
      '--verify',
    ])
      expect(help).toContain(shown);
    const lines = [
      said('Zoe Miller', 'I moved to Lisbon in May.'),
      said('Ann', 'zoe miller likes tea.'),
      said('Ann', 'The launch is on 17 March.'),
    ];
    writeFileSync(join(cwd, 'people.jsonl'), lines.join('\n'));
    await run('ingest', 'people.jsonl', '--scope-type', 'chat_session');

    const wrong = await run('forget', '--person', 'zoe miller');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('letter for letter')]);
    const forgotten = await run('forget', '--person', 'Zoe Miller', '--now');
    expect(forgotten.code).toBe(0);
    const id = /^erased {2}(\S+)/.exec(forgotten.out)?.[1] ?? '';
    expect(forgotten.err).toContain(`erase ${id} --certificate`);
    expect(forgotten.err).toContain('forget --text');

    const certificate = await run('erase', id, '--certificate');
    expect([certificate.code, certificate.err]).toEqual([
      0,
      expect.stringContaining('The signature is right, by the key of this tenant.'),
    ]);
    const whole = JSON.parse(certificate.out);
    expect(certificate.out).toBe(`${JSON.stringify(whole, null, 2)}\n`);
    expect(whole).toMatchObject({
      redaction: id,
      target_kind: 'person',
      reached: { blocks: 1 },
    });
    expect((await run('erase', '--verify', '--text', 'Lisbon')).code).toBe(0);

    const others = await run('erase', '--verify', '--text', 'Zoe Miller');
    expect([others.code, others.out]).toEqual([4, expect.stringContaining('blocks.content')]);
    expect((await run('forget', '--text', 'Zoe Miller', '--now')).code).toBe(0);
    expect((await run('erase', '--verify', '--text', 'Zoe Miller')).code).toBe(0);
    expect((await run('erase', '--verify', '--text', 'launch')).code).toBe(4);

    writeFileSync(join(cwd, 'zoe.json'), certificate.out);
    expect((await run('erase', '--check', 'zoe.json')).code).toBe(0);
    writeFileSync(join(cwd, 'zoe.json'), certificate.out.replace('"blocks": 1', '"blocks": 9'));
    const changed = await run('erase', '--check', 'zoe.json');
    expect([changed.code, changed.err]).toEqual([4, expect.stringContaining('WRONG')]);
    for (const text of ['null', '[]', '{"public_key":"","signature":""}']) {
      writeFileSync(join(cwd, 'zoe.json'), text);
      expect((await run('erase', '--check', 'zoe.json')).code).toBe(4);
    }
    expect((await run('erase', '--check', 'nothing.json')).code).toBe(2);
  }, 120_000);
});
