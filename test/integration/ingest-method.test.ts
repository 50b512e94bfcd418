/** `engine.ingest`: what the command line stores, by the library, with a class and a date. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IngestProgress } from '../../src/engine/methods/ingest-surface.ts';
import type { ContextEngine, Uuid } from '../../src/index.ts';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { refusalOf } from '../support/engines.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
let engine: ContextEngine;
let folder: string;
beforeAll(async () => {
  engine = await createContextEngine({ database: { inMemory: true }, clock: () => NOW });
  folder = await mkdtemp(join(tmpdir(), 'contextengine-ingest-'));
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function newScope(): Promise<Uuid> {
  return (await engine.scopes.create({ type: 'chat_session' })).scope_block_uuid;
}

async function files(name: string, texts: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(texts)) {
    const file = join(folder, name, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
    await utimes(file, new Date('2026-05-20T00:00:00Z'), new Date('2026-05-20T00:00:00Z'));
  }
  return join(folder, name);
}

interface Stored {
  readonly block_type: string;
  readonly content: string;
  readonly retired_seq: number | null;
  readonly valid_from: string;
  readonly valid_until: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}
async function blocks(scope: string, blockType: string): Promise<readonly Stored[]> {
  const found: Stored[] = [];
  for await (const { table, row } of engine.exportScope(scope))
    if (table === 'blocks' && (row as Stored).block_type === blockType) found.push(row as Stored);
  return found.sort((a, b) => String(a.metadata['path']).localeCompare(String(b.metadata['path'])));
}

describe('ingest in the library', () => {
  it.each(['checking', 'writing'])(
    'ends with a code where it is aborted while %s',
    async (when) => {
      const scope = await newScope();
      const path = await files(`aborted-${when}`, { 'a.md': '# A', 'b.md': '# B' });
      const controller = new AbortController();
      const onProgress = ({ phase }: IngestProgress): void => {
        if (phase === when) controller.abort();
      };
      const { signal } = controller;
      expect(await refusalOf(engine.ingest(scope, path, { onProgress, signal }))).toMatchObject({
        code: 'CONNECTOR.DEADLINE',
        message: '`ingest` was aborted.',
      });
      expect((await engine.ingest(scope, path)).stored).toBe(4);
    },
  );

  it('stores a folder once, and says how far it is', async () => {
    const scope = await newScope();
    const path = await files('twice', { 'a.md': '# A\n\nOne.', 'b.mdx': '# B\n\nTwo.' });
    const told: IngestProgress[] = [];
    const onProgress = (progress: IngestProgress): void => {
      told.push(progress);
    };
    const first = await engine.ingest(scope, path, { onProgress });
    expect(first).toMatchObject({ stored: 4, duplicate: 0 });
    expect(await engine.ingest(scope, path)).toMatchObject({ stored: 0, duplicate: 4 });
    expect(told.map(({ phase, records }) => `${phase} ${records}`)).toEqual([
      'checking 1',
      'checking 2',
      'writing 1',
      'writing 2',
    ]);
  });

  it('stamps a class, and takes a date from front matter, file name or history', async () => {
    const scope = await newScope();
    const path = await files('classes', {
      'topics/deploy.md':
        '---\ntype: rule\ndescription: How we deploy.\ndate: 2026-03-01\nTTL: 2026-12-31\n---\nShip at noon.',
      'retros/2026-02-10-outage.md': 'The queue was full.',
      'lessons/secrets.md': 'Never log keys.',
      'adr/0001-format.md': 'We use JSON Lines.',
      'pulls/12.md': 'Adds a retry.',
    });
    await engine.ingest(scope, path);
    const documents = await blocks(scope, 'document');
    const said = documents.map(({ metadata, valid_from, valid_until }) => [
      metadata['path'],
      metadata['class'],
      valid_from.slice(0, 10),
      valid_until?.slice(0, 10) ?? null,
    ]);
    expect(said).toEqual([
      ['adr/0001-format.md', 'design', '2026-05-20', null],
      ['lessons/secrets.md', 'lesson', '2026-05-20', null],
      ['pulls/12.md', 'pull-request', '2026-05-20', null],
      ['retros/2026-02-10-outage.md', 'retro', '2026-02-10', null],
      ['topics/deploy.md', 'rule', '2026-03-01', '2027-01-01'],
    ]);
    const chunks = await blocks(scope, 'chunk');
    expect(chunks.map(({ content }) => content)).toContain('How we deploy.');
  });

  it('takes the date of the last commit where a checkout wrote the file later', async () => {
    const path = await files('repository', { 'notes.md': 'Committed.' });
    const env = {
      PATH: process.env['PATH'],
      GIT_COMMITTER_DATE: '2026-04-01T12:00:00Z',
      GIT_AUTHOR_DATE: '2026-04-01T12:00:00Z',
    };
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    for (const words of [
      ['init', '-q'],
      ['add', '.'],
      [...who, 'commit', '-qm', 'one'],
    ])
      execFileSync('git', words, { cwd: path, env });
    const scope = await newScope();
    await engine.ingest(scope, path);
    expect((await blocks(scope, 'document'))[0]?.valid_from.slice(0, 10)).toBe('2026-04-01');
  });

  it('makes an entry of each hook of an index, some of which end', async () => {
    const scope = await newScope();
    const content =
      '# Memory\n\n- [Queue](queue.md) — drain it before a deploy\n' +
      '- [Freeze](freeze.md): no releases. TTL: 2026-07-01\n\n## Recent\n\nWe moved to Bergen.\n';
    await engine.ingest(scope, { name: 'MEMORY.md', content });
    const chunks = await blocks(scope, 'chunk');
    const said = chunks.map(({ content: text, valid_until, metadata }) => [
      text,
      metadata['target'],
      valid_until?.slice(0, 10),
    ]);
    expect(said.sort()).toEqual([
      ['## Recent\n\nWe moved to Bergen.', undefined, undefined],
      ['Freeze: no releases. TTL: 2026-07-01', 'freeze.md', '2026-07-02'],
      ['Queue: drain it before a deploy', 'queue.md', undefined],
    ]);
  });

  it('says which TTL is no time that there is, and lets the document stay', async () => {
    const scope = await newScope();
    const warningsOf = async (ttl: string) => {
      const content = `---\ndate: 2026-05-01\nttl: ${ttl}\n---\nSaid.`;
      return (await engine.ingest(scope, { name: 'state.md', content })).warnings;
    };
    for (const ttl of ['2026-13-45', '2026-02-30', '0d', 'soon'])
      expect(await warningsOf(ttl)).toEqual([
        expect.stringContaining(`\`${ttl}\` in \`state.md\``),
      ]);
    for (const ttl of ['never', '9999-12-31', '30d', '12h', '2026-12-31'])
      expect(await warningsOf(ttl)).toEqual([]);
    const index = '- [Freeze](freeze.md): no releases. TTL: 2026-02-30\n';
    const { warnings } = await engine.ingest(scope, { name: 'MEMORY.md', content: index });
    expect(warnings).toEqual([expect.stringContaining('`2026-02-30` in `MEMORY.md`')]);
    const live = (await blocks(scope, 'chunk')).filter((row) => row.valid_until === null);
    expect(live.map(({ content }) => content)).toContain('Freeze: no releases. TTL: 2026-02-30');
  });

  it('changes what has a TTL, before it ends and after', async () => {
    const scope = await newScope();
    const name = 'state.md';
    const saying = (text: string, ttl: string) => ({
      name,
      content: `---\ndate: 2026-05-01\nttl: ${ttl}\n---\n${text}`,
    });
    const counts = async (text: string, ttl: string) => {
      const { stored, superseded, duplicate, rejected, conflict } = await engine.ingest(
        scope,
        saying(text, ttl),
      );
      return { written: stored + superseded, duplicate, refused: rejected + conflict };
    };
    expect(await counts('One.', '2026-12-31')).toEqual({ written: 2, duplicate: 0, refused: 0 });
    expect(await counts('One.', '2026-12-31')).toEqual({ written: 0, duplicate: 2, refused: 0 });
    expect((await counts('Two.', '2026-12-31')).refused).toBe(0);
    expect((await counts('Two, again.', '2026-05-20')).refused).toBe(0);
    expect((await counts('Three.', '30d')).refused).toBe(0);
    expect((await counts('Four.', '2027-01-01')).refused).toBe(0);
    const now = (await blocks(scope, 'chunk')).filter(
      ({ valid_until, retired_seq }) =>
        retired_seq === null && (valid_until === null || valid_until > '2026-06-02'),
    );
    expect(now.map(({ content }) => content)).toEqual(['Four.']);
  });

  it('reads the headers of scripts, and nothing else of them', async () => {
    const scope = await newScope();
    const path = await files('scripts', {
      'a.sh': '#!/bin/sh\n# Takes a backup.\n# Nightly.\nrm -rf secret\n',
      'b.py': '"""Sends reports."""\nimport os\n',
      'c.ts': "/**\n * Builds the site.\n */\nimport x from 'y';\n",
      'd.js': 'const none = 1;\n',
    });
    await engine.ingest(scope, { path, as: 'scripts' });
    const chunks = await blocks(scope, 'chunk');
    expect(chunks.map(({ content, metadata }) => [content, metadata['class']])).toEqual([
      ['Takes a backup.\nNightly.', 'script-header'],
      ['Sends reports.', 'script-header'],
      ['Builds the site.', 'script-header'],
    ]);
  });

  it('refuses what is no source, and writes by the rights of the call', async () => {
    const scope = await newScope();
    for (const source of [7, null, {}, { path: 'x', as: 'pdf' }, { content: 'x' }])
      await expect(engine.ingest(scope, source as never)).rejects.toMatchObject({
        code: 'CONFIG.INVALID_VALUE',
      });
    await expect(engine.ingest(scope, join(folder, 'nowhere'))).rejects.toMatchObject({
      code: 'CLI.INPUT',
    });
    const stranger = { ...LOCAL_PROFILE, principal: 'eve', scopes: [] };
    const given = { name: 'a.md', content: 'Secret.' };
    await expect(engine.as(stranger).ingest(scope, given)).rejects.toMatchObject({
      code: 'PERMISSION.DENIED',
    });
    await expect(
      engine.ingest(scope, given, { permission_profile: stranger }),
    ).rejects.toMatchObject({ code: 'PERMISSION.DENIED' });
    expect(await engine.as(LOCAL_PROFILE).ingest(scope, given)).toMatchObject({ stored: 2 });
  });
});
