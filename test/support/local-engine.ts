/** An engine with the manifests of the package, for the human that tests act as. */
import { inject } from 'vitest';
import { type ContextEngine, type EngineOptions, LOCAL_PROFILE } from '../../src/index.ts';
import { type OpenTestDatabase, openPostgresForTest } from './databases.ts';
import { openEngine, type TestClock } from './engines.ts';
import { storeLocalHuman } from './local-human.ts';

export const PACKAGE_MANIFESTS = new URL('../../manifests', import.meta.url).pathname;

/** On a server it is migrated and the human is stored there; else it is in memory. */
export async function openLocalEngine(
  open: OpenTestDatabase,
  flavor: string,
  options: EngineOptions & { readonly time?: TestClock },
): Promise<ContextEngine> {
  const opened = flavor === 'postgres' ? await open() : null;
  const engine = await openEngine({
    database: opened?.url ? { url: opened.url } : { inMemory: true },
    permission_profile: LOCAL_PROFILE,
    manifests: PACKAGE_MANIFESTS,
    ...options,
  });
  if (opened) await storeLocalHuman(opened.owner);
  return engine;
}

/**
 * For what is the same on every database: on the server where the run has one, which is several
 * times as fast as the embedded database.
 */
export async function withLocalEngine<Result>(
  options: EngineOptions & { readonly time?: TestClock },
  use: (engine: ContextEngine) => Promise<Result>,
): Promise<Result> {
  const postgres = inject('postgres');
  await using database = postgres ? await openPostgresForTest(postgres) : null;
  const engine = database
    ? await openLocalEngine(async () => database, 'postgres', options)
    : await openEngine({
        permission_profile: LOCAL_PROFILE,
        manifests: PACKAGE_MANIFESTS,
        ...options,
      });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/** Somebody else, who may approve what the human proposes. */
export const REVIEWER = { permission_profile: { ...LOCAL_PROFILE, principal: 'carol' } };

export const storeReviewer = ({ principals }: ContextEngine) =>
  principals.set({
    principal: 'carol',
    kind: 'human',
    scopes: '*',
    tiers: { approvals: 'T1' },
  });
