/** The guard of the jobs port: a claim names its worker and its end, and gives what was asked for. */
import { assertThat } from '../../codes/errors.ts';
import { isStoredInstant } from '../../model/ids.ts';
import { checkTenant, checkUuids } from '../check-query.ts';
import type { JobsPort } from '../ports/jobs.ts';
import { invalidRequest } from '../refuse.ts';

const checkTime = (field: string, value: unknown): void => {
  if (!isStoredInstant(value))
    throw invalidRequest(field, value, 'Pass a time in UTC with milliseconds.');
};

export const guardJobs = (port: JobsPort): JobsPort => ({
  enqueueJob: async (tenant, request) => {
    checkTenant(tenant);
    checkUuids([request.scope_uuid], 'scope_uuid');
    checkTime('not_before', request.not_before);
    return port.enqueueJob(tenant, request);
  },
  claimJob: async (tenant, claim) => {
    checkTenant(tenant);
    for (const field of ['at', 'until'] as const) checkTime(field, claim[field]);
    const job = await port.claimJob(tenant, claim);
    assertThat(
      job === null || (job.kind === claim.kind && job.claimed_by === claim.worker),
      'a claimed job is of the kind that was asked for, and of its worker',
    );
    return job;
  },
  finishJob: async (tenant, job) => {
    checkTenant(tenant);
    return port.finishJob(tenant, job);
  },
  postponeJob: async (tenant, job, why) => {
    checkTenant(tenant);
    checkTime('not_before', why.not_before);
    return port.postponeJob(tenant, job, why);
  },
});
