/** Laws of jobs: one worker at a time, none forgotten, none done twice for one asking. */
import assert from 'node:assert/strict';
import type { JobClaim } from '../../cxri/ports/jobs.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Law } from '../law.ts';
import { day } from '../law-operations.ts';

const claim = (worker: string, at: number, until = at + 1): JobClaim => ({
  kind: 'capture',
  worker,
  held: { all: true, uuids: new Set() },
  at: day(at),
  until: day(until),
});

export const jobs: readonly Law[] = [
  {
    name: 'a claim takes one job, and leaves the others to be claimed',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scopes = new Set<string>();
      for (let index = 0; index < 6; index += 1) {
        const scope_uuid = await lab.scope(connection);
        scopes.add(scope_uuid);
        const request = { kind: 'capture', scope_uuid, not_before: day(1) } as const;
        await connection.enqueueJob(lab.tenant, request);
      }
      for (let left = scopes.size; left > 0; left -= 1) {
        const job = await connection.claimJob(lab.tenant, claim('a', 2));
        assert.ok(job, `${left} jobs are left`);
        assert.ok(scopes.delete(job.scope_uuid), 'a job is claimed once');
        await connection.finishJob(lab.tenant, job);
      }
      assert.equal(await connection.claimJob(lab.tenant, claim('a', 2)), null);
    },
  },
  {
    name: 'a claim sees no job of a scope that is not held',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [own, other] = [await lab.scope(connection), await lab.scope(connection)];
      const held = (...uuids: readonly Uuid[]) => ({ all: false, uuids: new Set(uuids) });
      const due = { kind: 'capture', not_before: day(1) } as const;
      await connection.enqueueJob(lab.tenant, { ...due, scope_uuid: other });
      const none = await connection.claimJob(lab.tenant, { ...claim('a', 2), held: held() });
      assert.equal(none, null);
      const foreign = await connection.claimJob(lab.tenant, { ...claim('a', 2), held: held(own) });
      assert.equal(foreign, null);
      await connection.enqueueJob(lab.tenant, { ...due, scope_uuid: own });
      const job = await connection.claimJob(lab.tenant, { ...claim('a', 2), held: held(own) });
      assert.equal(job?.scope_uuid, own);
      const left = await connection.claimJob(lab.tenant, claim('a', 2));
      assert.equal(left?.scope_uuid, other, 'nobody has tried it');
      assert.equal(left?.attempts, 1);
    },
  },
  {
    name: 'a job is claimed by one worker, when it is due, the one that waited longest first',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [late, early] = [await lab.scope(connection), await lab.scope(connection)];
      const ask = (scope_uuid: typeof late, at: number) =>
        connection.enqueueJob(lab.tenant, { kind: 'capture', scope_uuid, not_before: day(at) });
      await ask(late, 3);
      await ask(early, 2);
      assert.equal(await connection.claimJob(lab.tenant, claim('a', 1)), null);
      const claimed = await Promise.all(
        ['a', 'b', 'c'].map((worker) => connection.claimJob(lab.tenant, claim(worker, 4))),
      );
      const scopes = claimed.flatMap((job) => job?.scope_uuid ?? []);
      assert.deepEqual([...scopes].sort(), [late, early].sort());
      assert.equal(await connection.claimJob(lab.otherTenant, claim('a', 4)), null);
    },
  },
  {
    name: 'a job that is finished goes, and one that was asked for while it ran waits on',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope_uuid = await lab.scope(connection);
      const request = { kind: 'capture', scope_uuid, not_before: day(1) } as const;
      await connection.enqueueJob(lab.tenant, request);
      await connection.enqueueJob(lab.tenant, request);
      const first = await connection.claimJob(lab.tenant, claim('a', 2));
      assert.ok(first);
      assert.equal(first.attempts, 1);
      await connection.enqueueJob(lab.tenant, request);
      await connection.finishJob(lab.tenant, first);
      const second = await connection.claimJob(lab.tenant, claim('b', 2));
      assert.ok(second, 'it was asked for again');
      await connection.finishJob(lab.tenant, second);
      assert.equal(await connection.claimJob(lab.tenant, claim('b', 2)), null);
    },
  },
  {
    name: 'a claim ends, and who held it can settle the job no more',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope_uuid = await lab.scope(connection);
      await connection.enqueueJob(lab.tenant, { kind: 'capture', scope_uuid, not_before: day(1) });
      const dead = await connection.claimJob(lab.tenant, claim('dead', 2, 5));
      assert.ok(dead);
      assert.equal(await connection.claimJob(lab.tenant, claim('next', 4)), null);
      const next = await connection.claimJob(lab.tenant, claim('next', 6, 9));
      assert.equal(next?.attempts, 2);
      await connection.finishJob(lab.tenant, dead);
      await connection.postponeJob(lab.tenant, dead, { not_before: day(50), error: 'X' });
      assert.ok(await connection.claimJob(lab.tenant, claim('third', 10)), 'it is not over');
    },
  },
  {
    name: 'a job that is put off waits for its time, with its attempts',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope_uuid = await lab.scope(connection);
      await connection.enqueueJob(lab.tenant, { kind: 'capture', scope_uuid, not_before: day(1) });
      const job = await connection.claimJob(lab.tenant, claim('a', 2));
      assert.ok(job);
      const why = { not_before: day(7), error: 'CONNECTOR.UNAVAILABLE' };
      await connection.postponeJob(lab.tenant, job, why);
      assert.equal(await connection.claimJob(lab.tenant, claim('a', 6)), null);
      const again = await connection.claimJob(lab.tenant, claim('a', 8));
      assert.ok(again);
      assert.equal(again.attempts, 2);
      const refused = { not_before: day(9), error: 'INFERENCE.REFUSED', is_attempt: false };
      await connection.postponeJob(lab.tenant, again, refused);
      const last = await connection.claimJob(lab.tenant, claim('a', 10));
      assert.ok(last);
      assert.equal(last.attempts, 2);
      await connection.finishJob(lab.tenant, last);
    },
  },
  {
    name: 'open jobs are listed as they stand, those of the scopes that are asked for alone',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [late, early, other] = [
        await lab.scope(connection),
        await lab.scope(connection),
        await lab.scope(connection),
      ];
      const ask = (scope_uuid: typeof late, at: number) =>
        connection.enqueueJob(lab.tenant, { kind: 'capture', scope_uuid, not_before: day(at) });
      await ask(early, 1);
      await ask(late, 3);
      await ask(other, 2);
      const job = await connection.claimJob(lab.tenant, claim('a', 1, 9));
      assert.equal(job?.scope_uuid, early);
      const asked = { kind: 'capture', scopes: [late, early], limit: 9 } as const;
      const fresh = { kind: 'capture', scope_uuid: late, attempts: 0, not_before: day(3) };
      const waits = { ...fresh, claimed_until: null, last_error: null };
      assert.deepEqual(await connection.listJobs(lab.tenant, asked), [
        { ...waits, scope_uuid: early, attempts: 1, not_before: day(1), claimed_until: day(9) },
        waits,
      ]);
      await connection.postponeJob(lab.tenant, job, {
        not_before: day(7),
        error: 'INFERENCE.UNAVAILABLE',
      });
      const failed = { ...waits, scope_uuid: early, attempts: 1, not_before: day(7) };
      assert.deepEqual(await connection.listJobs(lab.tenant, asked), [
        waits,
        { ...failed, last_error: 'INFERENCE.UNAVAILABLE' },
      ]);
      assert.deepEqual(await connection.listJobs(lab.tenant, { ...asked, limit: 1 }), [waits]);
      assert.deepEqual(await connection.listJobs(lab.otherTenant, asked), []);
      assert.deepEqual(await connection.listJobs(lab.tenant, { ...asked, scopes: [] }), []);
      assert.deepEqual(await connection.listJobs(lab.tenant, { ...asked, kind: 'upkeep' }), []);
      for (const _each of [late, early, other]) {
        const next = await connection.claimJob(lab.tenant, claim('b', 8));
        if (next) await connection.finishJob(lab.tenant, next);
      }
      assert.deepEqual(await connection.listJobs(lab.tenant, asked), [], 'what is done is gone');
    },
  },
];
