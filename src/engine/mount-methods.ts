/**
 * The mounts of an engine: opened when first asked for, fed from the ledger, made again while the
 * copy before still serves. Each tenant has a projection of its own.
 */
import { type MountChoice, mountConnector } from '../../connectors/index.ts';
import { ContextEngineError } from '../codes/errors.ts';
import { suggest } from '../codes/suggest.ts';
import { guardProjection } from '../cxri/guard/projection.ts';
import type { Projection, ProjectionFeed } from '../cxri/projection.ts';
import { spaceName } from '../inference/embedder.ts';
import { feedProjection } from '../jobs/feed-projection.ts';
import type { TenantId } from '../model/ids.ts';
import type { MountHealth, MountReport } from '../model/mount.ts';
import type { CallOptions, ContextEngine } from './context-engine.ts';
import { type EngineParts, grantOf } from './engine-parts.ts';

type MountParts = Pick<EngineParts, 'embedder'> & { readonly cwd: string };
type Choices = Readonly<Record<string, MountChoice>>;

export interface OpenMounts {
  readonly names: readonly string[];
  open(name: string, tenant: TenantId): Promise<Projection>;
  close(): Promise<void>;
}

export function openMounts(choices: Choices, parts: MountParts): OpenMounts {
  const opened = new Map<string, Promise<Projection>>();
  const names = Object.keys(choices);
  return {
    names,
    open: async (name, tenant) => {
      const choice = Object.hasOwn(choices, name) ? choices[name] : undefined;
      if (!choice) throw unknownMount(name, names);
      const key = JSON.stringify([name, tenant]);
      const opening = opened.get(key) ?? openOne(name, choice, { tenant, parts });
      opened.set(key, opening);
      // One that could not be opened is tried again.
      opening.catch(() => opened.delete(key));
      return opening;
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
  const fed = async (name: string, tenant: TenantId): Promise<MountReport> => {
    const projection = await mounted.open(name, tenant);
    const feed = await projection.feed();
    return withFeed(feed, async () => {
      const run = await feedProjection(feed, projection, work(parts, tenant));
      return { mount: name, ...run, ...(await keptUp(feed)) };
    });
  };
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

const work = ({ authority, embedder, now }: EngineParts, tenant: TenantId) => ({
  tenant,
  authority,
  space: embedder && spaceName(embedder.space),
  now,
  isStopped: () => false,
});

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
      advice: [isOurs ? `${error.message} ${error.fix}` : 'Run `contextengine rebuild`.'],
    };
  }
}

const unknownMount = (name: string, names: readonly string[]): ContextEngineError =>
  new ContextEngineError('CONFIG.INVALID_VALUE', {
    message: `There is no mount \`${name}\`.${suggest(name, names)}`,
    fix: names.length > 0 ? `Use one of ${names.join(', ')}.` : 'Name one under `mounts`.',
    where: { field: 'mounts' },
  });
