/**
 * Laws of capture progress: it moves over each stretch of a scope once, for each consumer alone.
 */
import assert from 'node:assert/strict';
import type { Uuid } from '../../model/ids.ts';
import type { Law } from '../law.ts';
import { day } from '../law-operations.ts';
import { consumer, planned } from './captures.ts';

export const captureProgress: readonly Law[] = [
  {
    name: 'what holds no turns is skipped once, and never over an open plan',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const of = { consumer, scope_uuid: await lab.scope(connection) };
      const skip = { ...of, from_seq: 1, to_seq: 4, at: day(1) };
      await connection.skipCapture(lab.tenant, skip);
      await connection.skipCapture(lab.tenant, { ...skip, to_seq: 9 });
      assert.equal(await connection.captureProgress(lab.tenant, of), 4);
      const capture = planned({ ...of, capture_uuid: lab.id(), from_seq: 5, to_seq: 6 });
      await connection.planCapture(lab.tenant, capture);
      await connection.skipCapture(lab.tenant, { ...skip, from_seq: 5, to_seq: 9 });
      assert.equal(await connection.captureProgress(lab.tenant, of), 4);
      assert.deepEqual(await connection.openCapture(lab.tenant, of), capture);
    },
  },
  {
    name: 'each tenant, scope and consumer has a progress of its own',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope_uuid = await lab.scope(connection);
      const other = await lab.scope(connection);
      await connection.skipCapture(lab.tenant, {
        consumer,
        scope_uuid,
        from_seq: 1,
        to_seq: 4,
        at: day(1),
      });
      const progress = (tenant: typeof lab.tenant, of: { consumer: string; scope_uuid: Uuid }) =>
        connection.captureProgress(tenant, of);
      assert.equal(await progress(lab.tenant, { consumer, scope_uuid: other }), 0);
      assert.equal(await progress(lab.tenant, { consumer: 'rules/other', scope_uuid }), 0);
      assert.equal(await progress(lab.otherTenant, { consumer, scope_uuid }), 0);
      const scopes = [scope_uuid, other];
      const ofAll = (tenant: typeof lab.tenant, of: string, asked = scopes) =>
        connection.progressOfScopes(tenant, { consumer: of, scopes: asked });
      assert.deepEqual(await ofAll(lab.tenant, consumer), [{ scope_uuid, done_seq: 4 }]);
      assert.deepEqual(await ofAll(lab.tenant, consumer, [other]), []);
      assert.deepEqual(await ofAll(lab.tenant, consumer, []), []);
      assert.deepEqual(await ofAll(lab.tenant, 'rules/other'), []);
      assert.deepEqual(await ofAll(lab.otherTenant, consumer), []);
    },
  },
];
