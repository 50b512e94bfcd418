/**
 * contextengine/connectors/pgvector: the authority, on PGlite (embedded) and PostgreSQL with
 * pgvector.
 *
 * @module contextengine/connectors/pgvector
 */

export type { AuthorityOptions } from './authority.ts';
export { pgvectorAuthority } from './authority.ts';
export type { PgvectorOptions, PgvectorPlace } from './connection.ts';
export { createPgvectorConnector, migratePgvector } from './connection.ts';
export type { MigrationReport } from './driver/migrate.ts';
export type { ApplicationClient, ApplicationPool } from './driver/postgres/application-pool.ts';
export type { Database, OwnerDatabase, SqlParam, SqlRow, SqlSession } from './driver/sql.ts';
