/** Connect: opens a database and gives the authority over it; closing the connection closes both. */
import type { Authority } from '../../src/cxri/authority.ts';
import type { ConnectOptions, Connector } from '../../src/cxri/contract.ts';
import { type AuthorityOptions, pgvectorAuthority } from './authority.ts';
import { throwIfAborted } from './refusals.ts';
import type { Database } from './sql.ts';

export interface PgvectorOptions extends AuthorityOptions {
  /** Opens the database, under the application role: `openPglite` or `openPostgres`. */
  readonly open: () => Promise<Database>;
}

export function createPgvectorConnector(options: PgvectorOptions): Connector & { connect(options?: ConnectOptions): Promise<Authority> } {
  return {
    name: 'pgvector',
    async connect({ signal }: ConnectOptions = {}): Promise<Authority> {
      throwIfAborted(signal);
      const database = await options.open();
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
