import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import {
  migrate,
  pendingMigrations,
  readMigrations,
} from '../../connectors/pgvector/driver/migrate.ts';
import {
  openPostgres,
  openPostgresOwner,
} from '../../connectors/pgvector/driver/postgres/postgres.ts';
import type { OwnerDatabase } from '../../connectors/pgvector/driver/sql.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { databaseUrl } from '../support/postgres-under-test.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'contextengine-migrations-'));
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

/** Writes migrations 0001, 0002, … */
async function writeFiles(...texts: string[]): Promise<void> {
  await Promise.all(
    texts.map((text, index) => writeFile(join(dir, `000${index + 1}_step.sql`), text)),
  );
}

async function columnsOf(owner: OwnerDatabase, table: string): Promise<unknown[]> {
  const rows = await owner.query(
    'select column_name from information_schema.columns where table_name = $1 order by 1',
    [table],
  );
  return rows.map((row) => row.column_name);
}

describeOnDatabases('migrations', (open) => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await db.owner.exec(
      'drop table if exists context_ops.schema_migrations, public.thing, public.half, public.never',
    );
  });

  it('applies each file once, in order, and says what it did', async () => {
    await writeFiles(
      'create table public.thing (a int); comment on table public.thing is $$a; b$$;',
      'alter table public.thing add column b int',
    );
    expect(await migrate(db.owner, { dir })).toEqual({
      applied: ['0001_step', '0002_step'],
      alreadyApplied: [],
    });
    expect(await columnsOf(db.owner, 'thing')).toEqual(['a', 'b']);
    expect(await migrate(db.owner, { dir })).toEqual({
      applied: [],
      alreadyApplied: ['0001_step', '0002_step'],
    });
    await writeFiles(
      'create table public.thing (a int); comment on table public.thing is $$a; b$$;',
      'alter table public.thing add column b int',
      'select 1',
    );
    expect((await pendingMigrations(db.database, { dir })).map(({ number }) => number)).toEqual([
      3,
    ]);
    expect(await migrate(db.owner, { dir })).toMatchObject({ applied: ['0003_step'] });
  });

  it('refuses when an applied file has changed', async () => {
    await writeFiles('create table public.thing (a int)');
    await migrate(db.owner, { dir });
    await writeFiles('create table public.thing (a bigint)', 'create table public.never (a int)');
    await expect(migrate(db.owner, { dir })).rejects.toMatchObject({
      code: 'MIGRATION.CHANGED',
      where: { file: join(dir, '0001_step.sql') },
    });
    expect(await columnsOf(db.owner, 'never')).toEqual([]);
  });

  it('keeps nothing of a file that fails and names file, line and SQLSTATE', async () => {
    await writeFiles(
      'create table public.thing (a int)',
      'create table public.half (a int);\n\nselect no_such_column\nfrom public.thing;',
    );
    const failure = migrate(db.owner, { dir });
    await expect(failure).rejects.toMatchObject({
      code: 'MIGRATION.FAILED',
      where: { file: join(dir, '0002_step.sql'), line: 3 },
      meta: { sqlstate: '42703' },
    });
    expect(await columnsOf(db.owner, 'half')).toEqual([]);
    expect(await columnsOf(db.owner, 'thing')).toEqual(['a']);
    await writeFiles('create table public.thing (a int)', 'create table public.half (a int)');
    expect(await migrate(db.owner, { dir })).toMatchObject({ applied: ['0002_step'] });
  });

  it('refuses files that are not numbered without a gap', async () => {
    await writeFiles('select 1');
    await writeFile(join(dir, '0003_late.sql'), 'select 1');
    await expect(readMigrations(dir)).rejects.toMatchObject({
      code: 'MIGRATION.FAILED',
      message: expect.stringContaining('0003_late.sql'),
    });
  });
});

const postgres = inject('postgres');
describe.runIf(postgres !== null)('migrations on a server', () => {
  const server = postgres ?? { url: '', template: '' };
  const name = `${server.template}_fresh`;
  const url = postgres ? databaseUrl(server.url, name) : '';
  let admin: OwnerDatabase;
  beforeEach(async () => {
    admin = await openPostgresOwner(server.url);
    await admin.exec(`create database "${name}"`);
  });
  afterEach(async () => {
    await admin.exec(`drop database if exists "${name}" with (force)`);
    await admin[Symbol.asyncDispose]();
  });

  it('are never run by opening the database', async () => {
    await expect(openPostgres({ url })).rejects.toMatchObject({
      code: 'MIGRATION.PENDING',
      meta: { pending: expect.arrayContaining(['0001_roles']) },
    });
    const owner = await openPostgresOwner(url);
    expect(await owner.query("select 1 from pg_namespace where nspname = 'context'")).toEqual([]);
    await owner[Symbol.asyncDispose]();
  });

  it('are applied by one of two migrators, and the other finds nothing to do', async () => {
    const owners = await Promise.all([openPostgresOwner(url), openPostgresOwner(url)]);
    const reports = await Promise.all(owners.map((owner) => migrate(owner)));
    const all = (await readMigrations()).length;
    expect(reports.map(({ applied }) => applied.length).sort((a, b) => a - b)).toEqual([0, all]);
    const database = await openPostgres({ url });
    expect(await database.query('select current_user as role')).toEqual([
      { role: 'contextengine_app' },
    ]);
    await database[Symbol.asyncDispose]();
    for (const owner of owners) await owner[Symbol.asyncDispose]();
  });
});
