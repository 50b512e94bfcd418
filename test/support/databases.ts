/** Databases for tests: empty, migrated, each its own, on every flavor that the run has. */
import { randomBytes } from 'node:crypto';
import { afterAll, describe, inject } from 'vitest';
import { openPglitePair } from '../../connectors/pgvector/pglite.ts';
import { openPostgres, openPostgresOwner } from '../../connectors/pgvector/postgres.ts';
import type { Database, OwnerDatabase } from '../../connectors/pgvector/sql.ts';
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
  return { flavor: 'pglite', database, owner, url: null, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

async function openPostgresForTest(postgres: PostgresUnderTest): Promise<TestDatabase> {
  const name = `${postgres.template}_${randomBytes(4).toString('hex')}`;
  const url = databaseUrl(postgres.url, name);
  const admin = await openPostgresOwner(postgres.url);
  await admin.exec(`create database "${name}" template "${postgres.template}"`);
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
 * One `describe` per flavor of this run: PGlite always, PostgreSQL where the global setup found one. A database costs 0.1 s on
 * PostgreSQL and 0.5 s on PGlite: open one in `beforeAll`, keep tests apart by tenant.
 */
export function describeOnDatabases(name: string, body: (open: OpenTestDatabase, flavor: Database['flavor']) => void): void {
  const postgres = inject('postgres');
  const flavors: readonly [Database['flavor'], OpenTestDatabase][] = [
    ['pglite', openPgliteForTest],
    ...(postgres ? [['postgres', () => openPostgresForTest(postgres)] satisfies [Database['flavor'], OpenTestDatabase]] : []),
  ];
  for (const [flavor, openOne] of flavors) {
    describe(`${name} [${flavor}]`, () => {
      const opened: TestDatabase[] = [];
      afterAll(async () => {
        for (const each of opened.splice(0)) await each[Symbol.asyncDispose]();
      });
      body(async () => {
        const database = await openOne();
        opened.push(database);
        return database;
      }, flavor);
    });
  }
}
