/**
 * Runs the jobs that are due, one after another, until none is left. What a job does is handed in.
 * One that fails for no fault of its own is put off, longer each time; it is never dropped. One
 * whose key a model refuses waits as long as any may: trying again does not mend a key. One that
 * knows until when it waits is due then, and has not failed.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { JobsPort } from '../cxri/ports/jobs.ts';
import { type Instant, parseInstant, type TenantId, toEpochMs, toInstant } from '../model/ids.ts';
import type { Job, JobKind } from '../model/job.ts';
import type { HeldScopes } from '../model/permission.ts';

export interface JobWork {
  readonly tenant: TenantId;
  readonly kind: JobKind;
  /** Names the worker in its claims. */
  readonly worker: string;
  /** Of whoever asks for the run: what they do not hold, they do not learn of. */
  readonly held: HeldScopes;
  readonly jobs: JobsPort;
  readonly now: () => Instant;
  readonly body: (job: Job) => Promise<void>;
  /** True ends the run after the job under way. */
  readonly isStopped: () => boolean;
}

export interface JobsRun {
  readonly done: number;
  /** Tried in vain, with the codes of why. */
  readonly postponed: readonly string[];
}

/** Longer than a batch of a capture takes; a worker that died is taken over after it. */
const CLAIM_MS = 120_000;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;

export async function runJobs(work: JobWork): Promise<JobsRun> {
  let done = 0;
  const postponed: string[] = [];
  while (!work.isStopped()) {
    const at = work.now();
    const until = later(at, CLAIM_MS);
    const { kind, worker, held, tenant, jobs } = work;
    const job = await jobs.claimJob(tenant, { kind, worker, held, at, until });
    if (job === null) break;
    const error = await tryJob(job, work);
    if (error === null) done += 1;
    else postponed.push(error);
  }
  return { done, postponed };
}

const later = (at: Instant, ms: number): Instant => toInstant(toEpochMs(at) + ms);

/**
 * The code of what it failed with; null = it is done. Nobody waits for it who could be thrown at.
 */
async function tryJob(job: Job, { tenant, jobs, body, now }: JobWork): Promise<string | null> {
  try {
    await body(job);
  } catch (cause) {
    const error = cause instanceof ContextEngineError ? cause.code : 'INTERNAL';
    const isRefused = error === 'INFERENCE.REFUSED';
    const wait = isRefused
      ? LONGEST_WAIT_MS
      : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (job.attempts - 1));
    const known = waitsUntil(cause);
    const not_before = known ?? later(now(), wait);
    const why = { not_before, error, is_attempt: !isRefused && known === null };
    await jobs.postponeJob(tenant, job, why);
    return error;
  }
  await jobs.finishJob(tenant, job);
  return null;
}

function waitsUntil(cause: unknown): Instant | null {
  const until = cause instanceof ContextEngineError ? cause.meta['until'] : undefined;
  return typeof until === 'string' ? parseInstant(until, 'until') : null;
}
