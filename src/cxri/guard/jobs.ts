/**
 * The guard of the jobs port: a claim names its worker and its end, and gives what was asked for.
 */
import { assertThat } from '../../codes/errors.ts';
import { checkRequest, checkTenant } from '../check-request.ts';
import type { JobsPort } from '../ports/jobs.ts';

export const guardJobs = (port: JobsPort): JobsPort => ({
  enqueueJob: async (tenant, request) => {
    checkTenant(tenant);
    checkRequest('job_request', request);
    return port.enqueueJob(tenant, request);
  },
  claimJob: async (tenant, claim) => {
    checkTenant(tenant);
    checkRequest('job_claim', claim);
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
    checkRequest('job_delay', why);
    return port.postponeJob(tenant, job, why);
  },
  listJobs: async (tenant, asked) => {
    checkTenant(tenant);
    checkRequest('jobs_page', asked);
    const jobs = await port.listJobs(tenant, asked);
    assertThat(
      jobs.length <= asked.limit &&
        jobs.every(
          ({ kind, scope_uuid: scope }) => kind === asked.kind && asked.scopes.includes(scope),
        ),
      'a listed job is of the kind and scopes asked for, and there are no more of them',
    );
    return jobs;
  },
});
