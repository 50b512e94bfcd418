/**
 * Connect: opens a database and gives the authority over it; closing the connection closes both.
 */
import type { Authority } from '../../src/cxri/authority.ts';
import type { ConnectOptions, Connector } from '../../src/cxri/contract.ts';
import { type AuthorityOptions, pgvectorAuthority } from './authority.ts';
import { type MigrationReport, migrate } from './driver/migrate.ts';
import type { ApplicationPool } from './driver/postgres/application-pool.ts';
import type { Database } from './driver/sql.ts';
import { throwIfAborted } from './refusals.ts';

/**
 * Embedded in a folder or gone at close, both migrated when opened; on a server, by URL or by a
 * pool of the application.
 */
export type PgvectorPlace =
  | { readonly dataDir: string }
  | { readonly inMemory: true }
  | { readonly url: string }
  | { readonly pool: ApplicationPool };
export type PgvectorOptions = PgvectorPlace & AuthorityOptions;

/**
 * A connector by itself. Each connection of an embedded folder holds the folder: `CONNECTOR.LOCKED`
 * for a second one.
 *
 * @example
 * ```ts
 * await using connection = await createPgvectorConnector({ dataDir: '.contextengine' }).connect();
 * ```
 */
export function createPgvectorConnector(
  options: PgvectorOptions,
): Connector & { connect(options?: ConnectOptions): Promise<Authority> } {
  return {
    name: 'pgvector',
    async connect({ signal }: ConnectOptions = {}): Promise<Authority> {
      throwIfAborted(signal);
      const database = await openPlace(options);
      const authority = pgvectorAuthority(database, options);
      return {
        ...authority,
        [Symbol.asyncDispose]: async () => {
          await authority[Symbol.asyncDispose]();
          await database[Symbol.asyncDispose]();
        },
      };
    },
  };
}

/** The drivers are loaded when they are needed: an embedded database needs no `pg`. */
async function openPlace(place: PgvectorPlace): Promise<Database> {
  if ('url' in place)
    return (await import('./driver/postgres/postgres.ts')).openPostgres({ url: place.url });
  if ('pool' in place)
    return (await import('./driver/postgres/application-pool.ts')).openApplicationPool(place.pool);
  const { openPglite } = await import('./driver/pglite/pglite.ts');
  return openPglite({ dataDir: 'dataDir' in place ? place.dataDir : null });
}

/**
 * Brings a server to the schema of this version, as a role that may create schemas, roles and
 * extensions.
 */
export async function migratePgvector({ url }: { readonly url: string }): Promise<MigrationReport> {
  const { openPostgresOwner } = await import('./driver/postgres/postgres.ts');
  const owner = await openPostgresOwner(url);
  try {
    return await migrate(owner);
  } finally {
    await owner[Symbol.asyncDispose]();
  }
}
