/** The embedded folder from nothing to damaged. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultMigrationsDir, readMigrations } from '../../connectors/pgvector/driver/migrate.ts';
import { startPglite } from '../../connectors/pgvector/driver/pglite/connection.ts';
import {
  openPglite,
  openPgliteOwner,
  openPglitePair,
} from '../../connectors/pgvector/driver/pglite/pglite.ts';
import { PGLITE_VERSION, seedFileName } from '../../connectors/pgvector/driver/pglite/seed.ts';
import manifest from '../../package.json' with { type: 'json' };
import { ContextEngineError } from '../../src/codes/errors.ts';

let root: string;
let pristine: string;
let dir: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'contextengine-embedded-'));
  pristine = join(root, 'pristine');
  await (await openPglite({ dataDir: pristine }))[Symbol.asyncDispose]();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  dir = mkdtempSync(join(root, 'case-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const usePristine = (): void => cpSync(pristine, dir, { recursive: true });
/** A copy of a sound folder, then the damage. */
const damaged = (damage: () => void) => (): void => {
  usePristine();
  damage();
};
const reasonOf = (opening: Promise<unknown>): Promise<unknown> =>
  opening.then(
    () => 'opened',
    (error: unknown) => error,
  );

describe('an embedded folder', () => {
  it('is made from the seed, keeps what is written, and leaves no lock behind', async () => {
    const first = await openPgliteOwner({ dataDir: join(dir, 'deep', 'data') });
    await first.exec('create table public.kept (a int); insert into public.kept values (1)');
    await first[Symbol.asyncDispose]();
    expect(readdirSync(join(dir, 'deep', 'data'))).toEqual(['pg']);
    const again = await openPgliteOwner({ dataDir: join(dir, 'deep', 'data') });
    expect(await again.query('select a from public.kept')).toEqual([{ a: 1 }]);
    await again[Symbol.asyncDispose]();
  });

  it('is refused to a second opening until the first is closed', async () => {
    usePristine();
    const first = await openPglite({ dataDir: dir });
    expect(await reasonOf(openPglite({ dataDir: dir }))).toMatchObject({
      code: 'CONNECTOR.LOCKED',
    });
    await first[Symbol.asyncDispose]();
    await (await openPglite({ dataDir: dir }))[Symbol.asyncDispose]();
  });

  it('is made whole after a kill in the middle of its making', async () => {
    mkdirSync(join(dir, 'pg.new-abc', 'base'), { recursive: true });
    await (await openPglite({ dataDir: dir }))[Symbol.asyncDispose]();
    expect(readdirSync(dir)).toEqual(['pg']);
  });

  it('of an older version is migrated when opened, one of a newer version is refused', async () => {
    usePristine();
    const newer = join(dir, 'migrations');
    await cp(defaultMigrationsDir(), newer, { recursive: true });
    const next = String((await readMigrations()).length + 1).padStart(4, '0');
    await writeFile(
      join(newer, `${next}_more.sql`),
      'create table public.more (a int); grant select on public.more to contextengine_app',
    );
    const database = await openPglite({ dataDir: dir, migrationsDir: newer });
    expect(await database.query('select count(*) as n from public.more')).toEqual([{ n: 0 }]);
    await database[Symbol.asyncDispose]();
    expect(await reasonOf(openPglite({ dataDir: dir }))).toMatchObject({
      code: 'MIGRATION.CHANGED',
      message: expect.stringContaining(`${next}_more`),
    });
    expect(existsSync(join(dir, 'pg.lock'))).toBe(false);
  });

  it.each([
    ['is empty', () => undefined],
    ['lacks its control file', () => writeFileSync(join(dir, 'pg/PG_VERSION'), '18\n')],
    ['belongs to another PostgreSQL', () => writeFileSync(join(dir, 'pg/PG_VERSION'), '16\n')],
    ['has a cut control file', damaged(() => truncateSync(join(dir, 'pg/global/pg_control'), 40))],
    [
      'lacks its write-ahead log',
      damaged(() => rmSync(join(dir, 'pg/pg_wal'), { recursive: true })),
    ],
  ])('that %s is reported as damaged and left as it is', async (_, damage) => {
    mkdirSync(join(dir, 'pg'));
    damage();
    const before = readdirSync(join(dir, 'pg'));
    expect(await reasonOf(openPglite({ dataDir: dir }))).toMatchObject({
      code: 'CONNECTOR.CORRUPT',
      fix: expect.stringContaining('Restore'),
    });
    expect(readdirSync(join(dir, 'pg'))).toEqual(
      expect.arrayContaining(before.filter((name) => name !== 'postmaster.pid')),
    );
    expect(existsSync(join(dir, 'pg.lock'))).toBe(false);
  });

  it('is made by initdb where no seed fits its migrations', async () => {
    const other = join(dir, 'migrations');
    await cp(defaultMigrationsDir(), other, { recursive: true });
    const [first] = await readMigrations(other);
    await writeFile(first?.path ?? '', `${first?.text}\n-- changed`);
    const data = join(dir, 'data');
    for (const migrationsDir of [other, other]) {
      const database = await openPglite({ dataDir: data, migrationsDir });
      expect(
        await database.query('select count(*) as n from context_ops.schema_migrations'),
      ).toEqual([{ n: (await readMigrations()).length }]);
      await database[Symbol.asyncDispose]();
    }
    expect(await reasonOf(openPglite({ dataDir: data }))).toMatchObject({
      code: 'MIGRATION.CHANGED',
    });
  }, 300_000);

  it('that cannot be made is a wrong setting', async () => {
    writeFileSync(join(dir, 'file'), '');
    expect(await reasonOf(openPglite({ dataDir: join(dir, 'file') }))).toMatchObject({
      code: 'CONFIG.INVALID_VALUE',
    });
    expect(await reasonOf(openPglite({ dataDir: join(dir, 'file', 'data') }))).toMatchObject({
      code: 'CONFIG.INVALID_VALUE',
    });
  });
});

