/**
 * The connectors by name, each loaded when it is first asked for: a process that opens none loads no database driver.
 * The engine opens its authority here and nowhere else.
 */
import type { Authority } from '../src/cxri/authority.ts';
import { ContextEngineError } from '../src/errors.ts';
import { checkFields } from '../src/model/fields.ts';
import type { OwnerDatabase } from './pgvector/sql.ts';

/** A connector is one line here and one folder beside this file. */
export const CONNECTORS = {
  pgvector: () => import('./pgvector/index.ts'),
  reference: () => import('./reference/index.ts'),
} as const;

/** Embedded in a folder, on a server, or embedded and gone at close. */
export type AuthorityLocation = { readonly dataDir: string } | { readonly url: string } | { readonly inMemory: true };

const PLACES: Readonly<Record<'dataDir' | 'url' | 'inMemory', true>> = { dataDir: true, url: true, inMemory: true };

/** Throws `CONFIG.UNKNOWN_KEY` or `CONFIG.INVALID_VALUE` for what is not exactly one place. */
export function checkLocation(database: AuthorityLocation): void {
  checkFields(database, 'database', PLACES);
  const places = Object.values(database).filter((place) => place === true || (typeof place === 'string' && place.trim() !== ''));
  if (places.length === 1 && Object.keys(database).length === 1 && (places[0] === true) === 'inMemory' in database) return;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    // Not its values: a URL has a password.
    message: `\`database\` is given by \`${Object.keys(database).join(', ')}\`.`,
    fix: 'Pass one of `{ dataDir }`, `{ url }` and `{ inMemory: true }`.',
    where: { field: 'database' },
  });
}

export interface OpenedAuthority {
  readonly authority: Authority;
  /** Closes the authority and its database. */
  close(): Promise<void>;
}

/** Opens the ledger. An embedded database is migrated; one given by URL never is (`MIGRATION.PENDING`). Nothing stays open when it rejects. */
export async function openAuthority(location: AuthorityLocation): Promise<OpenedAuthority> {
  const { pgvectorAuthority } = await CONNECTORS.pgvector();
  const database = 'url' in location ? await openServer(location.url) : await openEmbedded('dataDir' in location ? location.dataDir : null);
  const authority = pgvectorAuthority(database);
  const close = async (): Promise<void> => {
    await authority[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  };
  return { authority, close };
}

const openServer = async (url: string) => (await import('./pgvector/postgres.ts')).openPostgres({ url });
const openEmbedded = async (dataDir: string | null) => (await import('./pgvector/pglite.ts')).openPglite({ dataDir });

export interface MigrateRequest {
  readonly database: AuthorityLocation;
  /** Only say what would be applied. */
  readonly dryRun?: boolean;
}
export interface MigrateReport {
  /** Names such as `0001_roles`, in order. */
  readonly applied: readonly string[];
  /** How many had been applied before. */
  readonly already: number;
}

/** Brings a database to this version's schema. Throws `MIGRATION.CHANGED` or `MIGRATION.FAILED`; nothing of a failed file is kept. */
export async function migrateDatabase(request: MigrateRequest): Promise<MigrateReport> {
  checkFields(request, 'request', { database: true, dryRun: true });
  const { database, dryRun = false } = request;
  checkLocation(database);
  const { migrate, pendingMigrations, readMigrations } = await import('./pgvector/migrate.ts');
  if (!('url' in database)) {
    if (dryRun)
      throw new ContextEngineError('CONFIG.INVALID_VALUE', {
        message: '`dryRun` was asked for an embedded database.',
        fix: 'An embedded database is migrated when it is opened; there is nothing to try out.',
      });
    const { openPgliteOwner } = await import('./pgvector/pglite.ts');
    const owner = await openPgliteOwner({ dataDir: 'dataDir' in database ? database.dataDir : null, shouldMigrate: false });
    return applyAll(owner, migrate);
  }
  const { openPostgresOwner } = await import('./pgvector/postgres.ts');
  const owner = await openPostgresOwner(database.url);
  if (!dryRun) return applyAll(owner, migrate);
  try {
    const [pending, all] = [await pendingMigrations(owner), await readMigrations()];
    return { applied: pending.map(({ file }) => file.replace(/\.sql$/, '')), already: all.length - pending.length };
  } finally {
    await owner[Symbol.asyncDispose]();
  }
}

/** Closed by hand: TypeScript 6.0 leaves the extension of a dynamic import alone in a function that declares `await using`. */
async function applyAll(owner: OwnerDatabase, migrate: typeof import('./pgvector/migrate.ts').migrate): Promise<MigrateReport> {
  try {
    const { applied, alreadyApplied } = await migrate(owner);
    return { applied, already: alreadyApplied.length };
  } finally {
    await owner[Symbol.asyncDispose]();
  }
}
