/**
 * The worker in process: captures after an append where the manifest says so, off its path. What it
 * does not get to is a job in the database, for the next append or `contextengine work`.
 */
import { LRUCache } from 'lru-cache';
import type { CaptureDependencies } from '../capture/prepare.ts';
import type { Waiting } from '../capture/waits.ts';
import { ContextEngineError } from '../codes/errors.ts';
import { type JobsRun, runJobs } from '../jobs/run-jobs.ts';
import { parseTenant, type TenantId, type Uuid } from '../model/ids.ts';
import type { WriteResult } from '../model/operation.ts';
import type { Grant, HeldScopes, PermissionProfile } from '../model/permission.ts';
import { writeOperations } from '../write/write.ts';
import type { EngineParts } from './engine-parts.ts';

export type WorkerParts = Omit<EngineParts, 'open'>;

export interface CaptureWorker {
  /** Asks for a capture of what was appended, where the manifest of its scope says so. */
  appended(scope: Uuid, profile: PermissionProfile, result: WriteResult): Promise<void>;
  /** Runs what is due in the scopes of the grant, by the rights of its profile. */
  run(grant: Grant, profile: PermissionProfile): Promise<JobsRun>;
  /** Ends after the job under way. */
  stop(): Promise<void>;
}

export const captureDependencies = (
  parts: WorkerParts,
  profile: PermissionProfile,
): CaptureDependencies => {
  const { authority, permission, isServer, embedder, model } = parts;
  const { manifests, digestOf, newId, now } = parts;
  const write: CaptureDependencies['write'] = (call) => writeOperations(call, parts);
  return {
    authority,
    permission,
    isServer,
    embedder,
    model,
    manifests,
    digestOf,
    newId,
    now,
    profile,
    write,
  };
};

/** Scopes that are remembered; what falls out is read again. */
const MOST_KNOWN = 10_000;

/** In process: each job runs by the rights of whoever appended. */
const ALL: HeldScopes = { all: true, uuids: new Set() };

/** Ids of scopes are those of a tenant: two tenants may have the same. */
const keyOf = (tenant: TenantId, scope: Uuid): string => JSON.stringify([tenant, scope]);

export function createCaptureWorker(parts: WorkerParts): CaptureWorker {
  const types = capturedTypes(parts);
  const typeOf = new LRUCache<string, { readonly type: string | null }>({ max: MOST_KNOWN });
  /** Who appended last: what was said through them is captured by their rights. */
  const appenders = new LRUCache<string, PermissionProfile>({ max: MOST_KNOWN });
  const worker = parts.newId();
  let isStopped = false;
  let running: Promise<unknown> = Promise.resolve();

  const run = async (
    { tenant, held }: { readonly tenant: TenantId; readonly held: HeldScopes },
    profileOf: (scope: Uuid) => PermissionProfile | Promise<PermissionProfile>,
  ): Promise<JobsRun> =>
    runJobs({
      tenant,
      kind: 'capture',
      worker,
      held,
      jobs: parts.authority,
      now: parts.now,
      isStopped: () => isStopped,
      body: async ({ scope_uuid: scope }) => {
        const key = keyOf(tenant, scope);
        const appender = appenders.get(key);
        const by = captureDependencies(parts, await profileOf(scope));
        const call = { scope, timeZone: parts.timeZone };
        const { captureScope } = await import('../capture/capture.ts');
        const { waiting } = await parts.outage.watch(
          () => captureScope(call, by),
          ({ receipts }) => receipts.length > 0,
        );
        if (waiting) throw waits(waiting);
        // Who appended meanwhile is captured next, by their own rights.
        if (appenders.get(key) === appender) appenders.delete(key);
      },
    });

  return {
    appended: async (scope, profile, { position }) => {
      if (types.size === 0 || position.length === 0) return;
      const tenant = parseTenant(profile.tenant);
      const key = keyOf(tenant, scope);
      const known = typeOf.get(key) ?? { type: await readType(scope, profile, parts) };
      typeOf.set(key, known);
      if (known.type === null || !types.has(known.type)) return;
      appenders.set(key, profile);
      const not_before = parts.now();
      await parts.authority.enqueueJob(tenant, { kind: 'capture', scope_uuid: scope, not_before });
      const next = async (): Promise<unknown> => {
        const own = await parts.profileOf(undefined).catch(() => null);
        // Without rights of its own it leaves what other processes appended to those that have.
        const held: HeldScopes = own === null ? { all: false, uuids: new Set([scope]) } : ALL;
        return run(
          { tenant, held },
          (each) => appenders.get(keyOf(tenant, each)) ?? own ?? profile,
        );
      };
      // A failure to claim leaves the job where it is: nobody waits here for an answer.
      running = running.then(next).catch(() => null);
    },
    run: async ({ tenant, scopes }, profile) => run({ tenant, held: scopes }, () => profile),
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}

/** The job is put off; what was captured before stays. */
const waits = ({ code, until }: Waiting): ContextEngineError =>
  new ContextEngineError(code, {
    message: `The capture waits until \`${until}\`.`,
    fix:
      code === 'CAPTURE.REVIEWS_WAIT'
        ? 'Settle some of what waits: `contextengine approvals list`.'
        : 'Wait, or raise `writing.cost_budget_usd_per_day` of the manifest.',
    meta: { until },
  });

/** The types of scopes that are captured after each append. */
export const capturedTypes = ({ manifests }: Pick<EngineParts, 'manifests'>): ReadonlySet<string> =>
  new Set(
    manifests.manifests.flatMap(({ writing, scopeBlockType }) =>
      writing?.capture ? [scopeBlockType] : [],
    ),
  );

async function readType(
  scope: Uuid,
  profile: PermissionProfile,
  { permission }: Pick<EngineParts, 'permission'>,
): Promise<string | null> {
  const grant = await permission.judge(profile, { door: 'capture', field: 'permission_profile' });
  return (await permission.blocksOf(grant, [scope])).get(scope)?.block_type ?? null;
}
