/** The port of jobs: asked for, claimed by one worker at a time, finished or put off. */
import type { Instant, TenantId, Uuid } from '../../model/ids.ts';
import type { Job, JobKind, OpenJob } from '../../model/job.ts';
import type { HeldScopes } from '../../model/permission.ts';

export interface JobRequest {
  readonly kind: JobKind;
  readonly scope_uuid: Uuid;
  readonly not_before: Instant;
}
export interface JobClaim {
  readonly kind: JobKind;
  readonly worker: string;
  /** Jobs of other scopes are not there. */
  readonly held: HeldScopes;
  readonly at: Instant;
  readonly until: Instant;
}

export interface JobDelay {
  readonly not_before: Instant;
  /** The code of why. */
  readonly error: string;
  /** False: this try is not among the attempts. Default true. */
  readonly is_attempt?: boolean;
}

export interface JobListing {
  readonly kind: JobKind;
  /** Jobs of other scopes are not there. */
  readonly scopes: readonly Uuid[];
  readonly limit: number;
}

export interface JobsPort {
  /** Asks for it; one that waits already is asked for once more, and is no later for it. */
  enqueueJob(tenant: TenantId, request: JobRequest): Promise<void>;
  /** The one that has waited longest and that nobody works on; null = none is due. */
  claimJob(tenant: TenantId, claim: JobClaim): Promise<Job | null>;
  /** Done by whoever claimed it; it goes, or waits on where it was asked for again. */
  finishJob(tenant: TenantId, job: Job): Promise<void>;
  /** Tried in vain: it waits for another time. */
  postponeJob(tenant: TenantId, job: Job, why: JobDelay): Promise<void>;
  /** Those that are not done, by `not_before` and scope. */
  listJobs(tenant: TenantId, asked: JobListing): Promise<readonly OpenJob[]>;
}
