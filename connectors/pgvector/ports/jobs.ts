/** Jobs: claimed by `skip locked`, so that workers never wait for each other. */
import type { JobClaim, JobsPort } from '../../../src/cxri/ports/jobs.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import type { Job, OpenJob } from '../../../src/model/job.ts';
import { inTenant } from '../driver/session.ts';
import type { Database, SqlParam, SqlRow } from '../driver/sql.ts';
import { asText, toTime } from '../rows.ts';

/** Materialized: as a part of the join it is read again for each row, and claims several. */
const CLAIM = `
  with next as materialized (
    select scope_uuid from context_ops.jobs where tenant_id = $1 and kind = $2
      and not_before <= $4::timestamptz
      and (claimed_until is null or claimed_until <= $4::timestamptz)
    order by not_before, scope_uuid limit 1 for update skip locked)
  update context_ops.jobs j set claimed_by = $3, claimed_until = $5::timestamptz,
  attempts = attempts + 1
  from next where j.tenant_id = $1 and j.kind = $2 and j.scope_uuid = next.scope_uuid
  returning j.scope_uuid, j.asked, j.attempts`;

const LIST = `
  select scope_uuid, attempts, not_before, claimed_until, last_error from context_ops.jobs
  where tenant_id = $1 and kind = $2 and scope_uuid = any($4::uuid[])
  order by not_before, scope_uuid limit $3`;

const OF_WORKER = 'tenant_id = $1 and kind = $2 and scope_uuid = $3 and claimed_by = $4';
const keyOf = (tenant: TenantId, job: Job): SqlParam[] => [
  tenant,
  job.kind,
  job.scope_uuid,
  job.claimed_by,
];

const toJob = ({ kind, worker, until }: JobClaim, row: SqlRow): Job => ({
  kind,
  scope_uuid: asText(row['scope_uuid']) as Uuid, // a uuid column
  asked: Number(row['asked']),
  attempts: Number(row['attempts']),
  claimed_by: worker,
  claimed_until: until,
});

const toOpenJob = (kind: OpenJob['kind'], row: SqlRow): OpenJob => ({
  kind,
  scope_uuid: asText(row['scope_uuid']) as Uuid, // a uuid column
  attempts: Number(row['attempts']),
  not_before: toTime(row['not_before']),
  claimed_until: row['claimed_until'] === null ? null : toTime(row['claimed_until']),
  last_error: row['last_error'] === null ? null : asText(row['last_error']),
});

export function jobsPort(open: () => Database): JobsPort {
  const run = async (
    tenant: TenantId,
    text: string,
    params: readonly SqlParam[],
  ): Promise<readonly SqlRow[]> =>
    inTenant(open(), { tenant, scopes: '*' }, (tx) => tx.query(text, params));
  return {
    enqueueJob: async (tenant, { kind, scope_uuid: scope, not_before: from }) => {
      await run(
        tenant,
        `insert into context_ops.jobs as j (tenant_id, kind, scope_uuid, not_before)
         values ($1, $2, $3, $4::timestamptz) on conflict (tenant_id, kind, scope_uuid) do update
         set asked = j.asked + 1, not_before = least(j.not_before, excluded.not_before)`,
        [tenant, kind, scope, from],
      );
    },
    claimJob: async (tenant, claim) => {
      const { kind, worker, held, at, until } = claim;
      // The policies show the jobs of these scopes alone.
      const scopes = held.all ? '*' : [...held.uuids];
      const [row] = await inTenant(open(), { tenant, scopes }, (tx) =>
        tx.query(CLAIM, [tenant, kind, worker, at, until]),
      );
      return row ? toJob(claim, row) : null;
    },
    finishJob: async (tenant, job) => {
      await inTenant(open(), { tenant, scopes: '*' }, async (tx) => {
        const key = keyOf(tenant, job);
        const done = `delete from context_ops.jobs where ${OF_WORKER}
          and asked = $5 returning asked`;
        if ((await tx.query(done, [...key, job.asked])).length > 0) return;
        await tx.query(
          'update context_ops.jobs set claimed_by = null, claimed_until = null, attempts = 0, ' +
            `last_error = null where ${OF_WORKER}`,
          key,
        );
      });
    },
    postponeJob: async (tenant, job, why) => {
      const { not_before: from, error, is_attempt: isAttempt = true } = why;
      await run(
        tenant,
        `update context_ops.jobs set claimed_by = null, claimed_until = null,
          not_before = $5::timestamptz, last_error = $6, attempts = attempts - $7::int
         where ${OF_WORKER}`,
        [...keyOf(tenant, job), from, error, isAttempt ? 0 : 1],
      );
    },
    listJobs: async (tenant, { kind, scopes, limit }) => {
      if (scopes.length === 0) return [];
      // Named here: policies would compare each row with each of up to 10,000 scopes.
      const rows = await run(tenant, LIST, [tenant, kind, limit, `{${scopes.join(',')}}`]);
      return rows.map((row) => toOpenJob(kind, row));
    },
  };
}
