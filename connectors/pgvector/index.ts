/** contextengine/connectors/pgvector: the authority, on PGlite (embedded) and PostgreSQL with pgvector. */

export type { AuthorityOptions } from './authority.ts';
export { pgvectorAuthority } from './authority.ts';
export type { PgvectorOptions } from './connection.ts';
export { createPgvectorConnector } from './connection.ts';
export type { Database, OwnerDatabase, SqlParam, SqlRow, SqlSession } from './sql.ts';
