/** Jobs in a map of their tenant, by kind and scope. */
import type { JobsPort } from '../../src/cxri/ports/jobs.ts';
import type { TenantId } from '../../src/model/ids.ts';
import type { Job } from '../../src/model/job.ts';
import { type KeptJob, type Store, tenantOf } from './store.ts';

const keyOf = ({ kind, scope_uuid: scope }: Pick<Job, 'kind' | 'scope_uuid'>): string =>
  `${kind}/${scope}`;

function ofWorker(store: Store, tenant: TenantId, job: Job): KeptJob | null {
  const kept = tenantOf(store, tenant).jobs.get(keyOf(job));
  return kept?.claim?.by === job.claimed_by ? kept : null;
}

export const jobsPort = (store: Store): JobsPort => ({
  enqueueJob: async (tenant, request) => {
    const { jobs } = tenantOf(store, tenant);
    const kept = jobs.get(keyOf(request));
    if (!kept)
      jobs.set(keyOf(request), { ...request, asked: 1, attempts: 0, claim: null, error: null });
    else {
      kept.asked += 1;
      if (request.not_before < kept.not_before) kept.not_before = request.not_before;
    }
  },
  claimJob: async (tenant, { kind, worker, held, at, until }) => {
    const [next] = [...tenantOf(store, tenant).jobs.values()]
      .filter((job) => job.kind === kind && job.not_before <= at)
      .filter(({ scope_uuid: scope }) => held.all || held.uuids.has(scope))
      .filter(({ claim }) => claim === null || claim.until <= at)
      .sort((a, b) => (keyInTime(a) < keyInTime(b) ? -1 : 1));
    if (!next) return null;
    next.attempts += 1;
    next.claim = { by: worker, until };
    const { scope_uuid, asked, attempts } = next;
    return { kind, scope_uuid, asked, attempts, claimed_by: worker, claimed_until: until };
  },
  finishJob: async (tenant, job) => {
    const kept = ofWorker(store, tenant, job);
    if (kept?.asked === job.asked) tenantOf(store, tenant).jobs.delete(keyOf(job));
    else if (kept) Object.assign(kept, { claim: null, attempts: 0, error: null });
  },
  postponeJob: async (tenant, job, { not_before, error, is_attempt: isAttempt = true }) => {
    const kept = ofWorker(store, tenant, job);
    if (!kept) return;
    const attempts = kept.attempts - (isAttempt ? 0 : 1);
    Object.assign(kept, { claim: null, not_before, error, attempts });
  },
  listJobs: async (tenant, { kind, scopes, limit }) =>
    [...(store.tenants.get(tenant)?.jobs.values() ?? [])]
      .filter((job) => job.kind === kind && scopes.includes(job.scope_uuid))
      .sort((a, b) => (keyInTime(a) < keyInTime(b) ? -1 : 1))
      .slice(0, limit)
      .map(({ scope_uuid, attempts, not_before, claim, error }) => ({
        kind,
        scope_uuid,
        attempts,
        not_before,
        claimed_until: claim?.until ?? null,
        last_error: error,
      })),
});

const keyInTime = ({ not_before: from, scope_uuid: scope }: KeptJob): string => `${from} ${scope}`;
