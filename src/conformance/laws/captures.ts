/**
 * Laws of captures: one plan where the progress ends, whoever asks, and its receipt in its place.
 */
import assert from 'node:assert/strict';
import type { PlannedCapture } from '../../cxri/ports/captures.ts';
import { type CaptureReceipt, noCounts } from '../../model/capture.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Law } from '../law.ts';
import { day } from '../law-operations.ts';

export const consumer = 'rules/2';

export const planned = (
  of: Pick<PlannedCapture, 'capture_uuid' | 'scope_uuid'> & Partial<PlannedCapture>,
): PlannedCapture => ({
  consumer,
  from_seq: 1,
  to_seq: 5,
  plan: { writes: ['a "plan"', { n: 1 }] },
  planned_at: day(1),
  ...of,
});

export const receiptOf = (capture: PlannedCapture, at = 2): CaptureReceipt => ({
  capture_uuid: capture.capture_uuid,
  scope_uuid: capture.scope_uuid,
  consumer: capture.consumer,
  from_seq: capture.from_seq,
  to_seq: capture.to_seq,
  turns: 3,
  counts: { ...noCounts(), declined: 2 },
  counted: 2,
  declined: { question: 2 },
  candidates: [],
  captured_at: day(at),
});

const isLater = (a: CaptureReceipt | undefined, b: CaptureReceipt): boolean =>
  a !== undefined && keyOf(a) > keyOf(b);
const keyOf = ({ captured_at: at, from_seq: from, capture_uuid: uuid }: CaptureReceipt): string =>
  [at, String(from).padStart(9, '0'), uuid].join(' ');

/** Who reads every scope. */
export const all = { all: true, uuids: new Set<Uuid>() } as const;

