/**
 * An embedded folder keeps the vectors of its last run: the first query after a restart asks no
 * provider.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createContextEngine, type Embedder } from '../../src/index.ts';
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