describe('the worker', () => {
  it('does not keep a process alive that forgets to close, and leaves no lock', () => {
    const module = new URL(
      '../../dist/connectors/pgvector/driver/pglite/pglite.js',
      import.meta.url,
    ).href;
    const script = `
      import { openPglite } from ${JSON.stringify(module)};
      const database = await openPglite({ dataDir: ${JSON.stringify(dir)} });
      console.log(JSON.stringify(await database.query('select 1 as one')));`;
    usePristine();
    expect(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        timeout: 25_000,
      }),
    ).toBe('[{"one":1}]\n');
    expect(readdirSync(dir)).toEqual(['pg']);
  });

  it('fails what waits, and all that comes, when it dies', async () => {
    usePristine();
    const connection = await startPglite({ dataDir: join(dir, 'pg'), mayInitialize: false });
    const waiting = [
      connection.run('select pg_sleep(0.2)', []),
      connection.run('select 1', []),
    ].map(reasonOf);
    await connection.abandon(
      new ContextEngineError('CONNECTOR.LOCKED', { message: 'lost', fix: 'restart' }),
    );
    for (const outcome of await Promise.all(waiting))
      expect(outcome).toMatchObject({ code: 'CONNECTOR.LOCKED' });
    expect(await reasonOf(connection.run('select 1', []))).toMatchObject({
      code: 'CONNECTOR.LOCKED',
    });
  });

  it('runs statements in the order of the calls and does not stop the event loop meanwhile', async () => {
    const { database } = await openPglitePair({ dataDir: null });
    const done: string[] = [];
    const slow = database
      .query('select count(*) from generate_series(1, 300000) a')
      .then(() => done.push('slow'));
    const fast = database.query('select 1').then(() => done.push('fast'));
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await Promise.all([slow, fast]);
    clearInterval(timer);
    expect(done).toEqual(['slow', 'fast']);
    expect(ticks).toBeGreaterThan(2);
    await database[Symbol.asyncDispose]();
  });
});

it('the seed’s version names the PGlite that package.json pins', async () => {
  expect(PGLITE_VERSION).toBe(manifest.dependencies['@electric-sql/pglite']);
  const files = await readMigrations();
  const changed = files.map((file, index) => (index === 0 ? { ...file, sha256: '0' } : file));
  expect(seedFileName(changed)).not.toBe(seedFileName(files));
});
