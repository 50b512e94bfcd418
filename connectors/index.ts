/**
 * The connectors by name, each loaded when it is first asked for: a process that opens none loads
 * no database driver. The engine opens its authority here and nowhere else.
 */

import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ContextEngineError } from '../src/codes/errors.ts';
import type { Authority } from '../src/cxri/authority.ts';
import type { CreateMount, ProjectionConnector } from '../src/cxri/projection.ts';
import { checkInput, checkShape, isInput } from '../src/inputs/check-input.ts';
import { shown, type TenantId } from '../src/model/ids.ts';
import type { SharedLevel } from '../src/model/shared-level.ts';
import type { ApplicationPool } from './pgvector/driver/postgres/application-pool.ts';
import type { OwnerDatabase } from './pgvector/driver/sql.ts';
import type { FirstPrincipal } from './pgvector/first-principal.ts';

export type { ApplicationPool } from './pgvector/driver/postgres/application-pool.ts';

/** A connector is one line here and one folder beside this file. */
export const CONNECTORS = {
  lancedb: () => import('./lancedb/index.ts'),
  pgvector: () => import('./pgvector/index.ts'),
  reference: () => import('./reference/index.ts'),
  redis: () => import('./redis/index.ts'),
} as const;

/**
 * Embedded in a folder, on a server, on a server by a pool of the application, or embedded and gone
 * at close.
 */
export type AuthorityLocation =
  | { readonly dataDir: string }
  | { readonly url: string }
  | { readonly pool: ApplicationPool }
  | { readonly inMemory: true };

/** Throws `CONFIG.UNKNOWN_KEY` or `CONFIG.INVALID_VALUE` for what is not exactly one place. */
export function checkLocation(database: AuthorityLocation): void {
  // A schema takes a field that is `undefined` for one that is left out.
  const isSaid = (place: unknown): boolean => place !== undefined;
  if (isInput('database', database) && Object.values(database).every(isSaid)) return;
  checkShape('database', database);
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    // Not its values: a URL has a password.
    message: `\`database\` is given by \`${Object.keys(database).join(', ')}\`.`,
    fix:
      'Pass one of `{ dataDir }`, `{ url }`, `{ pool }` (a `Pool` of `pg`) and `{ inMemory: true ' +
      '}`.',
    where: { field: 'database' },
  });
}

/** A mount: one of ours by name, a module by its path or package, or a connector of the caller. */
export interface MountChoice {
  /** `lancedb`; `./file.mjs` or a package that exports `createMount(options)`; or a connector. */
  readonly connector: string | ProjectionConnector;
  /** `lancedb`: a folder. Each tenant has one of its own below it. */
  readonly path?: string;
  /**
   * `self`: by every engine in process, off the path of calls, after what it wrote. `work`: by
   * `contextengine work` and `mounts.feed` alone. Default `self`.
   */
  readonly feed?: 'self' | 'work';
  /** What a connector of others takes. */
  readonly [option: string]: unknown;
}

/** Not opened yet. Rejects with `CONFIG.INVALID_VALUE` for what is no connector. */
export async function mountConnector(
  name: string,
  { connector, feed: _feed, ...options }: MountChoice,
  { tenant, cwd }: { readonly tenant: TenantId; readonly cwd: string },
): Promise<ProjectionConnector> {
  if (typeof connector !== 'string') return connector;
  if (connector === 'lancedb') {
    if (typeof options.path !== 'string') throw invalidMount(name, 'has no `path`', null);
    const { createLancedbProjection } = await CONNECTORS.lancedb();
    return createLancedbProjection({ path: resolve(cwd, options.path, `tenant-${tenant}`) });
  }
  const isFile = connector.startsWith('.') || isAbsolute(connector);
  const target = isFile ? pathToFileURL(resolve(cwd, connector)).href : connector;
  const module: unknown = await import(target).catch((cause: unknown) => {
    throw invalidMount(name, `names \`${connector}\`, which cannot be loaded`, cause);
  });
  const made = isMaker(module) ? await module.createMount({ ...options, tenant }) : null;
  if (made) return made;
  throw invalidMount(name, `names \`${connector}\`, which exports no \`createMount\``, null);
}

interface MountMaker {
  readonly createMount: CreateMount;
}
const isMaker = (module: unknown): module is MountMaker =>
  typeof module === 'object' &&
  module !== null &&
  'createMount' in module &&
  typeof module.createMount === 'function';

const invalidMount = (name: string, why: string, cause: unknown): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `The mount \`${name}\` ${why}.`,
    // Not in the message: compositions tell it to who may know no file of the server.
    fix:
      'Write `{ "connector": "lancedb", "path": … }`, or name a module that exports ' +
      `\`createMount(options)\`.${cause instanceof Error ? ` It failed: ${cause.message}` : ''}`,
    where: { field: `mounts.${name}` },
    cause,
  });

/** The shared level of the embedding cache in Redis; connects at the first use. */
export const openRedisLevel = async (url: string): Promise<SharedLevel> =>
  (await CONNECTORS.redis()).createRedisLevel(url);

export interface OpenedAuthority {
  readonly authority: Authority;
  /** Closes the authority and its database. */
  close(): Promise<void>;
  /** Files and log without what was overwritten; null where they are not the engine's. */
  readonly compact: (() => Promise<void>) | null;
}

/**
 * Opens the ledger. An embedded database is migrated; one given by URL never is
 * (`MIGRATION.PENDING`). Nothing stays open when it rejects.
 */