export const captures: readonly Law[] = [
  {
    name: 'a plan is kept until its receipt comes, and the progress moves with the receipt',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const of = { consumer, scope_uuid: await lab.scope(connection) };
      assert.equal(await connection.captureProgress(lab.tenant, of), 0);
      assert.equal(await connection.openCapture(lab.tenant, of), null);
      const capture = planned({ ...of, capture_uuid: lab.id() });
      assert.deepEqual(await connection.planCapture(lab.tenant, capture), capture);
      assert.deepEqual(await connection.openCapture(lab.tenant, of), capture);
      assert.equal(await connection.captureProgress(lab.tenant, of), 0);
      const receipt = receiptOf(capture);
      const finished = { ...of, from_seq: 1, receipt };
      assert.deepEqual(await connection.finishCapture(lab.tenant, finished), receipt);
      assert.equal(await connection.openCapture(lab.tenant, of), null);
      assert.equal(await connection.captureProgress(lab.tenant, of), 5);
    },
  },
  {
    name: 'of two plans from one number the first is carried out by both, and its first receipt stays',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const of = { consumer, scope_uuid: await lab.scope(connection) };
      const [first, second] = [lab.id(), lab.id()].map((capture_uuid, index) =>
        planned({ ...of, capture_uuid, to_seq: 5 + index }),
      );
      assert.ok(first && second);
      await connection.planCapture(lab.tenant, first);
      assert.deepEqual(await connection.planCapture(lab.tenant, second), first);
      const receipt = receiptOf(first);
      const finished = { ...of, from_seq: 1, receipt };
      await connection.finishCapture(lab.tenant, finished);
      const again = { ...finished, receipt: receiptOf(first, 3) };
      assert.deepEqual(await connection.finishCapture(lab.tenant, again), receipt);
      assert.equal(await connection.captureProgress(lab.tenant, of), 5);
    },
  },
  {
    name: 'a plan from where the progress no longer is, is none',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const of = { consumer, scope_uuid: await lab.scope(connection) };
      const capture = planned({ ...of, capture_uuid: lab.id() });
      await connection.planCapture(lab.tenant, capture);
      await connection.finishCapture(lab.tenant, {
        ...of,
        from_seq: 1,
        receipt: receiptOf(capture),
      });
      const late = planned({ ...of, capture_uuid: lab.id(), to_seq: 9 });
      assert.equal(await connection.planCapture(lab.tenant, late), null);
      const ahead = planned({ ...of, capture_uuid: lab.id(), from_seq: 8, to_seq: 9 });
      assert.equal(await connection.planCapture(lab.tenant, ahead), null);
      const next = planned({ ...of, capture_uuid: lab.id(), from_seq: 6, to_seq: 9 });
      assert.deepEqual(await connection.planCapture(lab.tenant, next), next);
    },
  },
  {
    name: 'a plan is split into a receipt and an open rest, once, and the progress stays',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const of = { consumer, scope_uuid: await lab.scope(connection) };
      const first = planned({ ...of, capture_uuid: lab.id() });
      await connection.planCapture(lab.tenant, first);
      const part = receiptOf(first);
      const rest = { capture_uuid: lab.id(), plan: { writes: [{ n: 1 }] } };
      const split = { ...of, from_seq: 1, receipt: part, plan: first.plan, rest };
      const other = { ...split, plan: { writes: [] } };
      assert.equal(await connection.splitCapture(lab.tenant, other), false);
      assert.equal(await connection.splitCapture(lab.tenant, split), true);
      assert.equal(await connection.splitCapture(lab.tenant, split), false);
      const left = { ...first, ...rest };
      assert.deepEqual(await connection.openCapture(lab.tenant, of), left);
      assert.deepEqual(await connection.planCapture(lab.tenant, first), left);
      assert.equal(await connection.captureProgress(lab.tenant, of), 0);
      // Who carried out the whole plan meanwhile gets the receipt of then: the rest stays open.
      const whole = { ...of, from_seq: 1, receipt: receiptOf(first, 3) };
      assert.deepEqual(await connection.finishCapture(lab.tenant, whole), part);
      assert.deepEqual(await connection.openCapture(lab.tenant, of), left);
      const last = receiptOf(left, 4);
      const finished = { ...of, from_seq: 1, receipt: last };
      assert.deepEqual(await connection.finishCapture(lab.tenant, finished), last);
      assert.equal(await connection.captureProgress(lab.tenant, of), 5);
      const listed = await connection.listCaptures(
        lab.tenant,
        { scope_uuid: of.scope_uuid, limit: 9 },
        all,
      );
      assert.deepEqual(listed, [last, part]);
    },
  },
  {
    name: 'receipts of captures are listed for who holds the scope, the latest first',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope_uuid = await lab.scope(connection);
      const of = { consumer, scope_uuid };
      const captures = [1, 2, 3].map((from) =>
        planned({
          ...of,
          capture_uuid: lab.id(),
          from_seq: from,
          to_seq: from,
          planned_at: day(from),
        }),
      );
      for (const capture of captures) {
        await connection.planCapture(lab.tenant, capture);
        const receipt = receiptOf(capture, capture.from_seq);
        await connection.finishCapture(lab.tenant, { ...of, from_seq: capture.from_seq, receipt });
      }
      const listed = await connection.listCaptures(lab.tenant, { scope_uuid, limit: 2 }, all);
      assert.deepEqual(
        listed.map(({ from_seq: from }) => from),
        [3, 2],
      );
      const none = { all: false, uuids: new Set<Uuid>() };
      assert.deepEqual(
        await connection.listCaptures(lab.tenant, { scope_uuid, limit: 2 }, none),
        [],
      );
      assert.deepEqual(
        await connection.listCaptures(lab.otherTenant, { scope_uuid, limit: 2 }, all),
        [],
      );
    },
  },
  {
    name: 'pages of captures name each receipt once, also of those of one instant',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope_uuid = await lab.scope(connection);
      for (const from of [1, 2, 3, 4, 5]) {
        const of = { consumer: from === 5 ? 'rules/3' : consumer, scope_uuid };
        const from_seq = from === 5 ? 1 : from;
        const own = { ...of, capture_uuid: lab.id(), from_seq, to_seq: from_seq };
        const capture = planned({ ...own, planned_at: day(from) });
        await connection.planCapture(lab.tenant, capture);
        // Finished in another order than planned; two consumers may begin at one number.
        const receipt = receiptOf(capture, from === 1 ? 9 : 5);
        await connection.finishCapture(lab.tenant, { ...of, from_seq, receipt });
      }
      const whole = await connection.listCaptures(lab.tenant, { scope_uuid, limit: 9 }, all);
      const isInOrder = whole.every(
        (each, index) => index === 0 || isLater(whole[index - 1], each),
      );
      assert.ok(isInOrder, 'the latest first, in one order');
      assert.equal(whole[0]?.captured_at, day(9));
      const paged: CaptureReceipt[] = [];
      for (let page = 0; page < 6; page += 1) {
        const last = paged.at(-1);
        const asked = { scope_uuid, limit: 2, ...(last && { after: last }) };
        paged.push(...(await connection.listCaptures(lab.tenant, asked, all)));
      }
      assert.deepEqual(paged, whole);
    },
  },
];
