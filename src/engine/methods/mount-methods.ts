/**
 * The mounts of an engine: opened when first asked for, fed from the ledger, made again while the
 * copy before still serves. Each tenant has a projection of its own.
 */
import { type MountChoice, mountConnector } from '../../../connectors/index.ts';
import { ContextEngineError } from '../../codes/errors.ts';
import { suggest } from '../../codes/suggest.ts';
import type { Mounts } from '../../compose/mounted-search.ts';
import { guardProjection } from '../../cxri/guard/projection.ts';
import type { Projection, ProjectionFeed } from '../../cxri/projection.ts';
import { spaceName } from '../../inference/embedder.ts';
import { feedProjection } from '../../jobs/feed-projection.ts';
import type { TenantId } from '../../model/ids.ts';
import type { MountHealth, MountReport } from '../../model/mount.ts';
import type { CallOptions, ContextEngine } from '../context-engine.ts';
import { type EngineParts, grantOf } from '../engine-parts.ts';
import { createMountFeeder, type MountFeeder } from '../mount-feeder.ts';

type MountParts = Pick<EngineParts, 'embedder'> & { readonly cwd: string };
type Choices = Readonly<Record<string, MountChoice>>;

export interface OpenMounts {
  readonly names: readonly string[];
  /** Those that an engine feeds by itself. */
  readonly fedBySelf: readonly string[];
  open(name: string, tenant: TenantId): Promise<Projection>;
  /** One feed of a mount at a time in this process; another process is refused by its lock. */
  feeding<T>(
    name: string,
    tenant: TenantId,
    body: (feed: ProjectionFeed) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

export function openMounts(choices: Choices, parts: MountParts): OpenMounts {
  const opened = new Map<string, Promise<Projection>>();
  const fed = new Map<string, Promise<unknown>>();
  const names = Object.keys(choices);
  const keyOf = (name: string, tenant: TenantId): string => JSON.stringify([name, tenant]);
  const open = async (name: string, tenant: TenantId): Promise<Projection> => {
    const choice = Object.hasOwn(choices, name) ? choices[name] : undefined;
    if (!choice) throw unknownMount(name, names);
    const key = keyOf(name, tenant);
    const opening = opened.get(key) ?? openOne(name, choice, { tenant, parts });
    opened.set(key, opening);
    // One that could not be opened is tried again.
    opening.catch(() => opened.delete(key));
    return opening;
  };
  return {
    names,
    fedBySelf: names.filter((name) => choices[name]?.feed !== 'work'),
    open,
    feeding: (name, tenant, body) => {
      const key = keyOf(name, tenant);
      const before = fed.get(key) ?? Promise.resolve();
      const now = before.then(async () => {
        const feed = await (await open(name, tenant)).feed();
        return withFeed(feed, () => body(feed));
      });
      fed.set(
        key,
        now.catch(() => null),
      );
      return now;
    },
    close: async () => {
      const all = await Promise.allSettled(opened.values());
      for (const one of all) if (one.status === 'fulfilled') await one.value[Symbol.asyncDispose]();
    },
  };
}

async function openOne(
  name: string,
  choice: MountChoice,
  { tenant, parts }: { readonly tenant: TenantId; readonly parts: MountParts },
): Promise<Projection> {
  const connector = await mountConnector(name, choice, { tenant, cwd: parts.cwd });
  const space = parts.embedder && {
    name: spaceName(parts.embedder.space),
    dimensions: parts.embedder.space.dimensions,
  };
  return guardProjection(await connector.connect({ space }));
}

export function createMounting(
  parts: EngineParts & { readonly mounted: OpenMounts },
): Pick<ContextEngine, 'mounts'> {
  const { open, mounted } = parts;
  const fed = (name: string, tenant: TenantId): Promise<MountReport> =>
    mounted.feeding(name, tenant, async (feed) => {
      const projection = await mounted.open(name, tenant);
      const run = await feedProjection(feed, projection, work(parts, tenant));
      return { mount: name, ...run, ...(await keptUp(feed)) };
    });
  return {
    mounts: {
      feed: open(async (name, options) => {
        const tenant = await tenantOf(parts, options);
        const reports: MountReport[] = [];
        for (const each of name === null ? mounted.names : [name])
          reports.push(await fed(each, tenant));
        return reports;
      }),
      rebuild: open(async (name, options) => {
        const tenant = await tenantOf(parts, options);
        const rebuild = await (await mounted.open(name, tenant)).rebuild();
        const { upserted } = await withFeed(rebuild, async () => {
          const run = await feedProjection(rebuild, null, work(parts, tenant));
          await rebuild.commit();
          await rebuild.upkeep();
          return run;
        });
        // What was written and forgotten meanwhile.
        const rest = await fed(name, tenant);
        return { ...rest, upserted: upserted + rest.upserted };
      }),
      health: open(async (options) => {
        const tenant = await tenantOf(parts, options);
        return Promise.all(mounted.names.map((name) => healthOf(name, tenant, parts)));
      }),
    },
  };
}

type Feeding = Pick<EngineParts, 'authority' | 'embedder' | 'now'>;

const work = (
  { authority, embedder, now }: Feeding,
  tenant: TenantId,
  isStopped = () => false,
) => ({ tenant, authority, space: embedder && spaceName(embedder.space), now, isStopped });

/** As many rows, or feeds, between two upkeeps of a mount that an engine feeds by itself. */
const TENDED_AFTER = { rows: 2_000, feeds: 50 };
const TENDING = { timeoutMs: 60_000, freeBytes: 1024 ** 3 };

/** By the engine itself: what is written to a mount is shown to nobody by that. */
export function createFeeding(parts: Feeding & { readonly mounted: OpenMounts }): MountFeeder {
  const { mounted } = parts;
  const since = new Map<string, { rows: number; feeds: number }>();
  return createMountFeeder({
    names: mounted.fedBySelf,
    feed: (name, tenant, isStopped) =>
      mounted.feeding(name, tenant, async (feed) => {
        const projection = await mounted.open(name, tenant);
        const run = await feedProjection(feed, projection, work(parts, tenant, isStopped));
        const key = JSON.stringify([name, tenant]);
        const { rows, feeds } = since.get(key) ?? { rows: 0, feeds: 0 };
        const now = { rows: rows + run.upserted + run.removed, feeds: feeds + 1 };
        const isDue = now.rows >= TENDED_AFTER.rows || now.feeds >= TENDED_AFTER.feeds;
        since.set(key, isDue ? { rows: 0, feeds: 0 } : now);
        if (isDue && !isStopped()) await feed.upkeep(TENDING);
      }),
  });
}

/** As a composition asks for them: one that is behind is fed. */
export const searchedMounts =
  (mounted: OpenMounts, feeder: Pick<MountFeeder, 'wake'>): Mounts =>
  async (name, tenant) => {
    const projection = await mounted.open(name, tenant);
    return {
      query: (request) => projection.query(request),
      cursor: (of) => projection.cursor(of),
      fellBehind: () => feeder.wake(tenant),
    };
  };

async function keptUp(feed: ProjectionFeed): Promise<Pick<MountReport, 'rows' | 'bytes'>> {
  const { rows, bytes } = await feed.upkeep();
  return { rows, bytes };
}

async function withFeed<T>(feed: AsyncDisposable, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } finally {
    await feed[Symbol.asyncDispose]();
  }
}

/** Who feeds a mount reads the whole tenant. */
async function tenantOf(parts: EngineParts, options: CallOptions | undefined): Promise<TenantId> {
  const grant = await grantOf(parts, options, 'mounts');
  await parts.permission.assertAuditor(grant, { door: 'mounts', field: 'permission_profile' });
  return grant.tenant;
}

/** One that is down is a verdict, not a failure. */
async function healthOf(
  name: string,
  tenant: TenantId,
  { authority, mounted, now }: EngineParts & { readonly mounted: OpenMounts },
): Promise<MountHealth> {
  try {
    const projection = await mounted.open(name, tenant);
    const [health, cursor] = await Promise.all([projection.health(), projection.cursor(tenant)]);
    const held = { all: true, uuids: new Set<never>() };
    const scopes = await authority.listScopes(tenant, held, now());
    const fed = new Map(cursor.marks.map(({ scope, seq }) => [scope, seq]));
    const lag = scopes.reduce(
      (sum, { scope, head }) => sum + Math.max(0, head - (fed.get(scope.root_uuid) ?? 0)),
      0,
    );
    const behind = `Run \`contextengine work\`: the mount is ${lag} writes behind the ledger.`;
    const { policy_epoch: epoch } = await authority.heads(tenant, []);
    const isOld = cursor.marks.length > 0 && cursor.policy_epoch !== epoch;
    const old =
      'Run `contextengine work`: what was forgotten since the last feed is still in the copy.';
    return {
      mount: name,
      ...health,
      lag,
      advice: [...health.advice, ...(lag > 0 ? [behind] : []), ...(isOld ? [old] : [])],
    };
  } catch (error) {
    const isOurs = error instanceof ContextEngineError;
    const code = isOurs ? error.code : 'CONNECTOR.UNAVAILABLE';
    return {
      ...{ mount: name, verdict: 'down', latency_ms: 0, lag: 0, details: { code } },
      advice: [isOurs ? `${error.message} ${error.fix}` : `Run \`contextengine rebuild ${name}\`.`],
    };
  }
}

const unknownMount = (name: string, names: readonly string[]): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `There is no mount \`${name}\`.${suggest(name, names)}`,
    fix: names.length > 0 ? `Use one of ${names.join(', ')}.` : 'Name one under `mounts`.',
    where: { field: 'mounts' },
  });