export async function openAuthority(location: AuthorityLocation): Promise<OpenedAuthority> {
  const { pgvectorAuthority } = await CONNECTORS.pgvector();
  const { database, compact } =
    'url' in location
      ? { database: await openServer(location.url), compact: null }
      : 'pool' in location
        ? { database: await openOnPool(location.pool), compact: null }
        : await openEmbedded('dataDir' in location ? location.dataDir : null);
  const authority = pgvectorAuthority(database);
  const close = async (): Promise<void> => {
    await authority[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  };
  return { authority, close, compact };
}

const openServer = async (url: string) =>
  (await import('./pgvector/driver/postgres/postgres.ts')).openPostgres({ url });
const openOnPool = async (pool: ApplicationPool) =>
  (await import('./pgvector/driver/postgres/application-pool.ts')).openApplicationPool(pool);
async function openEmbedded(dataDir: string | null) {
  const { database, owner } = await (
    await import('./pgvector/driver/pglite/pglite.ts')
  ).openPglitePair({ dataDir });
  const compact = async (): Promise<void> =>
    (await import('./pgvector/driver/pglite/compact.ts')).compactPglite(owner);
  return { database, compact };
}

export interface MigrateRequest {
  readonly database: AuthorityLocation;
  /** Only say what would be applied. */
  readonly dryRun?: boolean;
  /**
   * A human who holds every right of a tenant that has no principal yet; then others can be given
   * theirs. On a server alone: the human of an embedded database holds them anyway.
   */
  readonly firstPrincipal?: FirstPrincipal;
}
export interface MigrateReport {
  /** Names such as `0001_roles`, in order. */
  readonly applied: readonly string[];
  /** How many had been applied before. */
  readonly already: number;
}

/**
 * Brings a database to this version's schema. Throws `MIGRATION.CHANGED` or `MIGRATION.FAILED`;
 * nothing of a failed file is kept.
 */
export async function migrateDatabase(request: MigrateRequest): Promise<MigrateReport> {
  checkInput('migrate', request);
  const { database, dryRun = false, firstPrincipal } = request;
  if (firstPrincipal !== undefined) checkFirstPrincipal(firstPrincipal, request);
  checkLocation(database);
  if ('pool' in database)
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: 'A migration was asked for `database.pool`.',
      fix: 'Pass `{ url }` of a role that may create schemas, roles and extensions.',
      where: { field: 'database.pool' },
    });
  const { migrate, pendingMigrations, readMigrations } = await import(
    './pgvector/driver/migrate.ts'
  );
  if (!('url' in database)) {
    if (dryRun)
      throw new ContextEngineError('CONFIG.INVALID_VALUE', {
        message: '`dryRun` was asked for an embedded database.',
        fix: 'An embedded database is migrated when it is opened; there is nothing to try out.',
      });
    const { openPgliteOwner } = await import('./pgvector/driver/pglite/pglite.ts');
    const owner = await openPgliteOwner({
      dataDir: 'dataDir' in database ? database.dataDir : null,
      shouldMigrate: false,
    });
    return applyAll(owner, migrate);
  }
  const { openPostgresOwner } = await import('./pgvector/driver/postgres/postgres.ts');
  const owner = await openPostgresOwner(database.url);
  if (!dryRun) return applyAll(owner, migrate, firstPrincipal);
  try {
    const [pending, all] = [await pendingMigrations(owner), await readMigrations()];
    return {
      applied: pending.map(({ file }) => file.replace(/\.sql$/, '')),
      already: all.length - pending.length,
    };
  } finally {
    await owner[Symbol.asyncDispose]();
  }
}

/**
 * The SQL of all migrations after a number, for someone else to run with psql. Asks no database.
 */
export async function migrationSql(after = 0): Promise<string> {
  const { migrationScript, readMigrations } = await import('./pgvector/driver/migrate.ts');
  const files = await readMigrations();
  if (Number.isInteger(after) && after >= 0 && after <= files.length)
    return migrationScript(files, after);
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `\`after\` is \`${shown(after)}\`, and the migrations are 1 to ${files.length}.`,
    fix: 'Write the number of the last one that was applied; 0 = none.',
    where: { field: 'after' },
  });
}

function checkFirstPrincipal(first: FirstPrincipal, { database, dryRun }: MigrateRequest): void {
  checkInput('first_principal', first);
  if ('url' in database && dryRun !== true) return;
  throw new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: '`firstPrincipal` was asked for an embedded database, or for a dry run.',
    fix: 'Leave it out: the human of an embedded database stores principals with `principals.set`.',
    where: { field: 'firstPrincipal' },
  });
}

/**
 * Closed by hand: TypeScript 6.0 leaves the extension of a dynamic import alone in a function that
 * declares `await using`.
 */
async function applyAll(
  owner: OwnerDatabase,
  migrate: typeof import('./pgvector/driver/migrate.ts').migrate,
  firstPrincipal?: FirstPrincipal,
): Promise<MigrateReport> {
  try {
    const { applied, alreadyApplied } = await migrate(owner);
    if (firstPrincipal) {
      const { addFirstPrincipal } = await import('./pgvector/first-principal.ts');
      await addFirstPrincipal(owner, firstPrincipal);
    }
    return { applied, already: alreadyApplied.length };
  } finally {
    await owner[Symbol.asyncDispose]();
  }
}
