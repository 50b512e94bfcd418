/** Laws of captures of forgotten turns: receipts are amended as they were read, and found. */
import assert from 'node:assert/strict';
import type { Law } from '../law.ts';
import { all, consumer, planned, receiptOf } from './captures.ts';

export const forgottenCaptures: readonly Law[] = [
  {
    name: 'a receipt is amended in the place of the one that it was read as, and of no other',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const of = { consumer, scope_uuid: await lab.scope(connection) };
      const capture = planned({ ...of, capture_uuid: lab.id() });
      await connection.planCapture(lab.tenant, capture);
      const was = receiptOf(capture);
      await connection.finishCapture(lab.tenant, { ...of, from_seq: 1, receipt: was });
      const receipt = { ...was, counted: 3, declined: { question: 3 } };
      assert.equal(await connection.amendCapture(lab.tenant, { was, receipt }), true);
      const late = { ...was, counted: 9 };
      assert.equal(await connection.amendCapture(lab.tenant, { was, receipt: late }), false);
      const asked = { scope_uuid: of.scope_uuid, limit: 2 };
      assert.deepEqual(await connection.listCaptures(lab.tenant, asked, all), [receipt]);
      const elsewhere = { was: receipt, receipt: late };
      assert.equal(await connection.amendCapture(lab.otherTenant, elsewhere), false);
    },
  },
];
