/**
 * An embedded folder keeps the vectors of its last run: the first query after a restart asks no
 * provider.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ContextEngine, createContextEngine, type Embedder } from '../../src/index.ts';
import { ORACLE_MANIFESTS } from '../support/engines.ts';

// Each test opens a folder two or three times.
vi.setConfig({ testTimeout: 120_000 });

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kept-vectors-'));
});
afterEach(() => rm(dataDir, { recursive: true }));
const file = (): string => join(dataDir, 'embedding-cache.bin');

/** An embedder of the application's own, and what it was asked. */
const counting = (model = 'counting'): Embedder & { readonly asked: string[] } => {
  const asked: string[] = [];
  return {
    asked,
    space: { provider: 'test', model, dimensions: 3 },
    async embed(texts) {
      asked.push(...texts);
      return texts.map((text) => [text.length, 1, 0]);
    },
    async close() {},
  };
};

const QUERY = 'When does the choir rehearse?';
const permission_profile = {
  principal: 'local',
  tenant: 'local',
  kind: 'human',
  scopes: '*',
} as const;

/** One run of a process over the folder; gives what its embedder was asked. */
async function run(embedder = counting()): Promise<readonly string[]> {
  await using engine = await createContextEngine({
    database: { dataDir },
    manifests: ORACLE_MANIFESTS,
    embedder,
    // The shared level would answer in the place of the file.
    embeddingCache: 'off',
  });
  const [held] = await engine.scopes.list();
  const scope =
    held?.scope_block_uuid ??
    (await engine.scopes.create({ type: 'oracle_scope' })).scope_block_uuid;
  if (!held) await engine.remember(scope, { content: 'The choir rehearses on Mondays.' });
  const { text, degraded } = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'all',
    query: QUERY,
    permission_profile,
  });
  expect(text).toContain('Mondays');
  expect(degraded).toEqual([]);
  return embedder.asked;
}

it('asks the provider once for a query, and not again after a restart', async () => {
  expect(await run()).toContain(QUERY);
  expect(await run()).toEqual([]);
});

it('keeps no text, and leaves no draft', async () => {
  await run();
  const bytes = await readFile(file(), 'latin1');
  for (const word of ['choir', 'rehearse', 'Mondays']) expect(bytes).not.toContain(word);
  expect((await readdir(dataDir)).filter((name) => name.includes('.tmp'))).toEqual([]);
});

it.each<[string, (bytes: Buffer) => Buffer]>([
  ['damaged', (bytes) => bytes.subarray(0, -1)],
  ['changed', (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([1])])],
  ['of another program', () => Buffer.from('%PDF-1.7\n')],
  ['empty', () => Buffer.alloc(0)],
])('ignores a file that is %s, and replaces it', async (_, spoil) => {
  await run();
  await writeFile(file(), spoil(await readFile(file())));
  expect(await run()).toEqual([QUERY]);
  expect(await run()).toEqual([]);
});

it('takes no vector of another space', async () => {
  await run();
  expect(await run(counting('another'))).toContain(QUERY);
});

it('closes where the file cannot be written', async () => {
  await run();
  await rm(file());
  const blocked = join(file(), 'in-the-way');
  await mkdir(blocked, { recursive: true });
  expect(await run()).toEqual([QUERY]);
});

it('writes none for the built-in embedder', async () => {
  const engine = await createContextEngine({ database: { dataDir }, manifests: ORACLE_MANIFESTS });
  await engine.scopes.create({ type: 'oracle_scope' });
  await engine.close();
  expect(await readdir(dataDir)).not.toContain('embedding-cache.bin');
});

const cacheFiles = async (): Promise<readonly string[]> =>
  (await readdir(dataDir)).filter((name) => name.startsWith('embedding-cache.bin'));

const opened = (embedder: Embedder | 'builtin' | 'off'): Promise<ContextEngine> =>
  createContextEngine({
    ...{ database: { dataDir }, manifests: ORACLE_MANIFESTS },
    ...{ embedder, embeddingCache: 'off' },
  });
async function rootOf(engine: ContextEngine): Promise<string> {
  const { facts } = await engine.facts.list({});
  return facts[0]?.row.root_uuid ?? '';
}

it.each(['builtin', 'off'] as const)(
  'drops what another embedder left when something is forgotten with `%s`',
  async (embedder) => {
    await run();
    expect(await cacheFiles()).toEqual(['embedding-cache.bin']);
    const engine = await opened(embedder);
    await engine.forget({ root: await rootOf(engine) }, { now: true });
    expect(await cacheFiles()).toEqual([]);
    await engine.close();
    expect(await cacheFiles()).toEqual([]);
  },
);

it('drops the draft of a process that died while it saved', async () => {
  await run();
  const draft = join(dataDir, 'embedding-cache.bin.4711.tmp');
  await writeFile(draft, await readFile(file()));
  const engine = await opened(counting());
  expect(await cacheFiles()).toEqual(['embedding-cache.bin']);
  await writeFile(draft, await readFile(file()));
  await engine.forget({ root: await rootOf(engine) });
  expect(await cacheFiles()).toEqual([]);
  await engine.close();
});

it('writes nothing of what is forgotten while it closes', async () => {
  await run();
  const engine = await opened(counting());
  const forgetting = engine.forget({ root: await rootOf(engine) });
  await Promise.allSettled([forgetting, engine.close(), forgetting]);
  await using again = await opened('off');
  await again.erasure.erase(null);
  const left = await rootOf(again);
  if (left === '') expect(await cacheFiles()).toEqual([]);
});

it('has nothing of what is erased, wherever the process is killed', async () => {
  const program = fileURLToPath(new URL('../support/forget-process.mjs', import.meta.url));
  for (const delayMs of [0, 60, 250]) {
    await rm(dataDir, { recursive: true, force: true });
    await mkdir(dataDir);
    await run();
    const before = await opened('off');
    const root = await rootOf(before);
    await before.close();
    const child = spawn(process.execPath, [program, dataDir, String(ORACLE_MANIFESTS), root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), delayMs));
    await ended;
    const engine = await opened(counting());
    const [redaction] = await engine.erasure.list();
    if (redaction?.state !== 'erased')
      await engine.forget({ root }, { now: true }).catch(() => null);
    if (redaction?.state === 'suppressed') await engine.erasure.erase(redaction.redaction_uuid);
    expect(await cacheFiles(), `killed after ${delayMs} ms`).toEqual([]);
    await engine.close();
    expect(await cacheFiles()).toEqual([]);
  }
}, 600_000);
