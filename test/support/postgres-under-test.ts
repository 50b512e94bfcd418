/** What the global setup tells the test files of the PostgreSQL that the run found. */

export interface PostgresUnderTest {
  /** Of a user who may make databases. */
  readonly url: string;
  /** A migrated database to clone. */
  readonly template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresUnderTest | null;
  }
}

/** The same server and user, another database. */
export function databaseUrl(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
