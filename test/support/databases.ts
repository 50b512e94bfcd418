/** Databases for tests: empty, migrated, each its own, on every flavor that the run has. */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, inject, it } from 'vitest';
import { openPglitePair } from '../../connectors/pgvector/driver/pglite/pglite.ts';
import {
  openPostgres,
  openPostgresOwner,
} from '../../connectors/pgvector/driver/postgres/postgres.ts';
import type { Database, OwnerDatabase } from '../../connectors/pgvector/driver/sql.ts';
import { databaseUrl, type PostgresUnderTest } from './postgres-under-test.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly flavor: Database['flavor'];
  /** As the application. */
  readonly database: Database;
  /** The same database as its owner (on PGlite through the same connection). */
  readonly owner: OwnerDatabase;
  /** For further connections; null on PGlite, which has one. */
  readonly url: string | null;
}

async function openPgliteForTest(): Promise<TestDatabase> {
  const { database, owner } = await openPglitePair({ dataDir: null });
  return {
    flavor: 'pglite',
    database,
    owner,
    url: null,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

export async function openPostgresForTest(
  postgres: PostgresUnderTest,
): Promise<TestDatabase & { readonly url: string }> {
  const name = `${postgres.template}_${randomBytes(4).toString('hex')}`;
  const url = databaseUrl(postgres.url, name);
  const admin = await openPostgresOwner(postgres.url);
  await admin.exec(`create database "${name}" template "${postgres.template}"`);
  // A clone does not take over the rights on the database itself, which the migration took from
  // PUBLIC.
  await admin.exec(`revoke temporary on database "${name}" from public`);
  const database = await openPostgres({ url });
  const owner = await openPostgresOwner(url);
  return {
    flavor: 'postgres',
    database,
    owner,
    url,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await owner[Symbol.asyncDispose]();
      await admin.exec(`drop database "${name}" with (force)`);
      await admin[Symbol.asyncDispose]();
    },
  };
}

/** Opens a new database; it is closed, and dropped, after the tests of its `describe`. */
export type OpenTestDatabase = () => Promise<TestDatabase>;

/**
 * One `describe` per flavor of this run: PGlite always, PostgreSQL where the global setup found
 * one. A database costs 0.1 s on PostgreSQL and 0.5 s on PGlite: open one in `beforeAll`, keep
 * tests apart by tenant.
 */
export function describeOnDatabases(
  name: string,
  body: (open: OpenTestDatabase, flavor: Database['flavor']) => void,
): void {
  describe(`${name} [pglite]`, () => body(closedAfterwards(openPgliteForTest), 'pglite'));
  describeOnServer(name, (open) => body(open, 'postgres'));
}

/**
 * For what only a server has: connections of their own, restarts. Without a PostgreSQL the tests
 * are left out.
 */
export function describeOnServer(
  name: string,
  body: (open: () => Promise<TestDatabase & { readonly url: string }>) => void,
): void {
  const postgres = inject('postgres');
  if (!postgres) {
    // A file of these alone would have no tests, which counts as a failure.
    describe(`${name} [postgres]`, () => it.skip('needs PostgreSQL'));
    return;
  }
  describe(`${name} [postgres]`, () => body(closedAfterwards(() => openPostgresForTest(postgres))));
}

function closedAfterwards<T extends AsyncDisposable>(open: () => Promise<T>): () => Promise<T> {
  const opened: T[] = [];
  afterAll(async () => {
    for (const each of opened.splice(0)) await each[Symbol.asyncDispose]();
  });
  return async () => {
    const database = await open();
    let ending: Promise<void> | null = null;
    const end = async (): Promise<void> => database[Symbol.asyncDispose]();
    // A test that opens one after the other may close each by itself.
    const once = { ...database, [Symbol.asyncDispose]: () => (ending ??= end()) };
    opened.push(once);
    return once;
  };
}
