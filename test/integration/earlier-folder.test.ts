/**
 * A database that version 0.1.0 filled is opened by this one: nothing is lost, replays give the
 * bytes of then, lineage is by version, and what is withdrawn from now on falls as it should.
 */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { defaultMigrationsDir, migrate } from '../../connectors/pgvector/driver/migrate.ts';
import { openPgliteOwner } from '../../connectors/pgvector/driver/pglite/pglite.ts';
import { openPostgresOwner } from '../../connectors/pgvector/driver/postgres/postgres.ts';
import type { OwnerDatabase } from '../../connectors/pgvector/driver/sql.ts';
import type { ContextEngine, EngineOptions } from '../../src/index.ts';
import { openEngine } from '../support/engines.ts';
import { databaseUrl, type PostgresUnderTest } from '../support/postgres-under-test.ts';
import { readRepositoryFile } from '../support/source-files.ts';

const FIXTURE = 'test/support/fixtures/version-0.1.0';
const LAST_OF_THEN = 17;
interface Stored {
  readonly user: string;
  readonly chat: string;
  readonly t1: string;
  readonly t2: string;
  readonly roots: Readonly<Record<'short' | 'ghent' | 'trip', string>>;
  readonly compositions: readonly { readonly composition_id: string; readonly text: string }[];
  readonly facts: number;
}
const stored: Stored = JSON.parse(readRepositoryFile(`${FIXTURE}/expected.json`).text);

const server = inject('postgres');
const folders: string[] = [];
const newFolder = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), `contextengine-${name}-`));
  folders.push(folder);
  return folder;
};
const databases: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  if (!server) return;
  const admin = await openPostgresOwner(server.url);
  for (const name of databases) await admin.exec(`drop database "${name}" with (force)`);
  await admin[Symbol.asyncDispose]();
});

async function migrationsOfThen(): Promise<string> {
  const [from, to] = [defaultMigrationsDir(), await newFolder('migrations')];
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort();
  for (const name of names.slice(0, LAST_OF_THEN)) await copyFile(join(from, name), join(to, name));
  return to;
}

/** Rows come as they stood: no trigger of today's or of then judges them again. */
async function fill(owner: OwnerDatabase): Promise<void> {
  const rows = await readFile(new URL(`../../${FIXTURE}/rows.sql`, import.meta.url), 'utf8');
  await owner.exec(
    `set session_replication_role = replica; ${rows} set session_replication_role = origin;`,
  );
}

async function earlierFolder(): Promise<EngineOptions['database']> {
  const dataDir = await newFolder('earlier');
  const owner = await openPgliteOwner({ dataDir, migrationsDir: await migrationsOfThen() });
  await fill(owner);
  await owner[Symbol.asyncDispose]();
  return { dataDir };
}

async function earlierServer(postgres: PostgresUnderTest): Promise<EngineOptions['database']> {
  const name = `${postgres.template}_${randomBytes(4).toString('hex')}`;
  const admin = await openPostgresOwner(postgres.url);
  await admin.exec(`create database "${name}"`);
  databases.push(name);
  await admin[Symbol.asyncDispose]();
  const url = databaseUrl(postgres.url, name);
  const owner = await openPostgresOwner(url);
  await migrate(owner, { dir: await migrationsOfThen() });
  await fill(owner);
  await migrate(owner);
  await owner[Symbol.asyncDispose]();
  return { url };
}
const places: readonly (readonly [string, () => Promise<EngineOptions['database']>])[] = [
  ['folder', earlierFolder],
  ...(server ? ([['server', () => earlierServer(server)]] as const) : []),
];

describe.each(places)('a %s of version 0.1.0', (_, place) => {
  let engine: ContextEngine;
  beforeAll(async () => {
    const database = await place();
    engine = await openEngine({
      ...(database && { database }),
      manifests: 'manifests',
      embedder: 'off',
      time: { ms: Date.parse('2026-07-01T09:00:00Z') },
      permission_profile: { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' },
    });
    return () => engine.close();
  }, 600_000);

  it('replays its compositions byte for byte', async () => {
    for (const { composition_id: id, text } of stored.compositions) {
      const replayed = await engine.replay(id);
      expect(replayed).toMatchObject({ identical: true, text });
    }
  });

  it('has every version of every fact, and serves the newest', async () => {
    expect(await engine.history(stored.roots.ghent)).toHaveLength(stored.facts);
    const { text } = await engine.composeBlockContext({
      scope_block_uuid: stored.chat,
      intent: 'fact',
      query: 'Where does Mara live?',
      permission_profile: { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' },
    });
    for (const said of [
      'Mara lives in Bruges.',
      'Mara prefers short answers.',
      'preferred_language',
    ])
      expect(text).toContain(said);
    expect(text).not.toContain('Mara lives in Ghent.');
  });

  it('exports, and corrects what was derived then by version', async () => {
    let lines = 0;
    for await (const _line of engine.exportScope(stored.chat)) lines += 1;
    expect(lines).toBeGreaterThan(5);
    const factsOf = async (scope: string) =>
      (await engine.facts.list({ scope })).facts.map(({ row }) =>
        'content' in row ? row.content : row.value,
      );
    expect(await factsOf(stored.user)).toContain('Mara prefers short answers.');
    await engine.correct(stored.t1, { content: 'Please keep answers long.' });
    expect(await factsOf(stored.user)).not.toContain('Mara prefers short answers.');
    expect(await factsOf(stored.user)).toContain('Mara lives in Bruges.');
    expect(await factsOf(stored.chat)).toContain('The trip begins in Ghent.');
  });
});
