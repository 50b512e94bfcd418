import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMigrations } from '../../connectors/pgvector/driver/migrate.ts';
import { buildSeed, readSeed, seedFileName } from '../../connectors/pgvector/driver/pglite/seed.ts';
import type { OwnerDatabase } from '../../connectors/pgvector/driver/sql.ts';

/** Stands for a database that was opened in the folder: what a seed holds does not matter here. */
const opened: OwnerDatabase = {
  flavor: 'pglite',
  query: async () => [],
  exec: async () => undefined,
  transaction: async () => Promise.reject(new Error('the seed needs no transaction')),
  [Symbol.asyncDispose]: async () => undefined,
};

describe('the seed', () => {
  let migrationsDir: string;
  let outDir: string;
  beforeEach(async () => {
    migrationsDir = await mkdtemp(join(tmpdir(), 'seed-migrations-'));
    outDir = await mkdtemp(join(tmpdir(), 'seed-out-'));
    await writeFile(join(migrationsDir, '0001_first.sql'), 'select 1;');
  });
  afterEach(async () => {
    for (const dir of [migrationsDir, outDir]) await rm(dir, { recursive: true, force: true });
  });

  it('is of the migrations as they stand when it is done, also where one was edited meanwhile', async () => {
    let openings = 0;
    const seed = await buildSeed({
      migrationsDir,
      outDir,
      openEmpty: async () => {
        openings += 1;
        if (openings === 1) await writeFile(join(migrationsDir, '0001_first.sql'), 'select 2;');
        return opened;
      },
    });
    const migrations = await readMigrations(migrationsDir);
    expect(basename(seed.file)).toBe(seedFileName(migrations));
    expect(openings).toBe(4);
    expect(await readdir(outDir)).toEqual([basename(seed.file)]);
    expect(await readSeed(migrations, outDir)).not.toBeNull();
  });
});
