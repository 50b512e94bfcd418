/**
 * Laws of captured facts that come back: of one slot of one value, one holds at a time, and what
 * held together holds together again.
 */
import assert from 'node:assert/strict';
import type { ForgetRequest } from '../../model/erasure.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, factContent } from '../law-operations.ts';
import { back, forgetRoot } from './bring-back.ts';

interface Stating {
  readonly isBeside?: boolean;
  /** Not marked, as what was captured before there was a mark. */
  readonly isUnmarked?: boolean;
  readonly from?: number;
  readonly until?: number;
}

/** A captured fact of the slot `home`. */
const addHome = (
  { scope, uuid }: { readonly scope: Uuid; readonly uuid: Uuid },
  value: string,
  { isBeside = false, isUnmarked = false, ...extra }: Stating = {},
) => {
  const metadata = {
    ...{ captured_by: 'capture', capture_slot: 'home', capture_value: value },
    ...(isBeside && !isUnmarked && { capture_beside: true }),
  };
  const content = factContent(`Ann lives in ${value}`, { subject: 'Ann', metadata });
  return {
    ...addFact({ scope, uuid }, content, extra),
    in_slot: isBeside ? 'many' : 'one',
  } as const;
};

/** A scope in which homes are stated and forgotten, a fact of its own each. */
async function homes(lab: Lab) {
  const connection = await lab.authority();
  const scope = await lab.scope(connection);
  const state = async (value: string, extra: Stating = {}) => {
    const uuid = lab.id();
    const adding = addHome({ scope, uuid }, value, extra);
    const { receipts } = await lab.write(connection, [adding]);
    return { uuid, operation: receipts[0]?.operation_id ?? uuid };
  };
  const forget = async ({ uuid }: { readonly uuid: Uuid }) => {
    const forgetting = { ...forgetRoot(lab, uuid), kind: 'version' } as const;
    await connection.forget(forgetting);
    return forgetting;
  };
  const isBack = async (...facts: readonly { readonly uuid: Uuid }[]) => {
    const rows = await lab.versions(
      connection,
      facts.map(({ uuid }) => uuid),
    );
    return rows.length === facts.length;
  };
  const isRefusedFor = async (
    forgetting: ForgetRequest,
    those: readonly { readonly operation: Uuid }[],
  ) => {
    const { meta } = await lab.refused(connection.bringBack(back(forgetting)), 'WRITE.BUILT_ON');
    const named = those.map(({ operation }) => ({ operation_id: operation, scope }));
    assert.deepEqual(meta?.['operations'], named);
  };
  return { connection, scope, state, forget, isBack, isRefusedFor };
}

export const returningToSlots: readonly Law[] = [
  {
    name: 'nothing comes back in a slot that another value took since; the operation is named',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, scope, state, forget, isBack, isRefusedFor } = await homes(lab);
      const rome = await state('rome', { from: 1 });
      const [forgetting, oslo] = [await forget(rome), await state('oslo', { from: 2 })];
      await isRefusedFor(forgetting, [oslo]);
      assert.ok(!(await isBack(rome)) && (await isBack(oslo)), 'nothing was written');
      await lab.write(connection, [{ operation: 'UNDO', scope, target: oslo.operation }]);
      await connection.bringBack(back(forgetting));
      assert.ok(await isBack(rome));
    },
  },
  {
    name: 'the same value of a slot comes back no second time',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { state, forget, isRefusedFor } = await homes(lab);
      for (const isBeside of [false, true]) {
        const value = isBeside ? 'a barge' : 'rome';
        const span = { isBeside, from: isBeside ? 9 : 1, until: isBeside ? 12 : 4 };
        const forgetting = await forget(await state(value, span));
        await isRefusedFor(forgetting, [await state(value, span)]);
      }
    },
  },
  {
    name: 'of two values of a slot that went after each other, one comes back',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, state, forget, isBack, isRefusedFor } = await homes(lab);
      const rome = await state('rome', { from: 1 });
      const first = await forget(rome);
      const oslo = await state('oslo', { from: 2 });
      const second = await forget(oslo);
      await connection.bringBack(back(first));
      await isRefusedFor(second, [rome]);
      const third = await forget(rome);
      await connection.bringBack(back(second));
      await isRefusedFor(third, [oslo]);
      assert.ok((await isBack(oslo)) && !(await isBack(rome)));
    },
  },
  {
    name: 'what held beside another value of its slot, before or after it, comes back',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, state, forget, isBack } = await homes(lab);
      const rome = await state('rome', { from: 1 });
      const [boat, cabin] = [
        await state('a boat', { from: 2, isBeside: true }),
        await state('a cabin', { from: 2, isBeside: true }),
      ];
      const forgetting = await forget(cabin);
      const hut = await state('a hut', { from: 3, isBeside: true });
      for (const each of [forgetting, await forget(boat), await forget(rome)])
        await connection.bringBack(back(each));
      assert.ok(await isBack(rome, boat, cabin, hut));
    },
  },
  {
    name: 'what held with another value of its slot when it was forgotten comes back, marked or not',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, state, forget, isBack } = await homes(lab);
      const rome = await state('rome', { from: 1 });
      const boat = await state('a boat', { from: 2, isBeside: true, isUnmarked: true });
      for (const each of [rome, boat]) await connection.bringBack(back(await forget(each)));
      const [first, second] = [await forget(rome), await forget(boat)];
      for (const each of [first, second]) await connection.bringBack(back(each));
      assert.ok(await isBack(rome, boat));
    },
  },
  {
    name: 'a value of a slot comes back as history where the others are of other times',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, state, forget, isBack } = await homes(lab);
      const rome = await state('rome', { from: 1, until: 2 });
      const forgetting = await forget(rome);
      const oslo = await state('oslo', { from: 2 });
      await connection.bringBack(back(forgetting));
      assert.ok(await isBack(rome, oslo));
    },
  },
];
