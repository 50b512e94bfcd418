/**
 * The seed: a migrated database folder, built with the package. PGlite's own initdb takes 3-13 s in
 * WASM; unpacking takes a fraction of one.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { type MigrationFile, readMigrations, sha256 } from '../migrate.ts';
import type { OwnerDatabase } from '../sql.ts';
import { packFolder } from './tar.ts';

/**
 * The pinned version; a test holds it equal to package.json. Part of the seed's version, because a
 * folder belongs to its PostgreSQL.
 */
export const PGLITE_VERSION = '0.5.14';
/** The PostgreSQL major that this PGlite is, as a folder's `PG_VERSION` says it. */
export const PGLITE_POSTGRES_MAJOR = '18';

/**
 * Quality 9 in a 16 MB window: 1.4 MB in 0.7 s; 11 saves 0.2 MB for 15 s; gzip comes to 4.5 MB
 * (measured on an empty 30 MB folder).
 */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };

/** Where the build leaves the seed: `dist/seed`, seen from sources and from `dist/` alike. */
function defaultSeedDir(): string {
  const isSource = import.meta.url.endsWith('.ts');
  return fileURLToPath(
    new URL(isSource ? '../../../../dist/seed' : '../../../../seed', import.meta.url),
  );
}

/**
 * The name says what is inside, so a seed of other migrations or another PGlite is never picked up.
 */
export function seedFileName(migrations: readonly MigrationFile[]): string {
  const version = sha256(
    [
      PGLITE_VERSION,
      ...migrations.map((file) => `${file.number} ${file.name} ${file.sha256}`),
    ].join('\n'),
  );
  return `database-${version.slice(0, 16)}.tar.br`;
}

/** The folder as a tar, or null when no seed of exactly these migrations was built. */
export async function readSeed(
  migrations: readonly MigrationFile[],
  dir: string = defaultSeedDir(),
): Promise<Uint8Array | null> {
  const file = join(dir, seedFileName(migrations));
  if (!existsSync(file)) return null;
  return promisify(brotliDecompress)(await readFile(file));
}

/**
 * Fills a new folder beside `target` and renames it, so that a kill half-way leaves nothing half
 * made. The caller holds the folder's lock; what earlier kills left is removed.
 */
export async function makeFolder(
  target: { readonly parent: string; readonly name: string },
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const prefix = `${target.name}.new-`;
  for (const name of await readdir(target.parent)) {
    if (name.startsWith(prefix))
      await rm(join(target.parent, name), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(target.parent, prefix));
  try {
    await fill(folder);
    await rename(folder, join(target.parent, target.name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface BuildSeedOptions {
  readonly migrationsDir?: string;
  readonly outDir?: string;
  /**
   * Opens a folder, empty at first, as a migrated database; given, so that this file does not
   * depend on the driver which depends on it.
   */
  readonly openEmpty: (folder: string) => Promise<OwnerDatabase>;
}

/**
 * PGlite has one database, `postgres`; without the two templates a folder has 500 files less to
 * unpack. The second opening leaves PostgreSQL's relation cache files, which the first one of every
 * new folder would build otherwise.
 */
async function fillSeed(folder: string, openEmpty: BuildSeedOptions['openEmpty']): Promise<void> {
  const database = await openEmpty(folder);
  await database.exec(
    `update pg_database set datistemplate = false where datname in ('template0', 'template1')`,
  );
  await database.exec('drop database template0');
  await database.exec('drop database template1');
  await database.exec('vacuum (freeze, analyze)');
  await database[Symbol.asyncDispose]();
  await (await openEmpty(folder))[Symbol.asyncDispose]();
}

/**
 * Builds the seed of the migrations, replaces older ones, and says where it is. Does nothing when
 * it is there.
 */
export async function buildSeed(
  options: BuildSeedOptions,
): Promise<{ readonly file: string; readonly bytes: number; readonly isNew: boolean }> {
  const migrations = await readMigrations(options.migrationsDir);
  const outDir = options.outDir ?? defaultSeedDir();
  const file = join(outDir, seedFileName(migrations));
  if (existsSync(file)) return { file, bytes: (await readFile(file)).length, isNew: false };
  const folder = await mkdtemp(join(tmpdir(), 'contextengine-seed-'));
  try {
    await fillSeed(folder, options.openEmpty);
    // A file that was edited meanwhile is in the folder under the name of what it was: whoever
    // opened that seed would be refused with MIGRATION.CHANGED.
    if (seedFileName(await readMigrations(options.migrationsDir)) !== basename(file))
      return await buildSeed(options);
    const packed = await promisify(brotliCompress)(await packFolder(folder), { params: BROTLI });
    await mkdir(outDir, { recursive: true });
    // named apart, because two builds may run at the same time
    const part = `${file}.${basename(folder)}.part`;
    await writeFile(part, packed);
    await rename(part, file);
    for (const old of await readdir(outDir))
      if (old.endsWith('.tar.br') && old !== basename(file))
        await rm(join(outDir, old), { force: true });
    return { file, bytes: packed.length, isNew: true };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
