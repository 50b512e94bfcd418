/**
 * Once a run: sees that the embedded driver's worker and seed are built, finds a PostgreSQL if
 * there is one, migrates a template database on it, and prints which databases the run uses.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../connectors/pgvector/driver/migrate.ts';
import { buildPgliteSeed, openPglitePair } from '../../connectors/pgvector/driver/pglite/pglite.ts';
import { PGLITE_VERSION } from '../../connectors/pgvector/driver/pglite/seed.ts';
import { openPostgresOwner } from '../../connectors/pgvector/driver/postgres/postgres.ts';
import type { OwnerDatabase } from '../../connectors/pgvector/driver/sql.ts';
import { startPostgresContainer } from './container.ts';
import { databaseUrl, type PostgresUnderTest } from './postgres-under-test.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** All that the worker thread loads: it cannot load TypeScript itself. */
const WORKER_SOURCES = [
  'connectors/pgvector/driver/pglite/worker.ts',
  'connectors/pgvector/driver/server-error.ts',
];

function modifiedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** As the build would leave them, so that a run from sources never tests a worker of yesterday. */
function compileWorker(): void {
  for (const source of WORKER_SOURCES) {
    const from = resolve(ROOT, source);
    const to = resolve(ROOT, 'dist', source.replace(/\.ts$/, '.js'));
    if (modifiedMs(to) > modifiedMs(from)) continue;
    const { outputText } = ts.transpileModule(readFileSync(from, 'utf8'), {
      fileName: from,
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    });
    mkdirSync(dirname(to), { recursive: true });
    const part = `${to}.${process.pid}.part`;
    writeFileSync(part, outputText);
    renameSync(part, to);
  }
}

async function describePglite(): Promise<string> {
  const { owner } = await openPglitePair({ dataDir: null });
  const [row] = await owner.query('select version() as version');
  await owner[Symbol.asyncDispose]();
  return `PGlite ${PGLITE_VERSION} (${/PostgreSQL [\d.]+/.exec(String(row?.version))?.[0]})`;
}

async function describePostgres(admin: OwnerDatabase): Promise<string> {
  const [row] = await admin.query(`
    select current_setting('server_version') as server, (select default_version from pg_available_extensions where name = 'vector') as vector`);
  return `PostgreSQL ${row?.server} + pgvector ${row?.vector}`;
}

/**
 * A migrated database that nobody may connect to, so that nothing (autovacuum neither) stands in
 * the way of cloning it.
 */
async function makeTemplate(admin: OwnerDatabase, url: string): Promise<string> {
  const template = `contextengine_test_${randomBytes(4).toString('hex')}`;
  await admin.exec(`create database "${template}"`);
  const owner = await openPostgresOwner(databaseUrl(url, template));
  await migrate(owner);
  await owner[Symbol.asyncDispose]();
  await admin.exec(`alter database "${template}" with allow_connections false`);
  return template;
}

/** Clones that a killed run left are its template's namesakes. */
async function dropAll(admin: OwnerDatabase, template: string): Promise<void> {
  const rows = await admin.query('select datname from pg_database where datname like $1', [
    `${template}%`,
  ]);
  for (const row of rows) await admin.exec(`drop database if exists "${row.datname}" with (force)`);
}

interface Started {
  readonly url: string;
  readonly from: string;
  readonly stop: () => Promise<unknown>;
}

async function findPostgres(): Promise<Started | string> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { url, from: 'TEST_DATABASE_URL', stop: async () => undefined };
  const container = await startPostgresContainer();
  return typeof container === 'string' ? container : { ...container, from: 'testcontainers' };
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  compileWorker();
  const seed = await buildPgliteSeed();
  if (seed.isNew) process.stdout.write(`seed: built, ${(seed.bytes / 1e6).toFixed(1)} MB\n`);
  const pglite = await describePglite();
  const found = await findPostgres();
  if (typeof found === 'string') {
    process.stdout.write(`databases: ${pglite}; no PostgreSQL (${found})\n`);
    project.provide('postgres', null);
    return async () => undefined;
  }
  const admin = await openPostgresOwner(found.url);
  const template = await makeTemplate(admin, found.url);
  process.stdout.write(`databases: ${pglite}, ${await describePostgres(admin)} (${found.from})\n`);
  const postgres: PostgresUnderTest = { url: found.url, template };
  project.provide('postgres', postgres);
  return async () => {
    await dropAll(admin, template);
    await admin[Symbol.asyncDispose]();
    await found.stop();
  };
}
