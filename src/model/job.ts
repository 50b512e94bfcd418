/** Work that is done off the path of a call, one for each kind and scope. */
import type { Instant, Uuid } from './ids.ts';

export const JOB_KINDS = ['capture', 'upkeep'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export interface Job {
  readonly kind: JobKind;
  readonly scope_uuid: Uuid;
  /** How often it was asked for: a job that was asked for again while it ran is not over. */
  readonly asked: number;
  /** This one included. */
  readonly attempts: number;
  readonly claimed_by: string;
  /** After it anyone may take it over. */
  readonly claimed_until: Instant;
}

/** A job as it stands: it waits, or somebody works on it. */
export interface OpenJob extends Pick<Job, 'kind' | 'scope_uuid' | 'attempts'> {
  readonly not_before: Instant;
  /** Until when a worker has it; null = none does. */
  readonly claimed_until: Instant | null;
  /** The code that the last try failed with; null = none has. */
  readonly last_error: string | null;
}
